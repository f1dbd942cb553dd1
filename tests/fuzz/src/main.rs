//! The command of this package; see its README.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use cain_fuzz::{Attack, Fault, Target, Verdict, attack, be_quiet, judge, targets};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

/// Attack the entries of the project with generated and mutated inputs
///
/// A target, a seed and an index stand for the same input on every machine. The exit status is 1 if a fault was found; the
/// input is written to a file then, with the command that passes it to its target again.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  cargo run -p cain-fuzz -- tokens --inputs 100000 --seed 7    100,000 inputs for the front end of the macro
  cargo run -p cain-fuzz -- all                                a quick check of everything
  cargo run -p cain-fuzz -- plans --replay fault.scamp         one input again"
)]
struct Args {
    /// Targets, or `all`
    #[arg(required_unless_present = "list", value_name = "TARGET")]
    targets: Vec<String>,

    /// List the targets
    #[arg(long)]
    list: bool,

    /// Inputs for each target [default: as many as a quick check has]
    #[arg(long, value_name = "N")]
    inputs: Option<u64>,

    /// The seed on which the inputs depend
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The index of the first input
    #[arg(long, value_name = "I", default_value_t = 0)]
    first: u64,

    /// Pass these files to the target, and nothing else
    #[arg(long, value_name = "FILE", num_args = 1..)]
    replay: Vec<PathBuf>,

    /// The folder for inputs that find faults [default: cain-fuzz in the folder for temporary files]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The time that an input may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    patience: u64,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Attacks the targets; returns whether no fault was found.
fn run(args: &Args) -> io::Result<bool> {
    if args.list {
        for target in &targets::ALL {
            writeln!(io::stdout(), "{:10} {} ({} inputs)", target.name, target.about, target.quick)?;
        }
        return Ok(true);
    }
    let mut is_clean = true;
    for target in named(&args.targets)? {
        is_clean &= if args.replay.is_empty() { assail(args, target)? } else { replay(target, &args.replay)? };
    }
    Ok(is_clean)
}

fn named(names: &[String]) -> io::Result<Vec<&'static Target>> {
    if names.iter().any(|name| name == "all") {
        return Ok(targets::ALL.iter().collect());
    }
    let unknown = |name| io::Error::other(format!("unknown target `{name}`; see --list"));
    names.iter().map(|name| targets::find(name).ok_or_else(|| unknown(name))).collect()
}

/// Passes files to a target.
fn replay(target: &Target, files: &[PathBuf]) -> io::Result<bool> {
    be_quiet();
    let mut is_clean = true;
    for file in files {
        match judge(target, &fs::read(file)?) {
            Ok(Verdict::Refused) if is_to_be_accepted(file) => {
                is_clean = false;
                eprintln!("{}: refused, and its name says that it is right", file.display());
            }
            Ok(verdict) => writeln!(io::stdout(), "{}: {verdict:?}", file.display())?,
            Err(reason) => {
                is_clean = false;
                eprintln!("{}: {reason}", file.display());
            }
        }
    }
    Ok(is_clean)
}

/// Whether the name of the input has the form `NAME.accepted.ENDING`.
fn is_to_be_accepted(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| Path::new(stem).extension().is_some_and(|mark| mark == "accepted"))
}

/// Attacks a target.
fn assail(args: &Args, target: &'static Target) -> io::Result<bool> {
    let count = args.inputs.unwrap_or(target.quick);
    let plan =
        Attack { target, seed: args.seed, first: args.first, count, patience: Duration::from_secs(args.patience) };
    let bar = progress(target, count);
    let outcome = attack(plan, |done| bar.set_position(done))?;
    bar.finish_and_clear();
    writeln!(
        io::stdout(),
        "{:10} {} inputs, {} accepted, {} faulty",
        target.name,
        outcome.inputs,
        outcome.accepted,
        outcome.faulty
    )?;
    let out = args.out.clone().unwrap_or_else(|| env::temp_dir().join("cain-fuzz"));
    for fault in &outcome.faults {
        report(args.seed, target, &out, fault)?;
    }
    Ok(outcome.faults.is_empty())
}

/// A progress bar on the standard error, if that is a terminal.
fn progress(target: &Target, count: u64) -> ProgressBar {
    let bar = ProgressBar::new(count);
    // The template is constant; the default style would show a line too.
    if let Ok(style) = ProgressStyle::with_template("{msg:10} [{bar:24}] {human_pos} of {human_len}, {per_sec}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_message(target.name)
}

/// Writes the input of a fault, and prints how to pass it to its target again.
fn report(seed: u64, target: &Target, out: &Path, fault: &Fault) -> io::Result<()> {
    fs::create_dir_all(out)?;
    let file = out.join(format!("{}-{seed}-{}.{}", target.name, fault.index, target.ending));
    fs::write(&file, &fault.input)?;
    eprintln!("{}: input {} of seed {seed}: {}", target.name, fault.index, fault.reason);
    eprintln!("  cargo run -p cain-fuzz -- {} --replay '{}'", target.name, file.display());
    Ok(())
}
