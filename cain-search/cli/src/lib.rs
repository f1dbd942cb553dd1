//! The `cain` command, which compiles kernel files into SCAMP-5 programs. The library is for `main`, for the Python package
//! and for tests from outside.

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

/// Prints a line to the standard error like the macro of the standard library, but ignores errors if nobody reads it.
macro_rules! eprintln {
    ($($part:tt)*) => {{
        // There is no place left to report this error.
        let _ = ::std::io::Write::write_fmt(&mut ::std::io::stderr().lock(), ::std::format_args!("{}\n", ::std::format_args!($($part)*)));
    }};
}

mod args;
mod automaton;
mod bench;
mod chip;
mod compile;
mod completions;
pub mod data;
mod digital;
mod eval;
mod files;
mod generate;
mod import;
mod json;
mod kinds;
pub mod library;
mod network;
mod options;
mod pin;
mod predicted;
mod program;
mod progress;
mod record;
mod run;
mod search;
mod share;
mod show;
mod sources;
mod superpixel;
mod table;
pub mod texts;
mod threads;
mod vendor;
mod vision;
mod watch;

use std::ffi::OsString;
use std::io;

use clap::{CommandFactory as _, Parser as _};

use args::{Cli, Command};
use watch::Interrupt;

/// The exit status of a program ended by `SIGPIPE`, as shells report it.
const BROKEN_PIPE: u8 = 128 + 13;

/// Runs the command line, whose first argument is the name of the command; returns the exit status.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let interrupt = Interrupt::default();
    let done = match Cli::parse_from(arguments).command {
        Command::Compile(args) => args.search.threads.run(|| compile::run(&args, &interrupt)),
        Command::Bench(args) => args.search.threads.run(|| bench::run(&args, &interrupt)),
        Command::Show(args) => args.search.threads.run(|| show::run(&args, &interrupt)),
        Command::Run(args) => run::run(&args, &interrupt),
        Command::Pin(args) => pin::run(&args, &interrupt),
        Command::Import(args) => import::run(&args),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Eval(args) => args.threads.run(|| eval::run(&args, &interrupt)),
        Command::Generate(args) => args.threads.run(|| generate::run(&args)),
    };
    match done {
        Ok(is_good) => interrupt.status().unwrap_or(u8::from(!is_good)),
        // The reader of the output wants no more of it, as `head` does. Not everything was done, so this is not a
        // success.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => BROKEN_PIPE,
        Err(error) => {
            eprintln!("cannot write the output: {error}");
            1
        }
    }
}
