//! Changes inputs: their bytes, or the words and lines of texts.

mod bytes;
mod text;

use crate::{Corpus, Dice};

/// The size of the largest input, in bytes.
const MOST_BYTES: usize = 1 << 14;

/// An input of the corpus or a new one, with a few changes to its bytes.
pub(crate) fn of_bytes(dice: &mut Dice, corpus: &Corpus, new: impl FnOnce(&mut Dice) -> Vec<u8>) -> Vec<u8> {
    let mut input = start(dice, corpus, new);
    for _ in 0..changes(dice) {
        bytes::change(dice, &mut input, corpus.inputs());
        input.truncate(MOST_BYTES);
    }
    input
}

/// A text of the corpus or a new one, with a few changes to its words and lines, and at times to its bytes.
///
/// `words` have a meaning in the language of the text.
pub(crate) fn of_text(
    dice: &mut Dice,
    corpus: &Corpus,
    words: &[&str],
    new: impl FnOnce(&mut Dice) -> String,
) -> Vec<u8> {
    let mut input = start(dice, corpus, |dice| new(dice).into_bytes());
    for _ in 0..changes(dice) {
        if dice.once_in(8) {
            bytes::change(dice, &mut input, corpus.inputs());
        } else {
            let text = String::from_utf8_lossy(&input);
            input = text::change(dice, &text, words, corpus.inputs()).into_bytes();
        }
        input.truncate(MOST_BYTES);
    }
    input
}

fn start(dice: &mut Dice, corpus: &Corpus, new: impl FnOnce(&mut Dice) -> Vec<u8>) -> Vec<u8> {
    if corpus.inputs().is_empty() || dice.once_in(2) { new(dice) } else { dice.one_of(corpus.inputs()).clone() }
}

/// The number of changes to make: often none or one, seldom many.
fn changes(dice: &mut Dice) -> usize {
    dice.pick(&[0, 0, 0, 1, 1, 1, 2, 2, 3, 5, 12])
}
