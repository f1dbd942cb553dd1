//! The options of `cain bench`.

use std::path::PathBuf;

use clap::Args;

use crate::options::Search;

/// Compare programs with published ones
///
/// Without files, the filters of Cain (Stow et al. 2022) and classic ones are searched and compared with the figures of
/// the original Cain: `paper` as published, `rerun` as measured with two workers on two cores and time limits of 60 to
/// 200 s. Cain limits neither offset errors nor gains, so programs of macro instructions do not limit them here either;
/// `native` gives the control words of the program that is made by default: of native words, with offset errors
/// cancelled and gains limited. With --isa native, the table compares the three instruction sets macro, basic and
/// native: control words (ICWs), time on the chip, noise and peak gain. The options --offset, --input and --max-gain
/// apply to native programs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain bench                          the public cases, with the default budget
  cain bench --isa basic              the same in AUKE's instruction set
  cain bench --isa native             native programs and those of macro instructions
  cain bench --isa native --offset any --max-gain any
                                      the same without constraints
  cain bench --nodes 2_000 mine.toml  your filters, with the budget of a build")]
pub(crate) struct Bench {
    /// Kernel files, Rust sources, plan files, folders with sources, or - for the standard input [default: the public
    /// cases]
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) search: Search,
}
