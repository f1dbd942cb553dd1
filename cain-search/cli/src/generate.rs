//! `cain generate`.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cain_codegen::generate::{self, RuntimePath};
use cain_codegen::kernel_file::AnyFilter;
use cain_codegen::printable::Printable;
use cain_codegen::{Mode, Plans};
use clap::Args;
use indicatif::ProgressBar;
use similar::TextDiff;

use crate::files;
use crate::package::Package;
use crate::threads::Threads;

/// More bytes of an old file are not compared.
const MAX_BYTES: u64 = 64 << 20;

/// How every file that this command has written begins.
const MADE_BY: &str = "`cain generate`";

/// Write the filters of a kernel file as Rust functions, to be checked in
///
/// The code is that of `scamp_kernels!` and of `cain-build`, from the same plan files, and without a plan with the same
/// search budgets. The environment variable `CAIN_PLANS` has the same meaning as there: with `locked`, a filter without a
/// plan is an error and nothing is searched. The crate that contains the code needs only `cain-runtime`, without its
/// macros. Rustfmt does not change the code.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain generate kernels.toml -o src/kernels.rs           write the functions
  cain generate kernels.toml -o src/kernels.rs --check   in CI: is that file up to date?
  CAIN_PLANS=locked cain generate kernels.toml           only what is pinned
  cain generate kernels.toml --runtime ::focal           for a dependency under another name")]
pub(crate) struct Generate {
    /// The kernel file
    file: PathBuf,

    /// The Rust file to write [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write nothing; show how the output file differs from what would be written, and exit with status 0 if it does not
    #[arg(long, requires = "output")]
    check: bool,

    /// The folder of plans [default: `plans` beside the Cargo.toml above the kernel file]
    #[arg(long, value_name = "DIR")]
    plans: Option<PathBuf>,

    /// The path of the crate `cain-runtime`
    #[arg(long, value_name = "PATH", default_value = "::cain_runtime")]
    runtime: RuntimePath,

    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// Whether there is a file as it should be; fails if the standard output cannot be written.
pub(crate) fn run(args: &Generate) -> io::Result<bool> {
    let done = mode().and_then(|mode| text(args, mode)).and_then(|source| match &args.output {
        None => Ok(source),
        Some(output) if args.check => check(output, &source),
        Some(output) => replace(output, &source),
    });
    match done {
        Ok(text) => io::stdout().write_all(text.as_bytes()).map(|()| true),
        Err(message) => {
            eprintln!("{message}");
            Ok(false)
        }
    }
}

/// How plans are used. Code that is checked in is never a stub.
fn mode() -> Result<Mode, String> {
    match Mode::from_env()? {
        Mode::Stub => Err(format!(
            "with `{}=stub` there are no programs to generate; expected `auto` or `locked`",
            Mode::VARIABLE
        )),
        mode => Ok(mode),
    }
}

/// The text of the output, with a progress line while programs are searched for.
fn text(args: &Generate, mode: Mode) -> Result<String, String> {
    let progress = ProgressBar::new_spinner();
    progress.enable_steady_tick(Duration::from_millis(100));
    let show = |filter: &AnyFilter| progress.set_message(filter.name().to_owned());
    let plans = Plans { mode, folder: Package::plans_for(&args.file, args.plans.as_deref()) };
    let source = generate::source(&args.file, &args.runtime, &plans, MADE_BY, show);
    progress.finish_and_clear();
    let source = source.map_err(|error| error.to_string())?;
    for warning in &source.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(source.text)
}

/// Whether a file is up to date, as a message; the error shows how it differs.
fn check(path: &Path, source: &str) -> Result<String, String> {
    let shown = Printable(path.display());
    let old = read(path)
        .map_err(|error| format!("{shown}: cannot be read: {error}; run `cain generate` without `--check`"))?;
    // Version control may have changed the line ends.
    let old = String::from_utf8_lossy(&old).replace("\r\n", "\n");
    if old == source {
        return Ok(format!("{shown}: up to date\n"));
    }
    let diff = TextDiff::from_lines(old.as_str(), source);
    let (is, should_be) = (format!("{shown} as it is"), format!("{shown} as it should be"));
    let diff = diff.unified_diff().header(&is, &should_be).to_string();
    let lines = diff.trim_end().split('\n').map(|line| format!("\n{}", Printable(line)));
    Err(format!("{shown}: out of date; run `cain generate` without `--check`{}", lines.collect::<String>()))
}

/// The contents of a file; only the beginning if it is far larger than any that is written here.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file, unless nothing changes or it is not one that this command has written.
fn replace(path: &Path, source: &str) -> Result<String, String> {
    let shown = Printable(path.display());
    // Pipes and devices have no contents that could be lost.
    let old = if path.is_file() { read(path).unwrap_or_default() } else { Vec::new() };
    if old == source.as_bytes() {
        return Ok(format!("{shown}: unchanged\n"));
    }
    if !old.is_empty() && !old.starts_with(format!("// @generated by {MADE_BY}").as_bytes()) {
        return Err(format!("{shown}: was not written by {MADE_BY}; remove it or choose another name"));
    }
    files::write(path, source)?;
    Ok(format!("{shown}: written\n"))
}
