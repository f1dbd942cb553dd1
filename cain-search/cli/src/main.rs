//! The `cain` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    cain_cli::main()
}
