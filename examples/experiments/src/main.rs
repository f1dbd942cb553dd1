//! The experiments of Cain's paper (Stow et al. 2022, §5.2) with random kernels: the lengths of programs by the budget
//! of the search, by the number of kernels, and for kernels together instead of each alone. There are also the lengths
//! of programs for layers of a network, and the sample of bags from which the learned estimate of the search is
//! trained, and the programs of the opening book. Two builds of the command `cain` are compared on a corpus of random
//! declarations, and the public vision programs are listed on a page with pictures.

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod ablate;
mod args;
mod bags;
mod book;
mod budget;
mod compare;
mod corpus;
mod cpu;
mod curve;
mod declarations;
mod files;
mod interrupt;
mod joint;
mod kernels;
mod layers;
mod library;
mod plot;
mod sampling;
mod scale;
mod sheet;
mod statistics;
mod study;
mod together;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use cain_codegen::printable::Printable;
use clap::Parser as _;

use args::{Experiment, Shared, Subject};
use budget::Budget;
use files::{prepare, write};
use interrupt::Interrupt;
use joint::Joint;
use layers::Layers;
use sampling::{Sampled, sample};
use study::Study;
use together::Together;

fn main() -> ExitCode {
    let interrupt = Interrupt::listen();
    let done = match Experiment::parse().subject {
        Subject::Nodes(args) => conduct(&Budget::new(&args), args.size, &args.shared, &interrupt),
        Subject::Kernels(args) => conduct(&Together::new(&args), args.size, &args.shared, &interrupt),
        Subject::Joint(args) => conduct(&Joint::new(&args), args.size, &args.shared, &interrupt),
        Subject::Layers(args) => conduct(&Layers::new(&args), args.size, &args.shared, &interrupt),
        Subject::Compare(args) => judge(&args, &interrupt),
        Subject::Curve(args) => trace(&args, &interrupt),
        Subject::Ablate(args) => leave_out(&args, &interrupt),
        Subject::Bags(args) => record(&args, &interrupt),
        Subject::Book(args) => book::book(&args, &interrupt),
        Subject::Library(args) => Ok(library::library(&args, &interrupt).unwrap_or_else(|problem| {
            eprintln!("{}", Printable(problem));
            false
        })),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader of the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cannot write the output: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Searches all samples and writes the figures; returns whether that was completed.
fn conduct<S: Study>(study: &S, size: u32, shared: &Shared, interrupt: &Interrupt) -> io::Result<bool> {
    // This fails now rather than after minutes.
    if let Some(folder) = &shared.out
        && let Err(error) = prepare(folder)
    {
        complain(folder, error);
        return Ok(false);
    }

    let Sampled { lengths, missing } = sample(study, size, shared.threads, interrupt);
    report_missing(&missing, lengths.len());
    if lengths.is_empty() {
        eprintln!("no figures: Ctrl-C came before the first sample was complete");
        return Ok(false);
    }
    let (sheet, figure) = study.evaluate(&lengths);
    sheet.print(&mut io::stdout().lock())?;
    let is_complete = lengths.len() == size as usize;
    if !is_complete {
        let done = lengths.len();
        eprintln!("ended by Ctrl-C after {done} of {size} samples; these are the figures of `--size {done}`");
    }

    let Some(folder) = &shared.out else { return Ok(is_complete) };
    let svg = plot::svg(&figure).map_err(io::Error::other)?;
    let files = [("svg", svg), ("csv", sheet.csv())].map(|(kind, text)| (format!("{}.{kind}", S::NAME), text));
    match write(folder, &files) {
        Ok(()) => {
            for (name, _) in files {
                writeln!(io::stdout(), "{}", Printable(folder.join(name).display()))?;
            }
            Ok(is_complete)
        }
        Err(error) => {
            complain(folder, error);
            Ok(false)
        }
    }
}

/// Prints what searches find by the share of their budgets; returns whether that was completed.
fn trace(args: &args::Curve, interrupt: &Interrupt) -> io::Result<bool> {
    curve::curve(args, interrupt).sheet(args).print(&mut io::stdout().lock())?;
    if interrupt.is_pressed() {
        eprintln!("ended by Ctrl-C; these are the figures of the cases that are complete");
    }
    Ok(!interrupt.is_pressed())
}

/// Prints what searches find without each of their techniques; returns whether that was completed.
fn leave_out(args: &args::Ablate, interrupt: &Interrupt) -> io::Result<bool> {
    ablate::ablate(args, interrupt).sheet(args).print(&mut io::stdout().lock())?;
    if interrupt.is_pressed() {
        eprintln!("ended by Ctrl-C; these are the figures of the cases that are complete");
    }
    Ok(!interrupt.is_pressed())
}

/// Compares two builds; returns whether that was completed, with programs that compute their kernels.
fn judge(args: &args::Compare, interrupt: &Interrupt) -> io::Result<bool> {
    if let Some(folder) = &args.out
        && let Err(error) = prepare(folder)
    {
        complain(folder, error);
        return Ok(false);
    }
    let compared = match compare::compare(args, interrupt) {
        Ok(compared) => compared,
        Err(message) => {
            eprintln!("{}", Printable(message));
            return Ok(false);
        }
    };
    let sheet = compared.sheet(args.nodes);
    sheet.print(&mut io::stdout().lock())?;
    let faults = compared.faults();
    for fault in &faults {
        eprintln!("{}", Printable(fault));
    }
    if !compared.is_complete {
        eprintln!("ended by Ctrl-C; these are the figures of the cases that are complete");
    }
    let is_right = faults.is_empty() && compared.is_complete;
    let Some(folder) = &args.out else { return Ok(is_right) };
    if let Err(error) = write(folder, &[("compare.csv".to_owned(), sheet.csv())]) {
        complain(folder, error);
        return Ok(false);
    }
    writeln!(io::stdout(), "{}", Printable(folder.join("compare.csv").display()))?;
    Ok(is_right)
}

/// Writes a sample of bags; returns whether that was completed.
fn record(args: &args::Bags, interrupt: &Interrupt) -> io::Result<bool> {
    if let Err(error) = prepare(&args.out) {
        complain(&args.out, error);
        return Ok(false);
    }
    let recording = bags::sample(args, interrupt);
    writeln!(io::stdout(), "{recording}")?;
    if let Err(error) = write(&args.out, &recording.files()) {
        complain(&args.out, error);
        return Ok(false);
    }
    Ok(recording.declarations == args.size)
}

fn complain(folder: &Path, error: impl Display) {
    eprintln!("{}: cannot be written: {error}", Printable(folder.display()));
}

/// Reports the samples without a program.
fn report_missing(missing: &BTreeMap<(usize, String), Vec<u32>>, samples: usize) {
    for ((_, problem), numbers) in missing {
        if numbers.len() == samples {
            eprintln!("{problem}, for all {samples} samples");
        } else {
            let listed: Vec<_> = numbers.iter().map(u32::to_string).collect();
            eprintln!("{problem}, for {} of {samples} samples: {}", numbers.len(), listed.join(", "));
        }
    }
}
