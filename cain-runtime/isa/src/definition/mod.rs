//! The macro instructions of the vendor library, each defined once by its expansion.

#[macro_use]
mod notation;
mod table;

pub use table::Op;
pub(crate) use table::{analogue, arithmetic, digital};

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::OperandKind;
use crate::template::{Slot, Template};

/// A macro instruction: name, operands and expansion.
///
/// Instructions refer to theirs, so that a firmware holds those that its programs use, and no others.
pub(crate) struct Definition {
    /// The instruction that is defined.
    pub(crate) op: Op,
    /// The name in listings; several instructions may share a name and differ in their number of operands.
    pub(crate) name: &'static str,
    /// The kind of each operand, in the order of the listing.
    pub(crate) operands: &'static [OperandKind],
    /// The words of the expansion.
    pub(crate) words: &'static [Template],
    /// The words of each further round, for macros with an operand that repeats them.
    pub(crate) again: &'static [Template],
}

impl Definition {
    /// The number of words in the definition, each counted once however often it is repeated.
    pub(crate) const fn distinct_words(&self) -> usize {
        self.words.len() + self.again.len()
    }

    /// The i-th of these words.
    pub(crate) const fn distinct_word(&self, i: usize) -> &'static Template {
        if i < self.words.len() { &self.words[i] } else { &self.again[i - self.words.len()] }
    }

    /// Whether the expansion itself uses `R0`, which decides where `R12` can be written.
    pub(crate) const fn uses_r0(&self) -> bool {
        let mut i = 0;
        while i < self.distinct_words() {
            if matches!(self.distinct_word(i).destinations, [Slot::Dreg(0)]) {
                return true;
            }
            i += 1;
        }
        false
    }
}

// There is one definition of each instruction.
impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        self.op == other.op
    }
}

impl Eq for Definition {}

impl Hash for Definition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.op.hash(state);
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.op.fmt(f)
    }
}
