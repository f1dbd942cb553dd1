//! A lower bound on the number of control words of a program.
//!
//! **Theorem.** A program of words that makes a bag of goals from its inputs has at least `max(h, t, w(s))` words,
//! where
//!
//! - `h` is the largest number of twos, or of threes, in the denominator of a weight of any goal, in lowest terms,
//! - `t` is the number of goals that differ from each other and from every input; one in NEWS always counts,
//! - `s` is the number of pixels of one input channel on which the goals in registers together depend, and `w(s)` is
//!   the least sum of integers of 2 or more whose product is at least `s`.
//!
//! *Proof.* A word divides by one, two or three, so each word adds at most one factor of two or three to a denominator.
//! It writes a single value, possibly to several cells, and every value that is not an input was written by some word;
//! different goals were written by different words. Now consider the pixels of one channel: let `u` be the number of
//! pixels on which all registers together depend, and `n` the number on which NEWS depends. A word that writes NEWS
//! reads only registers, all from one place, so `n` becomes at most `u`. A word that writes registers reads other
//! registers at the same place, which adds nothing to `u`, and NEWS from one place, which adds at most `n`; a word that
//! writes both does not read NEWS, because that is a single cell. So a value that NEWS holds and that is read by `k`
//! words takes `1 + k` words, and with them `u` grows at most by a factor of `1 + k`. At the start `u` is 1, and NEWS
//! is empty. ∎
//!
//! Assumptions: one name of NEWS per word, exact arithmetic, goals as they are after any approximation. The proof does
//! not use the number of sources of a word or the number of registers. A word adds and halves at once, so the parts of
//! the bound cannot be added. The bound is not sharp.

use crate::engine::goals::{GoalId, Goals};
use crate::engine::problem::Problem;
use crate::engine::step::Step;
use crate::engine::terms;

/// A lower bound on the number of words of programs that make the bag. The first goal is the one in NEWS, or none.
///
/// It counts the pixels of each goal separately, which is less work than counting those of all goals together: a search
/// has many bags.
pub(crate) fn lower_bound(problem: &Problem, goals: &Goals, bag: &[GoalId], is_open: impl Fn(usize) -> bool) -> u32 {
    let (mut bound, mut distinct, mut support) = (0, 0, 0);
    for (i, &goal) in bag.iter().enumerate() {
        if i > 0 {
            support = support.max(goals.features(goal).support);
        }
        if goal != Step::NONE && is_open(i) {
            bound = bound.max(divisions(problem, goals, goal));
            let is_repeated = i > 0 && (goal == bag[0] || (i > 1 && goal == bag[i - 1]));
            distinct += u32::from(!is_repeated);
        }
    }
    bound.max(distinct).max(words_for(support as usize))
}

/// The larger of the numbers of twos and of threes in the denominators of a goal's weights.
fn divisions(problem: &Problem, goals: &Goals, goal: GoalId) -> u32 {
    let halvings = problem.scale.saturating_sub(goals.features(goal).valuation);
    let thirds = if problem.thirds > 0 { problem.thirds.saturating_sub(terms::thirds(goals.terms(goal))) } else { 0 };
    // The two may be those of different weights.
    halvings.max(thirds)
}

/// A lower bound on the number of words of programs that leave these goals in registers, by the number of pixels on
/// which they together depend.
pub(crate) fn words_for_pixels(goals: &Goals, registers: &[GoalId]) -> u32 {
    words_for(pixels(goals, registers))
}

/// The number of pixels on which the goals together depend, in the channel where that is largest.
fn pixels(goals: &Goals, registers: &[GoalId]) -> usize {
    let mut keys: Vec<u32> = registers.iter().flat_map(|&goal| goals.terms(goal).iter().map(|term| term.0)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.chunk_by(|a, b| terms::channel(*a) == terms::channel(*b)).map(<[u32]>::len).max().unwrap_or(0)
}

/// The least number of words after which registers can depend on this number of pixels.
///
/// The product of numbers with a given sum is largest if all are threes, except for one or two twos: three words more
/// make three times as many pixels, once there are more than four.
fn words_for(mut pixels: usize) -> u32 {
    let mut words = 0;
    while pixels > 4 {
        pixels = pixels.div_ceil(3);
        words += 3;
    }
    words + [0, 0, 2, 3, 4][pixels]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cain_analysis::prove::{Polynomial, Prover};
    use cain_isa::{Cell, Direction, HostController as _, Reg, Store, Word};

    use super::words_for;

    #[test]
    fn growth() {
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 25].map(words_for), [0, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 9]);
    }

    /// Checks every state that four words reach on a machine of three registers.
    #[test]
    fn no_program_is_below_the_bound() {
        let registers = [Reg::A, Reg::B, Reg::C];
        let words = every_word(&registers);
        let mut states = vec![Prover::new(&registers[..1])];
        let mut seen: HashSet<String> = HashSet::new();
        for length in 1..=4_u32 {
            let mut next = Vec::new();
            for state in &states {
                for &word in &words {
                    let mut after = state.clone();
                    if after.issue(word).is_err() {
                        continue;
                    }
                    let values: Vec<Option<&Polynomial>> = registers.iter().map(|&reg| after.value(reg)).collect();
                    let key = format!("{values:?} {:?}", after.stored(Store::News));
                    if !seen.insert(key) {
                        continue;
                    }
                    let pixels: HashSet<_> =
                        values.iter().flatten().flat_map(|value| value.terms()).map(|(atom, _)| atom).collect();
                    assert!(words_for(pixels.len()) <= length, "{} pixels after {length} words", pixels.len());
                    next.push(after);
                }
            }
            // Those that depend on the most pixels: the others are no danger to the bound.
            next.sort_by_key(|state| {
                let values = registers.iter().filter_map(|&reg| state.value(reg));
                std::cmp::Reverse(
                    values.flat_map(Polynomial::terms).map(|(atom, _)| atom).collect::<HashSet<_>>().len(),
                )
            });
            next.truncate(1_000);
            states = next;
        }
    }

    fn every_word(registers: &[Reg]) -> Vec<Word> {
        let cells: Vec<Cell> = registers
            .iter()
            .map(|&reg| Cell::Reg(reg))
            .chain([Cell::News])
            .chain(Direction::ALL.map(Cell::Port))
            .collect();
        let mut words = Vec::new();
        for destinations in subsets(&cells, Word::MAX_DESTINATIONS) {
            for sources in subsets(&cells, Word::MAX_SOURCES) {
                words.extend(Word::new(&destinations, &sources));
            }
        }
        words
    }

    /// All choices of up to `most` cells.
    fn subsets(cells: &[Cell], most: usize) -> Vec<Vec<Cell>> {
        let mut all = vec![vec![]];
        for &cell in cells {
            let with: Vec<Vec<Cell>> = all
                .iter()
                .filter(|chosen| chosen.len() < most)
                .map(|chosen| [chosen.as_slice(), &[cell]].concat())
                .collect();
            all.extend(with);
        }
        all
    }
}
