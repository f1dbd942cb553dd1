//! What can be written after `cain import`.

use std::path::PathBuf;

use clap::Args;

/// Turn a configuration file of published Cain into a kernel file
///
/// Reads the JSON that Cain (Stow et al. 2022) takes: filter, approximation, registers, cost function and
/// instructions become a filter of a kernel file. What has no counterpart is listed on the standard error, each with its
/// place and path. A file that exists already is not overwritten.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain import sobel.json                      the kernel file, on the standard output
  cain import sobel.json -o sobel.toml        the same in a file
  cain compile sobel.toml --listing           then it compiles like any other")]
pub(crate) struct Import {
    /// The configuration file
    #[arg(value_name = "FILE.json")]
    pub(crate) file: PathBuf,

    /// Write to this new file instead of the standard output
    #[arg(short, long, value_name = "FILE.toml")]
    pub(crate) output: Option<PathBuf>,
}
