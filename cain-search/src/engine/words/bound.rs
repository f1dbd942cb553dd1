//! A number of control words below which no program exists.
//!
//! **Theorem.** A program of words that makes a bag of goals from its inputs has at least `max(h, t, w(s))` words,
//! where
//!
//! - `h` is the largest number of twos, or of threes, in the denominator of a weight of any goal, in lowest terms,
//! - `t` is the number of goals that differ from each other and from every input, and the one in NEWS, if any, counts,
//! - `s` is the number of pixels of one input channel on which the goals in registers depend together, and `w(s)` the
//!   least sum of numbers from 2 on whose product is at least `s`.
//!
//! *Proof.* A word divides by one, two or three, so that each adds at most one two or three to a denominator. It writes
//! one value, be it to several cells, and what is no input was written by some word; goals that differ were written by
//! different ones. Now follow the pixels of one channel: let `u` be the number of those on which all registers together
//! depend, and `n` those of NEWS. A word that writes NEWS reads registers only, all from one place, so that `n` becomes
//! at most `u`. A word that writes registers reads what others hold at the same place, which adds nothing to `u`, and
//! NEWS from one place, which adds at most `n`; a word that writes both reads no NEWS, because that is one cell. So
//! with each value that NEWS holds in turn, `k` words that read it, and the one that wrote it, `u` grows at most `1 +
//! k` times. At the start it is 1, and NEWS is empty. ∎
//!
//! Assumptions: one name of NEWS per word, exact arithmetic, goals after any approximation. How many sources a word
//! takes, and how many registers there are, is not used. A word adds and halves at once, so that the parts cannot be
//! added up. The bound is not sharp.

use crate::engine::goals::{GoalId, Goals};
use crate::engine::problem::Problem;
use crate::engine::step::Step;
use crate::engine::terms;

/// No program makes the bag with fewer words. The first goal is the one in NEWS, or none.
///
/// Of the pixels it takes those of one goal, which is less work for the many bags of a search than those of all
/// together.
pub(crate) fn lower_bound(problem: &Problem, goals: &Goals, bag: &[GoalId], is_open: impl Fn(usize) -> bool) -> u32 {
    let open = || (0..bag.len()).filter(|&i| bag[i] != Step::NONE && is_open(i));
    let divisions = open().map(|i| divisions(problem, goals, bag[i])).max().unwrap_or(0);
    let distinct = open().filter(|&i| i < 2 || bag[i - 1] != bag[i]).filter(|&i| i == 0 || bag[i] != bag[0]).count();
    let growth = words_for(bag[1..].iter().map(|&goal| goals.features(goal).support as usize).max().unwrap_or(0));
    divisions.max(u32::try_from(distinct).unwrap_or(u32::MAX)).max(growth)
}

/// How many twos and threes are in the denominator of a weight.
fn divisions(problem: &Problem, goals: &Goals, goal: GoalId) -> u32 {
    let halvings = problem.scale.saturating_sub(goals.features(goal).valuation);
    let thirds = if problem.thirds > 0 { problem.thirds.saturating_sub(terms::thirds(goals.terms(goal))) } else { 0 };
    // Each may be that of another weight.
    halvings.max(thirds)
}

/// A number of words below which no program leaves these goals in registers: what their pixels take together.
pub(crate) fn words_for_pixels(goals: &Goals, registers: &[GoalId]) -> u32 {
    words_for(pixels(goals, registers))
}

/// The most pixels of one channel on which the goals depend together.
fn pixels(goals: &Goals, registers: &[GoalId]) -> usize {
    let mut keys: Vec<u32> = registers.iter().flat_map(|&goal| goals.terms(goal).iter().map(|term| term.0)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.chunk_by(|a, b| terms::channel(*a) == terms::channel(*b)).map(<[u32]>::len).max().unwrap_or(0)
}

/// The least number of words after which registers can depend on this number of pixels.
fn words_for(pixels: usize) -> u32 {
    // The product of numbers with a given sum is largest if they are threes, but for one or two twos.
    let most = |words: u32| match words {
        0 | 1 => 1,
        _ => match words % 3 {
            0 => 3_usize.saturating_pow(words / 3),
            1 => 3_usize.saturating_pow(words / 3 - 1).saturating_mul(4),
            _ => 3_usize.saturating_pow(words / 3).saturating_mul(2),
        },
    };
    // Twos alone double with two words.
    (0..=2 * usize::BITS).find(|&words| most(words) >= pixels).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cain_isa::prove::{Polynomial, Prover};
    use cain_isa::{Cell, Direction, HostController as _, Reg, Word};

    use super::words_for;

    #[test]
    fn growth() {
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 25].map(words_for), [0, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 9]);
    }

    /// Every state of a machine of three registers that four words reach.
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
                    let key = format!("{values:?} {:?}", after.news());
                    if !seen.insert(key) {
                        continue;
                    }
                    let pixels: HashSet<_> =
                        values.iter().flatten().flat_map(|value| value.terms()).map(|(atom, _)| atom).collect();
                    assert!(words_for(pixels.len()) <= length, "{} pixels after {length} words", pixels.len());
                    next.push(after);
                }
            }
            // Those that depend on most pixels: the others are no danger to the bound.
            next.sort_by_key(|state| {
                let values = registers.iter().filter_map(|&reg| state.value(reg));
                std::cmp::Reverse(
                    values.flat_map(Polynomial::terms).map(|(atom, _)| atom).collect::<HashSet<_>>().len(),
                )
            });
            next.truncate(3_000);
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

    /// Every choice of up to `most` cells.
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
