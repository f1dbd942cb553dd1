//! `cain generate`.

mod cpp;

use std::collections::BTreeSet;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use cain_codegen::generate::{self, Compiled, Maker, RuntimePath};
use cain_codegen::kinds::SameNames;
use cain_codegen::printable::Printable;
use cain_codegen::text_file;
use cain_codegen::{Mode, Overrides, Plans, of_each_kind};
use clap::{Args, ValueEnum};
use similar::TextDiff;

use crate::files;
use crate::progress::Line;
use crate::sources::{Declared, Reading, load};
use crate::threads::Threads;
use crate::vendor::helpers_of;

/// The most bytes of an old file that are compared.
const MAX_BYTES: u64 = 64 << 20;

/// The maker that is named at the beginning of every file that this command writes.
const MAKER: Maker<'_> = Maker { name: "`cain generate`", runtime_option: "--runtime ::name" };

/// Write the filters and networks of a kernel file, or of other sources, as Rust functions to be checked in
///
/// The code is the same as that of `scamp_kernels!` and `cain-build`, with the same plan files or, without a plan, the
/// same search budgets. The environment variable `CAIN_PLANS` has the same meaning: with `locked`, a filter without a
/// plan is an error and nothing is searched. The crate that contains the code needs only `cain-runtime`, without its
/// macros. Rustfmt does not change the code.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain generate kernels.toml -o src/kernels.rs           write the functions
  cain generate kernels.toml -o src/kernels.rs --check   in CI: is that file up to date?
  CAIN_PLANS=locked cain generate kernels.toml           only what is pinned
  cain generate kernels.toml -o kernels.hpp              a header for the vendor's C++ library
  cain generate kernels.toml --runtime ::focal           for a dependency under another name")]
pub(crate) struct Generate {
    /// A kernel file, a Rust source, a plan file, a folder with sources, or - for the standard input
    file: PathBuf,

    /// Filters, networks and programs to write, in this order [default: all of the file]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// The file to write [default: the standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The language [default: that of the output file's extension, .rs, or for C++ .h, .hh, .hpp or .hxx; otherwise
    /// Rust]
    #[arg(long, value_enum)]
    lang: Option<Language>,

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Typed functions for `cain-runtime`
    Rust,
    /// A header for the vendor's library, with an inline function for each filter and whole program
    Cpp,
}

impl Generate {
    /// The language that was asked for, or that the extension of the output file stands for.
    fn language(&self) -> Result<Language, String> {
        if let Some(language) = self.lang {
            return Ok(language);
        }
        let Some((path, ending)) = self.output.as_deref().and_then(|path| Some((path, path.extension()?))) else {
            return Ok(Language::Rust);
        };
        match ending.to_str() {
            Some("rs") => Ok(Language::Rust),
            Some("h" | "hpp" | "hh" | "hxx") => Ok(Language::Cpp),
            _ => Err(format!(
                "{}: no language has this ending; expected .rs for Rust, or .h, .hh, .hpp or .hxx for C++, or choose one with \
                 --lang",
                Printable(path.display())
            )),
        }
    }
}

/// Runs the command; returns whether the file is as it should be, or fails if the standard output cannot be written.
pub(crate) fn run(args: &Generate) -> io::Result<bool> {
    let language = match args.language() {
        Ok(language) => language,
        Err(problem) => {
            eprintln!("{problem}");
            return Ok(false);
        }
    };
    if let Some(Err(problem)) = args.output.as_deref().filter(|_| !args.check).map(files::check) {
        eprintln!("{problem}");
        return Ok(false);
    }
    let reading = Reading {
        overrides: Overrides::default(),
        plans: args.plans.as_deref(),
        networks: true,
        programs: true,
        packages_below: true,
    };
    let Some(filters) = load(&args.file, &args.names, &reading) else { return Ok(false) };
    let done = mode().and_then(|mode| text(args, language, &filters, mode)).and_then(|source| match &args.output {
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

/// How plans are used. Checked-in code is never a stub.
fn mode() -> Result<Mode, String> {
    match Mode::from_env()? {
        Mode::Stub => Err(format!(
            "with `{}=stub` there are no programs to generate; expected `auto` or `locked`",
            Mode::VARIABLE
        )),
        mode => Ok(mode),
    }
}

/// The text of the output, with a progress line while programs are searched for; the error has a line for each problem.
fn text(args: &Generate, language: Language, declared: &[Declared], mode: Mode) -> Result<String, String> {
    let progress = Line::new(0, "filters");
    let (mut rust, mut cpp, mut problems, mut refused) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    problems.extend(same_names(declared, language));
    if language == Language::Cpp {
        for (name, problem) in names_beside(declared) {
            problems.push(problem);
            refused.push(name);
        }
    }
    for declared in declared {
        progress.name(declared.item.name());
        let plans = Plans::new(mode, Some(declared.plans.clone()));
        let done = match language {
            Language::Rust => Compiled::new(&declared.item, &args.runtime, &plans).map(|function| rust.push(function)),
            Language::Cpp => {
                let function = of_each_kind!(&declared.item, item => cpp::function(item, &plans));
                function.map(|function| cpp.push(function)).map_err(|one| vec![one])
            }
        };
        if let Err(reasons) = done {
            problems.extend(reasons.iter().map(|problem| declared.locate(problem)));
            refused.push(declared.item.name());
        }
    }
    drop(progress);
    if language == Language::Cpp {
        refused.sort_unstable();
        refused.dedup();
        problems.extend(others(args, declared, &refused));
    }
    let text = || match language {
        Language::Rust => generate::text(&rust, &args.file, MAKER),
        Language::Cpp => cpp::header(&cpp, &args.file, MAKER.name),
    };
    if problems.is_empty() { Ok(text()) } else { Err(problems.join("\n")) }
}

/// How to write the others where C++ can have only some of several: nothing is left out unless it is asked for.
fn others(args: &Generate, declared: &[Declared], refused: &[&str]) -> Option<String> {
    let names = declared.iter().map(|declared| declared.item.name());
    let others: Vec<&str> = names.filter(|name| !refused.contains(name)).collect();
    if others.is_empty() || refused.is_empty() {
        return None;
    }
    let (file, others) = (Printable(args.file.display()), others.join(" "));
    Some(format!(
        "{file}: nothing is written, since {} of {} cannot be; name the others to write only these: `cain generate {file} {others}`",
        refused.len(),
        declared.len()
    ))
}

/// Complaints about filters that have a name of an earlier one: all functions are in one file. In Rust the types of programs have
/// names, too.
fn same_names(filters: &[Declared], language: Language) -> Vec<String> {
    let (mut names, equal) = (SameNames::default(), "another filter has this name; rename one");
    let mut clash = |declared: &Declared| names.add(&declared.item, language == Language::Rust, equal);
    let again = filters.iter().filter_map(|declared| Some((declared, clash(declared)?)));
    again.map(|(declared, clash)| declared.locate(&declared.item.diagnostic(&clash))).collect()
}

/// Filters that have a name that C++ may need beside another one, such as that of what it does once, and complaints about them.
fn names_beside(filters: &[Declared]) -> impl Iterator<Item = (&str, String)> {
    let names: BTreeSet<_> = filters.iter().flat_map(|declared| helpers_of(declared.item.name())).collect();
    let taken = filters.iter().filter(move |declared| names.contains(declared.item.name()));
    taken.map(|declared| {
        let message = "something beside another function may have this name, such as what is done once; rename one";
        (declared.item.name(), declared.locate(&declared.item.diagnostic(message)))
    })
}

/// A message that a file is up to date; the error shows how it differs.
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

/// The contents of a file, or only the beginning if it is far larger than any file that is written here.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    text_file::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file, unless it would not change, or was not written by this command.
fn replace(path: &Path, source: &str) -> Result<String, String> {
    let shown = Printable(path.display());
    // Pipes and devices have no contents that could be lost.
    let old = if path.is_file() { read(path).unwrap_or_default() } else { Vec::new() };
    if old == source.as_bytes() {
        return Ok(format!("{shown}: unchanged\n"));
    }
    if !old.is_empty() && !old.starts_with(format!("// @generated by {}", MAKER.name).as_bytes()) {
        return Err(format!("{shown}: was not written by {}; remove it or choose another name", MAKER.name));
    }
    files::write(path, source)?;
    Ok(format!("{shown}: written\n"))
}
