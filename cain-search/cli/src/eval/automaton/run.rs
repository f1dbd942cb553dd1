//! Runs automata and counts the answers of their cells, step by step.

use std::time::{Duration, Instant};

use cain_network::automaton::{Automaton, Cells, Noise, Reference, Saturated};

use super::simulate::Simulator;
use crate::share::share;

/// The steps after which answers are counted.
pub(super) const AT: [usize; 4] = [20, 50, 100, 200];
/// The number of steps after which a moving picture moves by a pixel: east, south, west, north, and again.
pub(super) const STEPS_PER_PIXEL: usize = 10;

/// The answers for one picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    /// At each moment, the share of living cells that are right, and whether all give the same answer.
    pub(super) at: Vec<(f64, bool)>,
    /// Whether the programs computed the state of the reference in every step.
    pub(super) same: bool,
    pub(super) saturated: Saturated,
    /// The number of cells that were updated, over all steps.
    pub(super) updated: u64,
    /// The time that the programs took to run.
    pub(super) time: Duration,
}

/// Shows a picture to an automaton for as many steps as are counted, moving or not; `watch` sees the cells after each
/// step.
pub(super) fn run(
    simulator: &Simulator<'_>,
    reference: &Reference<'_>,
    automaton: &Automaton,
    (picture, label): (&[u8], usize),
    seed: u64,
    is_moving: bool,
    mut watch: impl FnMut(usize, &Cells),
) -> Result<Answers, String> {
    let mut noise = Noise::new(seed, automaton.size);
    let mut cells = Cells::new(automaton, picture);
    let mut answers = Answers { same: true, ..Answers::default() };
    watch(0, &cells);
    for step in 1..=AT.into_iter().max().unwrap_or(0) {
        if is_moving && step.is_multiple_of(STEPS_PER_PIXEL) {
            cells.show(automaton, &moved(picture, automaton.size.1, place(step / STEPS_PER_PIXEL)));
        }
        noise.step();
        let mut expected = cells.clone();
        answers.saturated.add(reference.step(&mut expected, noise.bits()));
        let start = Instant::now();
        simulator.step(&mut cells, noise.bits())?;
        answers.time += start.elapsed();
        answers.same &= cells == expected;
        let updated =
            noise.bits().iter().enumerate().filter(|(cell, chosen)| **chosen && cells.is_alive(*cell)).count();
        answers.updated += u64::try_from(updated).unwrap_or(u64::MAX);
        if AT.contains(&step) {
            answers.at.push(rates(automaton, &cells, label));
        }
        watch(step, &cells);
    }
    Ok(answers)
}

/// The share of living cells that are right, and whether all give the same answer. In a picture without living cells,
/// the share is that of none.
fn rates(automaton: &Automaton, cells: &Cells, label: usize) -> (f64, bool) {
    let (height, width) = cells.size();
    let alive = (0..height * width).filter(|cell| cells.is_alive(*cell));
    let classes: Vec<usize> = alive.map(|cell| cells.class(automaton, cell)).collect();
    let right = classes.iter().filter(|class| **class == label).count();
    let agree = classes.iter().all(|class| Some(class) == classes.first());
    (share(right, classes.len()), agree && !classes.is_empty())
}

/// How far a picture has moved, to the south and to the east.
fn place(moves: usize) -> (usize, usize) {
    match moves % 4 {
        0 => (0, 0),
        1 => (0, 1),
        2 => (1, 1),
        _ => (1, 0),
    }
}

/// A picture, moved to the south and east; what comes in is black.
fn moved(picture: &[u8], width: usize, (south, east): (usize, usize)) -> Vec<u8> {
    let at = |place: usize| {
        let (row, column) = ((place / width).checked_sub(south)?, (place % width).checked_sub(east)?);
        picture.get(row * width + column).copied()
    };
    (0..picture.len()).map(|place| at(place).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn pictures_move_to_the_south_and_east() {
        assert_eq!(moved(&[1, 2, 3, 4, 5, 6], 3, (1, 1)), [0, 0, 0, 0, 1, 2]);
        assert_eq!(moved(&[1, 2, 3, 4, 5, 6], 3, (0, 0)), [1, 2, 3, 4, 5, 6]);
    }
}
