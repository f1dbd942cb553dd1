//! Cells of a program that are free to hold the offset error.

use cain_isa::{Cell, Store, Word};

use crate::Declaration;

/// A cell that is free for a while: the error may be put there before the first word and used by all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Supply {
    pub(super) cell: Cell,
    /// The words that may use it, by number, in order.
    pub(super) users: Vec<usize>,
    /// From where on it is free.
    pub(super) from: usize,
}

/// The word with further sources; `None` if the bus does not take them.
pub(super) fn with_sources(word: &Word, further: &[Cell]) -> Option<Word> {
    Word::new(word.destinations(), &[word.sources(), further].concat()).ok()
}

/// The cells that are free at words with room for one more source.
pub(super) fn supplies(declaration: &Declaration, words: &[Word]) -> Vec<Supply> {
    let registers = declaration.writable().into_iter().map(|reg| (Cell::Reg(reg), Store::Reg(reg)));
    let mut supplies = Vec::new();
    for (cell, store) in registers.chain([(Cell::News, Store::News)]) {
        let is_live = live(declaration, words, store);
        let mut run = Supply { cell, users: Vec::new(), from: 0 };
        for (i, word) in words.iter().enumerate() {
            if is_live[i] {
                supplies.push(std::mem::replace(&mut run, Supply { cell, users: Vec::new(), from: i + 1 }));
                continue;
            }
            if with_sources(word, &[cell]).is_some() {
                run.users.push(i);
            }
            if word.transfers().any(|transfer| transfer.store == store) {
                supplies.push(std::mem::replace(&mut run, Supply { cell, users: Vec::new(), from: i + 1 }));
            }
        }
        supplies.push(run);
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

/// Whether a cell holds something that is read later, before each word.
fn live(declaration: &Declaration, words: &[Word], store: Store) -> Vec<bool> {
    let mut is_live = declaration.outputs.iter().any(|output| Store::Reg(output.reg) == store);
    let mut before: Vec<bool> = words
        .iter()
        .rev()
        .map(|word| {
            is_live &= word.transfers().all(|transfer| transfer.store != store);
            is_live |= word.transfers().any(|transfer| transfer.terms().iter().any(|(source, _)| *source == store));
            is_live
        })
        .collect();
    before.reverse();
    before
}
