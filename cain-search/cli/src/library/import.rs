//! Importing models.

use std::ffi::OsString;

use clap::Parser as _;

use super::Interrupt;
use crate::args::{Cli, Command};
use crate::import::Supervisor;

/// Imports a model in ONNX as `cain import` does, whose arguments these are; returns the kernel file and remarks, or all
/// problems. A file is written only if `--output` names one, and nothing is after an interrupt. `progress` is told how many of
/// the settings that are tried next have been tried, and how many these are.
pub fn import(
    arguments: impl IntoIterator<Item = OsString>,
    interrupt: &Interrupt,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(String, Vec<String>), String> {
    let command = ["cain", "import"].map(OsString::from);
    let parsed = Cli::try_parse_from(command.into_iter().chain(arguments));
    match parsed.map(|cli| cli.command) {
        Ok(Command::Import(args)) => args.network(&Supervisor { interrupt, progress }),
        Ok(_) => Err("expected arguments of `cain import`".to_owned()),
        Err(error) if !error.use_stderr() => {
            Err("`help` and `version` are no options of an import; leave them out".to_owned())
        }
        Err(error) => {
            let message = error.render().to_string();
            let message = message.split("\n\nUsage:").next().unwrap_or_default();
            Err(message.strip_prefix("error: ").unwrap_or(message).trim().to_owned())
        }
    }
}
