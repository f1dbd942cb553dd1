//! The command line.

use std::path::PathBuf;

use cain_codegen::kernel_file;
use cain_search::{InstructionSet, Objective};
use clap::{Args, Parser, Subcommand};

use crate::corpus::STRATA;
use crate::library::Library;

/// Repeat the experiments of Cain's paper with random kernels
///
/// All kernels are those of Eq. 21 of Stow et al. 2022: 3×3 weights, each of them 0/8, 1/8, .. or 8/8 with the same
/// probability. The same seed gives the same kernels on every machine, and a larger sample begins with the smaller one.
/// One sample is one kernel, or as many as the experiment compiles together. Figures are printed, and with --out also
/// written to a folder as a plot and as a table for other programs. The exit status is 0 if and only if all samples were
/// searched and all files written; a search without a program counts as `missing`.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  cain-experiments nodes                    the gain of longer searches
  cain-experiments kernels --out plots      several kernels at once, also as plots/kernels.svg and .csv
  cain-experiments joint --size 3           the gain of compiling kernels together, with three samples
  cain-experiments nodes --objective icws   the time on the chip instead of instructions
  cain-experiments compare old/cain new/cain --checkpoint pairs
                                            whether a change makes the search better

Each takes two or three minutes on two cores. --size and --nodes make it shorter or longer; Ctrl-C ends it with the \
samples that are complete."
)]
pub(crate) struct Experiment {
    #[command(subcommand)]
    pub(crate) subject: Subject,
}

#[derive(Subcommand)]
pub(crate) enum Subject {
    Nodes(Nodes),
    Kernels(Kernels),
    Joint(Joint),
    Layers(Layers),
    Compare(Compare),
    Curve(Curve),
    Ablate(Ablate),
    Bags(Bags),
    Book(Book),
    Library(Library),
}

/// The programs of the opening book, which searches look up before anything else
///
/// The kernels are listed in `src/book/kernels.txt`. Each is searched for in every form: with control words and with macro
/// instructions, with the input kept, in place, and elsewhere, in all registers of SCAMP-5 and then in fewer than the last
/// program used. What the file has from as large a budget is not searched again, so that Ctrl-C loses one search for each
/// thread.
#[derive(Args)]
pub(crate) struct Book {
    /// The file, `cain-search/src/book/programs.txt`
    pub(crate) file: PathBuf,

    /// Budget of each search, in search nodes; all of it is spent
    #[arg(long, default_value_t = 50_000, value_parser = nodes)]
    pub(crate) nodes: u64,

    /// Searches at the same time; they never change the result [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// A sample of the bags of searches for control words, to train the learned estimate (`examples/training/estimate.py`)
///
/// Every declaration is random: kernels of 3×3 to 7×7 weights, dense, sparse, symmetric, separable or falling off, up to four
/// outputs or two inputs, half of them with offset errors cancelled and gains limited. Files are `bags` and `goals`, rows of
/// 32-bit integers, least significant byte first: see `src/bags.rs`.
#[derive(Args)]
pub(crate) struct Bags {
    /// Declarations
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = size)]
    pub(crate) size: u32,

    /// Budget of each search, in search nodes
    #[arg(long, default_value_t = 50_000, value_parser = nodes)]
    pub(crate) nodes: u64,

    /// The seed of the declarations
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Write the files into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// The cases of a fast comparison, and of a long one.
pub(crate) const FAST: u32 = 300;
pub(crate) const LONG: u32 = 3_000;

/// Two builds of the command `cain` on a corpus of random declarations
///
/// The corpus has declarations of every kind: 1 to 10 outputs, 3×3 to 7×7 weights, dense, sparse, symmetric, separable,
/// dilated, or as training makes them, 1 to 4 inputs, kept or not, few registers or many, every instruction set, objective
/// and constraint. For each stratum there are the mean control words of both builds, the change in what the cases minimise
/// with its 95 % interval, the cases in which B is better or worse, the CPU time, and whether B is better, worse, equal, or
/// whether that is open. Every program is proved here, whatever the builds say. The exit status is 0 if and only if all
/// cases were searched and all programs compute their kernels.
#[derive(Args)]
pub(crate) struct Compare {
    /// The build that the other one is judged by
    pub(crate) a: PathBuf,

    /// The build that is judged
    pub(crate) b: PathBuf,

    /// 3,000 cases instead of 300
    #[arg(long)]
    pub(crate) long: bool,

    /// Another number of cases; a larger corpus begins with the smaller one
    #[arg(long, value_name = "N", value_parser = size, conflicts_with = "long")]
    pub(crate) size: Option<u32>,

    /// The seed of the corpus [default: that of the checkpoint, or else drawn anew]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Budget of each search, in search nodes
    #[arg(long, default_value_t = 5_000, value_parser = nodes)]
    pub(crate) nodes: u64,

    /// Give B as many nodes as take the CPU time of A, for each case in which both use up their budgets
    #[arg(long)]
    pub(crate) equal_cpu: bool,

    /// Further options of `cain compile` for A, such as '--patience any'
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    pub(crate) with_a: String,

    /// Further options of `cain compile` for B
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    pub(crate) with_b: String,

    /// Only the cases of this stratum, such as '1 output'
    #[arg(long, value_name = "STRATUM", value_parser = stratum)]
    pub(crate) only: Option<&'static str>,

    /// Keep what was found in this file, and continue from it
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Write the table (CSV) into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// What searches find by the share of their budget, and what patience costs and saves, on the corpus
///
/// Each case of the corpus that counts instructions is searched once, with the whole budget.
#[derive(Args)]
pub(crate) struct Curve {
    /// Cases of the corpus
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = size)]
    pub(crate) size: u32,

    /// Budget of each search, in search nodes
    #[arg(long, default_value_t = 50_000, value_parser = nodes)]
    pub(crate) nodes: u64,

    /// The seed of the corpus
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Only the cases of this stratum, such as '1 output'
    #[arg(long, value_name = "STRATUM", value_parser = stratum)]
    pub(crate) only: Option<&'static str>,

    /// Cases searched at the same time; they never change the result [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// What each technique of the search brings, on the corpus: searches without it beside the whole search
///
/// The techniques are the beam, its learned estimate, first programs, the exhaustive search, that for short programs, the
/// peephole optimisation, the exchange of values, further ways, the compensation of transfer errors, the search for large
/// maps, and polishing. All searches of a case have equally many nodes. Cases are searched one after the other, on one
/// thread.
#[derive(Args)]
pub(crate) struct Ablate {
    /// Cases of the corpus
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = size)]
    pub(crate) size: u32,

    /// Budget of each search, in search nodes
    #[arg(long, default_value_t = 5_000, value_parser = nodes)]
    pub(crate) nodes: u64,

    /// The seed of the corpus
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Only the cases of this stratum, such as '1 output', and only its rows
    #[arg(long, value_name = "STRATUM", value_parser = stratum)]
    pub(crate) only: Option<&'static str>,
}

/// Program length against the budget of the search, for single kernels in six registers
///
/// Each budget (10, 30, 100, .. nodes) has a search of its own, so the figures are those of `cain compile` with that
/// budget. Quartiles count a kernel without a program as longer than all others.
#[derive(Args)]
pub(crate) struct Nodes {
    /// Kernels
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = size)]
    pub(crate) size: u32,

    /// The largest budget, in search nodes
    #[arg(long = "nodes", value_name = "NODES", default_value_t = 30_000, value_parser = nodes)]
    pub(crate) largest: u64,

    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// Program length against the number of kernels searched together (1 to 4), in six registers
///
/// The filters of one sample share their first kernels. For comparison there are the lengths of Cain's programs for other
/// filters of this kind, run with two workers: 20 s for each single kernel, 30 s for each filter of several. Means are over the filters
/// that have a program; quartiles count one without as longer than all others.
#[derive(Args)]
pub(crate) struct Kernels {
    /// Filters of each number of kernels
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = size)]
    pub(crate) size: u32,

    /// Budget of each search, in search nodes
    #[arg(long, default_value_t = 20_000, value_parser = nodes)]
    pub(crate) nodes: u64,

    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// Separate against joint compilation of 1 to 10 kernels, in 18 registers (Figure 4 of the paper)
///
/// Separate is the sum of the lengths of a program for each kernel, joint is the length of one program for all of them.
/// Each program has all 18 registers and may overwrite its input, as if it ran alone. Means are over the samples that
/// have a program both ways.
#[derive(Args)]
pub(crate) struct Joint {
    /// Samples of ten kernels
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = size)]
    pub(crate) size: u32,

    /// Budget of each search, in search nodes
    #[arg(long, default_value_t = 5_000, value_parser = nodes)]
    pub(crate) nodes: u64,

    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// Program length per kernel of network layers of 1 to 600 kernels, in 103 registers
///
/// Layers have up to 15 inputs, which are kept, and an output for each 15 kernels of 3×3 weights of five bits over 64,
/// nearly normally distributed, as in the neural cellular automaton of Dudziak (2021).
#[derive(Args)]
pub(crate) struct Layers {
    /// Layers of each number of kernels
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = size)]
    pub(crate) size: u32,

    /// Budget of each search, in search nodes
    #[arg(long, default_value_t = 100_000, value_parser = nodes)]
    pub(crate) nodes: u64,

    /// The kernels of the largest layer
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u16).range(1..=600))]
    pub(crate) kernels: u16,

    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// Options of every experiment.
#[derive(Args)]
pub(crate) struct Shared {
    /// The seed of the random kernels
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Instructions that programs may use: macro (all) or basic (those of AUKE)
    #[arg(long, default_value = "macro", value_parser = kernel_file::instruction_set)]
    pub(crate) isa: InstructionSet,

    /// What to minimise and report: macros (instructions) or icws (control words, the time on the chip)
    #[arg(long, default_value = "macros", value_parser = objective)]
    pub(crate) objective: Objective,

    /// Samples searched at the same time; they never change the result [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Write the plot (SVG) and the table (CSV) into this folder, under the name of the experiment
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Parses an objective; the figures of an experiment are program lengths.
fn objective(name: &str) -> Result<Objective, String> {
    match kernel_file::objective(name)? {
        Objective::Accuracy => Err("experiments are about lengths; expected `macros` or `icws`".to_owned()),
        objective => Ok(objective),
    }
}

/// Parses the name of a stratum of the corpus.
fn stratum(name: &str) -> Result<&'static str, String> {
    let found = STRATA.into_iter().find(|stratum| *stratum == name);
    found.ok_or_else(|| format!("expected one of {}", STRATA.map(|stratum| format!("`{stratum}`")).join(", ")))
}

fn nodes(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) => Err("a search needs at least one node".to_owned()),
        Ok(nodes) => Ok(nodes),
        Err(_) => Err("expected a whole number such as 200_000".to_owned()),
    }
}

fn size(text: &str) -> Result<u32, String> {
    match text.replace('_', "").parse() {
        Ok(0) => Err("an experiment needs at least one sample".to_owned()),
        Ok(size) => Ok(size),
        Err(_) => Err("expected a whole number such as 30".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes() {
        assert_eq!(size("1_000"), Ok(1000));
        for text in ["0", "", "-1", "x", "1e3", "99999999999999999999"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
