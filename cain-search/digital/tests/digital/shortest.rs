//! Compares adders and subtractors of one bit, and adders of three bits, with all possible programs.
//!
//! All words that read registers of the same PE are tried: OR and NOR of up to four sources, constants, into registers,
//! into `R0`, and into `R12`, which only changes where `R0` is 1. Words that read neighbours give constants, or values
//! that depend on neighbours. There are always more registers than so few words write.
//!
//! The bound for three bits implies one for sums of two bits, `a1 a0 + b1 b0`. Where `a0` and `b0` are equal, a program
//! for them adds `a1`, `b1` and `a0`, and the word that writes the low bit of the sum gives 0. So it can be omitted:
//! its readers read nothing, and if it closes `R12`, nothing is written there later. Hence at least 9 words are needed;
//! 12 are known.

use std::collections::HashSet;

use cain_analysis::prove::Polynomial;
use cain_digital::search;

use crate::common::{declaration, kernel};

/// The values of a bit for the eight values of three others.
type Table = u8;

const FIRST: Table = 0b1010_1010;
const SECOND: Table = 0b1100_1100;
const THIRD: Table = 0b1111_0000;
const ONE: Table = 0b1111_1111;

/// A set of tables, with a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Tables([u64; 4]);

impl Tables {
    fn of(tables: impl IntoIterator<Item = Table>) -> Self {
        let mut set = Self::default();
        tables.into_iter().for_each(|table| set.insert(table));
        set
    }

    fn insert(&mut self, table: Table) {
        self.0[usize::from(table / 64)] |= 1 << (table % 64);
    }

    fn contains(self, table: Table) -> bool {
        self.0[usize::from(table / 64)] >> (table % 64) & 1 == 1
    }

    fn iter(self) -> impl Iterator<Item = Table> {
        [0, 64, 128, 192].into_iter().zip(self.0).flat_map(|(first, mut rest)| {
            std::iter::from_fn(move || {
                let place = u8::try_from(rest.trailing_zeros()).ok().filter(|_| rest != 0)?;
                rest &= rest - 1;
                Some(first + place)
            })
        })
    }
}

/// A function with its inputs permuted.
fn renamed(table: Table, places: [usize; 3]) -> Table {
    let value = |case: usize| (0..3).map(|input| (case >> input & 1) << places[input]).sum::<usize>();
    (0..8).map(|case| (table >> value(case) & 1) << case).sum()
}

/// The contents of registers; those of `R0` and `R12` may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    /// The contents of the other registers.
    held: Tables,
    gate: Option<Table>,
    gated: Option<Table>,
}

impl State {
    fn start(inputs: &[Table]) -> Self {
        Self { held: Tables::of(inputs.iter().copied()), gate: None, gated: None }
    }

    fn holds(self, table: Table) -> bool {
        self.held.contains(table) || self.gate == Some(table) || self.gated == Some(table)
    }

    /// All results that a word can write.
    fn results(self) -> Tables {
        let mut sources = self.held;
        self.gate.into_iter().chain(self.gated).for_each(|table| sources.insert(table));
        let sources: Vec<Table> = sources.iter().collect();
        let mut results = Tables::of([0, ONE]);
        for (i, first) in sources.iter().enumerate() {
            let mut add = |sum: Table| {
                results.insert(sum);
                results.insert(ONE ^ sum);
            };
            add(*first);
            for (j, second) in sources[..i].iter().enumerate() {
                add(first | second);
                for (k, third) in sources[..j].iter().enumerate() {
                    add(first | second | third);
                    sources[..k].iter().for_each(|fourth| add(first | second | third | fourth));
                }
            }
        }
        results
    }

    /// The content of `R12` after a word writes a result there, if it is known.
    fn gated(self, result: Table) -> Option<Table> {
        match (self.gate, self.gated) {
            (Some(ONE), _) => Some(result),
            (Some(gate), Some(before)) => Some(gate & result | !gate & before),
            _ => None,
        }
    }

    /// Whether `R12` holds the value of a function where it does not change.
    fn can_gate(self, table: Table) -> bool {
        matches!((self.gate, self.gated), (Some(gate), Some(before)) if gate != ONE && (table ^ before) & !gate == 0)
    }

    /// All states that can follow after one word.
    fn after_a_word(self) -> impl Iterator<Item = Self> {
        self.results().iter().flat_map(move |result| {
            let mut held = self.held;
            held.insert(result);
            let gated = self.gated(result).map(|gated| Self { gated: Some(gated), ..self });
            [Some(Self { held, ..self }), Some(Self { gate: Some(result), ..self }), gated]
                .into_iter()
                .flatten()
                .filter(move |next| *next != self)
        })
    }

    /// The state with its inputs renamed.
    fn renamed(self, renamings: &[[usize; 3]]) -> impl Iterator<Item = Self> {
        renamings.iter().map(move |&renaming| {
            let rename = |table| renamed(table, renaming);
            let held = Tables::of(self.held.iter().map(rename));
            Self { held, gate: self.gate.map(rename), gated: self.gated.map(rename) }
        })
    }

    /// The functions that registers can hold after one more word.
    fn within_a_word(self) -> impl Fn(Table) -> bool {
        let results = self.results();
        move |table| {
            let is_gated = || results.iter().any(|result| self.gated(result) == Some(table));
            self.holds(table) || results.contains(table) || (self.can_gate(table) && is_gated())
        }
    }

    /// Whether two more words can make both of two functions: each missing function takes one.
    fn leads_to(self, wanted: [Table; 2]) -> bool {
        let is_ready = |state: Self| {
            wanted.iter().any(|&table| state.holds(table)) && {
                let can_hold = state.within_a_word();
                wanted.iter().all(|&table| can_hold(table))
            }
        };
        let can_hold = self.within_a_word();
        wanted.iter().any(|&table| can_hold(table)) && (is_ready(self) || self.after_a_word().any(is_ready))
    }
}

/// The fewest words, three or more, after which registers hold two functions, or `most` if that many or more are
/// needed. `renamings` of the inputs change neither the given nor the wanted functions.
fn fewest_words(inputs: &[Table], wanted: [Table; 2], renamings: &[[usize; 3]], most: usize) -> usize {
    let mut newest = vec![State::start(inputs)];
    for words in 3..most {
        if newest.iter().flat_map(|state| state.after_a_word()).any(|state| state.leads_to(wanted)) {
            return words;
        }
        let next = newest.iter().flat_map(|state| state.after_a_word());
        let next: HashSet<State> = next.filter_map(|state| state.renamed(renamings).min()).collect();
        newest = next.into_iter().collect();
    }
    most
}

#[test]
fn one_bit_takes_the_fewest_words() {
    let odd = FIRST ^ SECOND;
    for (second, carried, fewest) in [(1, FIRST & SECOND, 5), (-1, !FIRST & SECOND, 4)] {
        assert_eq!(fewest_words(&[FIRST, SECOND], [odd, carried], &[[0, 1, 2]], 6), fewest);
        let sum: Polynomial = kernel(&[&[&[1]], &[&[second]]]);
        let solution = search(&declaration(&[(1, false), (1, false)], &[sum])).unwrap();
        assert_eq!(solution.program.program().words(), fewest);
    }
}

#[test]
fn three_bits_take_the_fewest_words() {
    let odd = FIRST ^ SECOND ^ THIRD;
    let carried = FIRST & SECOND | FIRST & THIRD | SECOND & THIRD;
    let renamings = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    assert_eq!(fewest_words(&[FIRST, SECOND, THIRD], [odd, carried], &renamings, 8), 8);
    let sum = kernel(&[&[&[1]], &[&[1]], &[&[1]]]);
    let solution = search(&declaration(&[(1, false); 3], &[sum])).unwrap();
    assert_eq!(solution.program.program().words(), 8);
}
