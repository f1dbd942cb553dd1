#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod config;
mod error;

use std::path::Path;

pub use config::Config;
pub use error::Error;

/// Compiles one kernel file with the defaults of [`Config`].
pub fn compile(file: impl AsRef<Path>) -> Result<(), Error> {
    Config::new().compile(&[file])
}
