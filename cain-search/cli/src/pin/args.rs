//! What can be written after `cain pin`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use crate::args::nodes;
use crate::threads::threads;

/// Search plans for kernels and keep them in files
///
/// Finds `scamp_kernels!` in Rust sources, and the kernel files that these and build scripts name; searches a program
/// for each kernel; and writes it to `plans/NAME.scamp` beside the Cargo.toml of the package, to be checked in. Builds
/// then use it instead of searching themselves. A plan is replaced only by a better one, or if it is wrong or for
/// another kernel. Kernels that other macros declare are not found.
///
/// The exit status is 0 if and only if every kernel has a right plan.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain pin                      all kernels of the package or workspace in this folder
  cain pin src                  those in src/
  cain pin kernels.toml         those of a kernel file
  cain pin --nodes 2_000_000    a long search for better plans
  cain pin --check              for continuous integration: searches and writes nothing
  cain pin --prune              removes plans of kernels that are gone as well")]
pub(crate) struct Pin {
    /// Rust sources, kernel files, or folders with sources
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// Budget per kernel in search nodes [default: that of the kernel, else 50000]
    #[arg(long, value_parser = nodes)]
    pub(crate) nodes: Option<u64>,

    /// Search anew even where as large a budget has been used; for a new version of this program
    #[arg(long)]
    pub(crate) again: bool,

    /// Search and write nothing; fail if a plan is missing, or wrong, or for another kernel
    #[arg(long, conflicts_with_all = ["nodes", "again", "prune"])]
    pub(crate) check: bool,

    /// Remove plans of kernels that are not there; PATHs must be folders with whole packages
    #[arg(long)]
    pub(crate) prune: bool,

    /// The folder of plans [default: `plans` beside the Cargo.toml above each source]
    #[arg(long, value_name = "DIR")]
    pub(crate) plans: Option<PathBuf>,

    /// Worker threads; they never change the result [default: all processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
}
