//! Evaluates automata on pictures that stay where they are and on pictures that move.

mod pictures;
mod report;
mod run;
mod simulate;
#[cfg(test)]
mod tests;

use cain_codegen::kernel_file::DeclaredAutomaton;
use cain_network::automaton::{Automaton, Reference};
use cain_runtime::pictures::Picture;

use super::args::Eval;
use super::compiled::compiled;
use super::pictures::{each, pictures};
use crate::files::write;
use crate::run::Model;
use crate::threads;
use crate::watch::Interrupt;
use run::{Answers, run};
use simulate::Simulator;

pub(super) use report::Report;

/// Evaluates an automaton.
pub(super) fn evaluate(
    args: &Eval,
    declared: &DeclaredAutomaton,
    interrupt: &Interrupt,
) -> Result<Report, Vec<String>> {
    let one = |problem: String| vec![problem];
    if args.model != Model::Ideal {
        return Err(one("automata compute with exact integers; leave `--model` out".to_owned()));
    }
    let automaton = declared.automaton.clone();
    let data = pictures(args, automaton.size).map_err(one)?;
    let compiled = compiled(args, declared, interrupt)?.compiled;
    let simulator = Simulator::new(&compiled).map_err(one)?;
    let pictures: Vec<(&[u8], usize)> = data.iter().collect();
    let [still, moving] =
        [false, true].map(|is_moving| answers(&simulator, &automaton, &pictures, args.seed, is_moving, interrupt));
    let (still, moving) = (still.map_err(one)?, moving.map_err(one)?);
    if let Some(path) = &args.output {
        let shown: Vec<_> = pictures.iter().take(pictures::MOST).copied().collect();
        let digits = digits(&simulator, &automaton, &shown, args.seed).map_err(one)?;
        let bytes = pictures::animation(&digits).png().map_err(|error| one(error.to_string()))?;
        write(path, bytes).map_err(one)?;
    }
    Ok(Report::new(&compiled, &still, &moving))
}

/// The answers for pictures, in their order; each picture has random bits of its own.
fn answers(
    simulator: &Simulator<'_>,
    automaton: &Automaton,
    pictures: &[(&[u8], usize)],
    seed: u64,
    is_moving: bool,
    interrupt: &Interrupt,
) -> Result<Vec<Answers>, String> {
    let reference = Reference::new(automaton);
    each(pictures, interrupt, |number, picture| {
        run(simulator, &reference, automaton, picture, seed_of(seed, number), is_moving, |_, _| {})
    })
}

/// For each picture, what its cells look like, step by step.
fn digits(
    simulator: &Simulator<'_>,
    automaton: &Automaton,
    pictures: &[(&[u8], usize)],
    seed: u64,
) -> Result<Vec<Vec<Picture>>, String> {
    let reference = Reference::new(automaton);
    threads::try_map(pictures, |number, &picture| {
        let mut shown = vec![];
        let watch = |step, cells: &_| {
            if pictures::is_shown(step) {
                shown.push(pictures::of_cells(automaton, cells, step));
            }
        };
        run(simulator, &reference, automaton, picture, seed_of(seed, number), false, watch)?;
        Ok(shown)
    })
}

/// The seed of a picture's random bits.
fn seed_of(seed: u64, number: usize) -> u64 {
    seed.wrapping_shl(32) ^ u64::try_from(number).unwrap_or(u64::MAX)
}
