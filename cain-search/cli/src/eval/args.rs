//! The options of `cain eval`.

use std::path::PathBuf;

use clap::Args;

use crate::run::Model;
use crate::threads::Threads;

/// Evaluate a network or an automaton on labelled pictures, on a simulated array
///
/// The network is compiled for the array as a build does it, with the plan that `cain pin` wrote if there is one; small
/// pictures share an array. Shows how many pictures are recognised, which classes are mistaken for which, how far that
/// agrees with the network of the file in floating point, and what each stage costs on the chip. The model that a
/// network was imported from is not used. Pictures are IDX files with the names of MNIST, compressed with gzip or not,
/// or a folder of pictures for each class.
///
/// For an automaton it shows how many cells are right and in how many pictures all cells agree, after 20 to 200 steps,
/// on pictures that stay where they are and on pictures that move.
///
/// A network in the pixels sees one picture at a time; the costs of its components on the chip and the number of
/// recognised pictures are shown.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain eval digits.toml --data mnist                    the network of the file, all test pictures, an ideal array
  cain eval digits.toml --data mnist --model measured   with errors as measured on the chip
  cain eval nets.toml small --data faces --limit 100    the first 100 pictures, with the network `small`
  cain eval digits.toml --data mnist -o misread.png     also a picture of digits that are misread
  cain eval digits.toml --data mnist --trace trace --pictures 0,7
                                                        also what every layer makes of two pictures: trace/report.html
  cain eval cells.toml --data mnist -o cells.png        an automaton, and an animation of its cells")]
pub(crate) struct Eval {
    /// The kernel file with the network or automaton
    pub(crate) file: PathBuf,

    /// The network or automaton [default: the only automaton of the file, or else its only network in the pixels, or
    /// else its only other network]
    pub(crate) name: Option<String>,

    /// The folder with the pictures
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,

    /// Evaluate no more pictures than this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: Option<u64>,

    /// The error model of the simulated arithmetic; automata are exact
    #[arg(long, value_enum, default_value_t = Model::Ideal)]
    pub(crate) model: Model,

    /// Selects the random errors: each seed stands for another die
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// Budget of the network or automaton in search nodes; no plans are used then [default: that of the file]
    #[arg(long, value_name = "NODES")]
    pub(crate) nodes: Option<u64>,

    /// The folder of plans [default: `plans` beside the Cargo.toml above the kernel file]
    #[arg(long, value_name = "DIR")]
    pub(crate) plans: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) threads: Threads,

    /// Write a picture of examples that are misread to this PNG file; for an automaton, an animation of its cells
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write every map and read-out of some pictures to this folder: in floating point, on the ideal array, and with the
    /// errors of the model (those measured, if it is `ideal`); with a contact sheet and a report on all layers
    #[arg(long, value_name = "DIR")]
    pub(crate) trace: Option<PathBuf>,

    /// The pictures of the trace, numbered from 0 [default: the first four]
    #[arg(long, value_name = "N,..", value_delimiter = ',', requires = "trace")]
    pub(crate) pictures: Vec<usize>,

    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}
