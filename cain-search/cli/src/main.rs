//! The `cain` command.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    cain_cli::run(env::args_os()).into()
}
