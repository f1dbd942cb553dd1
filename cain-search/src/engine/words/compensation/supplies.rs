//! Cells of a program that are free to hold the offset error.

use cain_isa::{Cell, Store, Word};

use super::effects::Effects;
use crate::Declaration;

/// A cell that is free for a while: the error may be put there before the first word and used by all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Supply {
    pub(super) cell: Cell,
    /// The words that may use it, by number, in order.
    pub(super) users: Vec<usize>,
    /// Before which words it is free: from the first one of them to the last.
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The word with further sources; `None` if the bus does not take them.
pub(super) fn with_sources(word: &Word, further: &[Cell]) -> Option<Word> {
    Word::new(word.destinations(), &[word.sources(), further].concat()).ok()
}

/// The cells that a program may write.
pub(super) fn writable(declaration: &Declaration) -> impl Iterator<Item = (Cell, Store)> {
    let registers = declaration.writable().into_iter().map(|reg| (Cell::Reg(reg), Store::Reg(reg)));
    registers.chain([(Cell::News, Store::News)])
}

/// The cells that are free at words with room for one more source.
pub(super) fn supplies(declaration: &Declaration, effects: &Effects, words: &[Word]) -> Vec<Supply> {
    let mut supplies = Vec::new();
    for (cell, store) in writable(declaration) {
        let mut from = None;
        for at in 0..=words.len() {
            let is_free = !effects.of_cell[at].contains_key(&store);
            if is_free && from.is_none() {
                from = Some(at);
            }
            let is_written = words.get(at).is_none_or(|word| word.transfers().any(|to| to.store == store));
            if let Some(from) = from.take_if(|_| is_written || !is_free) {
                let to = if is_free { at } else { at - 1 };
                let users =
                    (from..=to).filter(|&i| words.get(i).is_some_and(|word| with_sources(word, &[cell]).is_some()));
                supplies.push(Supply { cell, users: users.collect(), from, to });
            }
        }
    }
    supplies.retain(|supply| !supply.users.is_empty());
    // Those with most users first. Registers that are free for the same words are all alike, but a word may use
    // several.
    supplies.sort_by_key(|supply| std::cmp::Reverse(supply.users.len()));
    let mut kept: Vec<Supply> = Vec::new();
    for supply in supplies {
        let is_alike = |other: &&Supply| other.users == supply.users && other.from == supply.from;
        if kept.iter().filter(is_alike).count() < Word::MAX_DESTINATIONS {
            kept.push(supply);
        }
    }
    kept
}
