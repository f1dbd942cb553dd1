//! The macro instructions of the vendor library, each defined once by its expansion.

#[macro_use]
mod notation;
mod table;

pub use table::Op;
pub(crate) use table::{analogue, arithmetic, digital};

use crate::template::{Slot, Template};

/// A macro instruction: name, operands and expansion.
pub(crate) struct Definition {
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

/// The kind of an operand of a macro instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// An analogue register that receives a result.
    Result,
    /// An analogue register that is read.
    Source,
    /// An analogue register that is read and then receives a result.
    Both,
    /// A direction.
    Direction,
    /// A digital register that receives a result.
    BitResult,
    /// A bit that is read: a digital register, `FLAG`, `SELECT` or `RECT`.
    BitSource,
    /// A digital register that is read and then receives a result.
    BitBoth,
    /// A set of directions.
    Directions,
    /// The bit that PEs outside the array hold, 0 or 1.
    Boundary,
    /// How often the instruction is repeated, 1 to 255.
    Times,
}

impl OperandKind {
    /// What an operand of this kind must be, for messages.
    pub(crate) const fn wanted(self) -> &'static str {
        match self {
            Self::Result | Self::Source | Self::Both => "an analogue register",
            Self::Direction => "a direction (`north`, `east`, `south` or `west`)",
            Self::BitResult | Self::BitBoth => "a digital register (`R0` to `R12`)",
            Self::BitSource => "a digital register (`R0` to `R12`), `FLAG`, `SELECT` or `RECT`",
            Self::Directions => "directions such as `east|west`",
            Self::Boundary => "0 or 1",
            Self::Times => "a number of times from 1 to 255",
        }
    }
}
