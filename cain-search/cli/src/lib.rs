//! The `cain` command: kernel files to SCAMP-5 programs. The library is for `main` and for tests from outside.

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod args;
mod bench;
mod choose;
mod compile;
mod files;
mod find;
mod generate;
mod import;
mod interrupt;
mod memory;
mod package;
mod pin;
mod record;
mod run;
mod show;
mod table;
mod targets;
pub mod texts;
mod threads;
mod watch;
mod written;

use std::io;
use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use interrupt::Interrupt;
use threads::on_threads;

/// Does what the command line says.
#[must_use]
pub fn main() -> ExitCode {
    let interrupt = Interrupt::default();
    let done = match Cli::parse().command {
        Command::Compile(args) => on_threads(args.search.threads, || compile::run(&args, &interrupt)),
        Command::Bench(args) => on_threads(args.search.threads, || bench::run(&args, &interrupt)),
        Command::Show(args) => on_threads(args.search.threads, || show::run(&args, &interrupt)),
        Command::Run(args) => run::run(&args),
        Command::Pin(args) => pin::run(&args, &interrupt),
        Command::Import(args) => import::run(&args),
        Command::Generate(args) => on_threads(args.threads, || generate::run(&args)),
    };
    match done {
        Ok(is_good) => interrupt.status().unwrap_or(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
        // Whoever reads the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cannot write the output: {error}");
            ExitCode::FAILURE
        }
    }
}
