//! Adders and subtractors of one bit, compared with all programs there are.
//!
//! All words that read registers of the same PE are tried: OR and NOR of up to four sources, constants, into registers, into
//! `R0`, and into `R12`, which only changes where `R0` is 1. Words that read neighbours give constants, or what depends on
//! neighbours. There are always more registers than so few words write.

use std::collections::BTreeSet;

use cain_isa::prove::Polynomial;
use cain_search::digital::search;

use crate::common::{declaration, kernel};

/// What a bit is for the four values of two others.
type Table = u8;

const FIRST: Table = 0b1010;
const SECOND: Table = 0b1100;
const ONE: Table = 0b1111;

/// What is in registers; `R0` and `R12` may hold something that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// A bit for each table that some other register holds.
    held: u16,
    gate: Option<Table>,
    gated: Option<Table>,
}

impl State {
    fn holds(self, table: Table) -> bool {
        self.held >> table & 1 == 1 || self.gate == Some(table) || self.gated == Some(table)
    }

    /// All that one word can make of it.
    fn after_a_word(self) -> impl Iterator<Item = Self> {
        let sources: Vec<Table> = (0..=ONE).filter(|&table| self.holds(table)).collect();
        let mut sums = BTreeSet::from([0]);
        for _ in 0..4 {
            let more = sums.iter().flat_map(|sum| sources.iter().map(move |source| sum | source));
            sums = more.chain(sums.iter().copied()).collect();
        }
        sums.into_iter().flat_map(|sum| [sum, ONE ^ sum]).flat_map(move |result| {
            let gated = match (self.gate, self.gated) {
                (Some(ONE), _) => Some(result),
                (Some(gate), Some(before)) => Some(gate & result | !gate & before),
                _ => None,
            };
            let kept = Self { held: self.held | 1 << result, ..self };
            [kept, Self { gate: Some(result), ..self }, Self { gated, ..self }]
        })
    }
}

/// The fewest words after which two functions are in registers.
fn fewest_words(start: State, wanted: [Table; 2]) -> usize {
    let mut seen = BTreeSet::from([start]);
    let mut newest = vec![start];
    for words in 0.. {
        if newest.iter().any(|state| wanted.iter().all(|&table| state.holds(table))) {
            return words;
        }
        newest = newest.into_iter().flat_map(State::after_a_word).filter(|state| seen.insert(*state)).collect();
    }
    unreachable!("every function can be made")
}

#[test]
fn one_bit_takes_the_fewest_words() {
    let start = State { held: 1 << FIRST | 1 << SECOND, gate: None, gated: None };
    let odd = FIRST ^ SECOND;
    for (second, carried, fewest) in [(1, FIRST & SECOND, 5), (-1, !FIRST & SECOND, 4)] {
        assert_eq!(fewest_words(start, [odd, carried & ONE]), fewest);
        let sum: Polynomial = kernel(&[&[&[1]], &[&[second]]]);
        let solution = search(&declaration(&[(1, false), (1, false)], &[sum])).unwrap();
        assert_eq!(solution.program.program().words(), fewest);
    }
}
