//! What can be written on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use cain_codegen::kernel_file;
use cain_search::{InstructionSet, Objective, OffsetRule, Options};
use clap::{Args, Parser, Subcommand};

use crate::generate::Generate;
use crate::import::Import;
use crate::pin::Pin;
use crate::run::Run;
use crate::show::Show;
use crate::threads::threads;

/// The budget of a filter for which neither the kernel file nor the command line sets one. A tool that is waited for
/// can afford more than a macro; this takes from a part of a second to some seconds for each public case.
pub(crate) const DEFAULT_NODES: u64 = 50_000;

/// Compiles convolution kernels to short programs for the SCAMP-5 focal-plane processor
#[derive(Parser)]
#[command(name = "cain", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Compile(Compile),
    Show(Show),
    Run(Run),
    Pin(Pin),
    Import(Import),
    Generate(Generate),
    Bench(Bench),
}

/// Search programs for the filters of a kernel file
///
/// Prints a table, or with --json one object per filter and line. The exit status is 0 if and only if every filter
/// has a program that was proved to compute its kernels.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain compile kernels.toml                      all filters of the file
  cain compile kernels.toml gauss --listing      one filter, with its program
  cain compile kernels.toml --objective icws     programs that take the least time on the chip
  cain compile kernels.toml --objective noise    programs whose results have little noise
  cain compile kernels.toml --isa native         single control words: the shortest of all
  cain compile kernels.toml --nodes 1_000_000    a longer search
  cain compile kernels.toml --json | jq .macros  for other programs

A kernel file has one table per filter:
  [gauss]
  inputs = [\"A\"]
  outputs.A = { scale = \"1/16\", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }")]
pub(crate) struct Compile {
    /// The kernel file
    pub(crate) file: PathBuf,

    /// Filters to compile, in this order; without any, all of the file
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) search: Search,

    /// Print one JSON object per filter and line instead of a table
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the programs below the table
    #[arg(long, conflicts_with = "json")]
    pub(crate) listing: bool,
}

/// Search programs for many filters and compare
///
/// Without files, the filters of Cain (Stow et al. 2022) and classic ones are searched and compared with the figures
/// of published Cain: `paper` as published, `rerun` as measured with 60 to 200 s and two workers on a machine of two
/// cores. With --isa native, the control words (ICWs) of native programs stand beside those of programs of macro
/// instructions, and time on the chip, noise and peak gain of all three sets: macro, basic, native.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain bench                          the public cases, with the default budget
  cain bench --isa basic              the same in AUKE's instruction set
  cain bench --isa native             native programs beside those of macro instructions
  cain bench --nodes 2_000 mine.toml  your filters, as short as the macro searches")]
pub(crate) struct Bench {
    /// Kernel files; without any, the public cases
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) search: Search,
}

/// Options that override those of the kernel file.
#[derive(Args, Clone)]
pub(crate) struct Search {
    /// Instructions that programs may use: macro (all), basic (those of AUKE) or native (single control words)
    #[arg(long, value_parser = kernel_file::instruction_set)]
    pub(crate) isa: Option<InstructionSet>,

    /// What is to be small: macros (instructions), icws (control words, the time on the chip) or noise (of the
    /// instructions, in the outputs)
    #[arg(long, value_parser = kernel_file::objective)]
    pub(crate) objective: Option<Objective>,

    /// The constant error that each control word adds: cancelled in every output, or any multiple of it left [default:
    /// that of the file, else cancelled in native programs; macro instructions cancel it by themselves, but for
    /// negative halves]
    #[arg(long, value_parser = kernel_file::offset_rule)]
    pub(crate) offset: Option<OffsetRule>,

    /// Budget per filter in search nodes [default: that of the file, else 50000]
    #[arg(long, value_parser = nodes)]
    pub(crate) nodes: Option<u64>,

    /// Memory per search in MiB [default: that of the file, else 512]
    #[arg(long, value_name = "MIB", value_parser = memory())]
    pub(crate) memory: Option<u64>,

    /// Ends the search of a filter after so many seconds, if the nodes last longer; what it has found by then
    /// depends on the machine
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,

    /// Worker threads; they never change the result [default: all processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl Search {
    /// Whether anything is set that says what to search for, or how long.
    pub(crate) fn is_asked_for(&self) -> bool {
        let Self { isa, objective, offset, nodes, memory, time, threads: _ } = self;
        isa.is_some()
            || objective.is_some()
            || offset.is_some()
            || nodes.is_some()
            || memory.is_some()
            || time.is_some()
    }
}

pub(crate) fn nodes(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) => Err("a search needs at least one node".to_owned()),
        Ok(nodes) => Ok(nodes),
        Err(_) => Err("expected a whole number such as 200_000".to_owned()),
    }
}

fn memory() -> impl clap::builder::TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(Options::LEAST_MEMORY..=Options::MOST_MEMORY)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a number of seconds above 0, such as 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Cli, DEFAULT_NODES, nodes, seconds};
    use clap::CommandFactory as _;
    use std::time::Duration;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_tells_the_default_budget() {
        let mut command = Cli::command();
        let help = command.find_subcommand_mut("compile").unwrap().render_long_help().to_string();
        assert!(help.contains(&format!("else {DEFAULT_NODES}]")), "{help}");
    }

    #[test]
    fn numbers() {
        assert_eq!(nodes("200_000"), Ok(200_000));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["0", "", "-1", "x", "1e3", "99999999999999999999"] {
            assert!(nodes(text).is_err(), "{text}");
        }
        for text in ["0", "", "-1", "x", "nan", "inf", "1e300"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
