//! `cain experiment`.

mod args;
mod budget;
mod joint;
mod kernels;
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

pub(crate) use args::Experiment;
use args::{Shared, Subject};
use budget::Budget;
use cain_codegen::printable::Printable;
use joint::Joint;
use sampling::{Sampled, sample};
use study::Study;
use together::Together;

use crate::files;
use crate::interrupt::Interrupt;

/// Whether all samples were searched and all files written; fails if the output cannot be written.
pub(crate) fn run(experiment: &Experiment, interrupt: &Interrupt) -> io::Result<bool> {
    match &experiment.subject {
        Subject::Nodes(args) => conduct(&Budget::new(args), args.size, &args.shared, interrupt),
        Subject::Kernels(args) => conduct(&Together::new(args), args.size, &args.shared, interrupt),
        Subject::Joint(args) => conduct(&Joint::new(args), args.size, &args.shared, interrupt),
    }
}

fn conduct<S: Study>(study: &S, size: u32, shared: &Shared, interrupt: &Interrupt) -> io::Result<bool> {
    // Better now than after minutes.
    if let Some(folder) = &shared.out
        && let Err(error) = files::prepare(folder)
    {
        complain(folder, error);
        return Ok(false);
    }

    interrupt.listen();
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
    match files::write(folder, &files) {
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

fn complain(folder: &Path, error: impl Display) {
    eprintln!("{}: cannot be written: {error}", Printable(folder.display()));
}

/// Says for which samples there is no program.
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
