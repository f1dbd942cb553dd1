//! Finds the shortest words for small Boolean functions by exhaustive search.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use cain_isa::Logic;

use crate::effort::Effort;

/// The values of a function for all assignments of up to six bits.
pub(super) type Table = u64;

/// The most bits that a function may depend on.
pub(super) const MOST_BITS: usize = 6;

/// An operand of words: a function, and the number of registers whose OR it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Signal {
    pub(super) table: Table,
    pub(super) registers: usize,
}

/// A word: the OR or NOR of signals; the results of earlier words follow the given signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The signals, as the bits of a set.
    pub(super) sources: u32,
    pub(super) inverted: bool,
}

/// The given signals, the wanted function, and the assignments for which it matters.
type Task = (Vec<Signal>, Table, Table);

/// The sequences found so far.
#[derive(Debug, Default)]
pub(crate) struct Sequences {
    known: HashMap<Task, Option<Vec<Step>>, FxBuildHasher>,
}

/// The most words in a sequence.
const MOST_WORDS: usize = 8;
/// The most words that a search looks at.
const EFFORT: u32 = 400_000;
/// The most signals that a search may begin with.
const MOST_SIGNALS: usize = 16;

impl Sequences {
    /// The fewest words whose last result is the wanted function wherever that matters; `None` if the search takes too
    /// long.
    pub(super) fn find(
        &mut self,
        signals: &[Signal],
        wanted: Table,
        care: Table,
        effort: &mut Effort<'_>,
    ) -> Option<Vec<Step>> {
        if signals.len() > MOST_SIGNALS {
            return None;
        }
        let key = (signals.to_vec(), wanted & care, care);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if !effort.may_step() {
            return None;
        }
        let (found, steps) = search(signals, wanted & care, care, EFFORT);
        effort.step(steps);
        self.known.insert(key, found.clone());
        found
    }
}

/// The sequence found, and the number of words and sets of signals that were looked at.
fn search(signals: &[Signal], wanted: Table, care: Table, effort: u32) -> (Option<Vec<Step>>, u64) {
    let signals: Vec<Signal> = signals.iter().map(|signal| Signal { table: signal.table & care, ..*signal }).collect();
    let given = signals.len();
    let mut search = Search {
        given,
        signals,
        steps: Vec::new(),
        wanted,
        care,
        effort,
        sets: 0,
        level: Vec::new(),
        next: Vec::new(),
    };
    let found = (1..=MOST_WORDS).find_map(|words| search.within(words).then(|| search.steps.clone()));
    (found, u64::from(effort - search.effort) + search.sets)
}

struct Search {
    given: usize,
    signals: Vec<Signal>,
    steps: Vec<Step>,
    wanted: Table,
    care: Table,
    effort: u32,
    /// The number of sets of signals that were looked at for a last word.
    sets: u64,
    /// Sets of as many signals, and those with one more.
    level: Vec<Set>,
    next: Vec<Set>,
}

/// A set of signals for a last word.
#[derive(Clone, Copy)]
struct Set {
    /// The signals, as bits.
    sources: u32,
    /// Their OR.
    or: Table,
    /// The registers that a word reads for it.
    registers: usize,
}

impl Set {
    const NONE: Self = Self { sources: 0, or: 0, registers: 0 };

    fn with(self, index: usize, signal: Signal) -> Self {
        let Signal { table, registers } = signal;
        Self { sources: self.sources | 1 << index, or: self.or | table, registers: self.registers + registers }
    }
}

impl Search {
    /// Whether `words` further words are enough; if so, the steps are complete.
    fn within(&mut self, words: usize) -> bool {
        if words == 1 {
            return self.last();
        }
        // Each word can combine at most four unread results into one.
        if self.unread().count_ones() as usize > words * (Logic::MAX_OPERANDS - 1) + 1 {
            return false;
        }
        self.extend(0, 0, 0, 0, words)
    }

    /// The results of earlier words that no word reads yet.
    fn unread(&self) -> u32 {
        let read = self.steps.iter().fold(0, |read, step| read | step.sources);
        let made = (1 << self.signals.len()) - (1 << self.given);
        made & !read
    }

    /// Tries all sets of sources that begin with the chosen ones.
    fn extend(&mut self, from: usize, sources: u32, registers: usize, or: Table, words: usize) -> bool {
        for signal in from..self.signals.len() {
            let Signal { table, registers: more } = self.signals[signal];
            if registers + more > Logic::MAX_OPERANDS || table & !or == 0 {
                continue;
            }
            let (sources, or) = (sources | 1 << signal, or | table);
            if self.add(sources, or, words) || self.extend(signal + 1, sources, registers + more, or, words) {
                return true;
            }
        }
        false
    }

    /// Tries the two words with these sources, and all continuations.
    fn add(&mut self, sources: u32, or: Table, words: usize) -> bool {
        for inverted in [true, false] {
            let Some(effort) = self.effort.checked_sub(1) else { return false };
            self.effort = effort;
            let table = if inverted { self.care & !or } else { or };
            let is_of_use = table != 0 && table != self.care && self.signals.iter().all(|known| known.table != table);
            if !is_of_use || !self.is_in_order(sources, inverted) {
                continue;
            }
            self.steps.push(Step { sources, inverted });
            self.signals.push(Signal { table, registers: 1 });
            if self.within(words - 1) {
                return true;
            }
            self.steps.pop();
            self.signals.pop();
        }
        false
    }

    /// Whether a word reads the last result or comes after that word in a fixed order: for words that could be
    /// exchanged, only one order is tried.
    fn is_in_order(&self, sources: u32, inverted: bool) -> bool {
        self.steps.last().is_none_or(|last| {
            sources >> (self.signals.len() - 1) & 1 == 1 || (sources, inverted) > (last.sources, last.inverted)
        })
    }

    /// Whether one further word makes the function.
    fn last(&mut self) -> bool {
        let unread = self.unread();
        for inverted in [true, false] {
            let wanted = if inverted { self.care & !self.wanted } else { self.wanted };
            let inside = |signal: &usize| self.signals[*signal].table & !wanted == 0;
            let parts = (0..self.signals.len()).filter(inside).fold(0, |parts, signal| parts | 1 << signal);
            if unread & !parts != 0 {
                continue;
            }
            if let Some(sources) = self.cover(parts, wanted, unread) {
                self.steps.push(Step { sources, inverted });
                return true;
            }
        }
        false
    }

    /// Finds signals among `parts`, including all of `must`, whose OR is a function.
    fn cover(&mut self, parts: u32, wanted: Table, must: u32) -> Option<u32> {
        let Self { signals, level, next, sets, .. } = self;
        level.clear();
        level.push(members(must).fold(Set::NONE, |set, index| set.with(index, signals[index])));
        for _ in 0..=Logic::MAX_OPERANDS {
            *sets += level.len() as u64;
            level.retain(|set| set.registers <= Logic::MAX_OPERANDS);
            if let Some(found) = level.iter().find(|set| set.sources != 0 && set.or == wanted) {
                return Some(found.sources);
            }
            // A further part must provide the first value that is still missing.
            next.clear();
            for set in &*level {
                let missing = wanted & !set.or;
                let first = missing & missing.wrapping_neg();
                let providers = members(parts).filter(|&part| signals[part].table & first != 0);
                next.extend(providers.map(|part| set.with(part, signals[part])));
            }
            std::mem::swap(level, next);
        }
        None
    }
}

/// The members of a set, from the least.
fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let least = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        least
    })
}

#[cfg(test)]
mod tests {
    use super::{Signal, Step, Table, search};

    /// The search with an effort that suffices for all functions of three bits; searches in a build get less, and fall
    /// back on other ways when it is used up.
    fn find(signals: &[Signal], wanted: Table, care: Table) -> Option<Vec<Step>> {
        search(signals, wanted, care, 100_000_000).0
    }

    /// The tables of the bits themselves.
    fn bits(count: usize) -> Vec<Signal> {
        let table =
            |bit: usize| (0..1 << count).filter(|value| value >> bit & 1 == 1).fold(0, |table, i| table | 1 << i);
        (0..count).map(|bit| Signal { table: table(bit), registers: 1 }).collect()
    }

    fn words(count: usize, wanted: Table) -> usize {
        let care = if count == 6 { Table::MAX } else { (1 << (1 << count)) - 1 };
        find(&bits(count), wanted, care).unwrap().len()
    }

    /// The known lengths come from a search over sets of functions, without restrictions on registers.
    #[test]
    fn known_lengths() {
        assert_eq!(words(2, 0b1000), 3, "AND");
        assert_eq!(words(2, 0b0110), 4, "XOR");
        assert_eq!(words(2, 0b1001), 4, "XNOR");
        assert_eq!(words(2, 0b0010), 2, "a and not b");
        assert_eq!(words(3, 0b1110_1000), 4, "majority");
        assert_eq!(words(3, 0b1100_1010), 4, "choice");
        assert_eq!(words(3, 0b1001_0110), 7, "parity");
        assert_eq!(words(4, 0x8000), 5, "AND of four");
        assert_eq!(words(4, 0xfffe), 1, "OR of four");
    }

    #[test]
    fn all_functions_of_three_bits() {
        let signals = bits(3);
        for wanted in 1..255 {
            let steps = find(&signals, wanted, 255).unwrap();
            let mut tables: Vec<Table> = signals.iter().map(|signal| signal.table).collect();
            for step in &steps {
                let sources = (0..tables.len()).filter(|source| step.sources >> source & 1 == 1);
                let or = sources.fold(0, |or, source| or | tables[source]);
                tables.push(if step.inverted { 255 & !or } else { or });
            }
            assert_eq!(tables.last(), Some(&wanted));
            assert!(steps.len() <= 7, "{wanted:08b}: {steps:?}");
        }
    }
}
