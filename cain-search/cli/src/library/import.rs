//! Importing models.

use std::ffi::OsString;

use clap::Parser as _;

use crate::args::{Cli, Command};

/// Imports a model in ONNX as `cain import` does, whose arguments these are; returns the kernel file and remarks, or all
/// problems. A file is written only if `--output` names one.
pub fn import(arguments: impl IntoIterator<Item = OsString>) -> Result<(String, Vec<String>), String> {
    let command = ["cain", "import"].map(OsString::from);
    let parsed = Cli::try_parse_from(command.into_iter().chain(arguments));
    match parsed.map(|cli| cli.command) {
        Ok(Command::Import(args)) => args.network(),
        Ok(_) => Err("expected arguments of `cain import`".to_owned()),
        Err(error) => {
            let message = error.render().to_string();
            let message = message.split("\n\nUsage:").next().unwrap_or_default();
            Err(message.strip_prefix("error: ").unwrap_or(message).trim().to_owned())
        }
    }
}
