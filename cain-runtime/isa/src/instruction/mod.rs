//! Lines of a listing: macro instructions and words.

mod error;
mod parse;
#[cfg(test)]
mod tests;

use core::fmt;

use crate::{Macro, Renaming, Word};

pub use error::{InstructionErrorKind, ParseInstructionError};

/// One line of a listing.
///
/// ```
/// use cain_isa::Instruction;
///
/// let line: Instruction = "sub2x(F, D, south, south, C);".parse().unwrap();
/// assert_eq!(line.to_string(), "sub2x(F,D,south,south,C);");
/// assert_eq!(line.words().count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// A macro instruction.
    Macro(Macro),
    /// A native control word.
    Word(Word),
}

impl Instruction {
    /// The control words that carry out the instruction, in order.
    pub fn words(&self) -> impl Iterator<Item = Word> + Clone + use<> {
        let instruction = *self;
        (0..).map_while(move |place| instruction.word(place))
    }

    /// The same instruction on other registers.
    #[must_use]
    pub const fn renamed(self, renaming: Renaming<'_>) -> Self {
        match self {
            Self::Macro(instruction) => Self::Macro(instruction.renamed(renaming)),
            Self::Word(word) => Self::Word(word.renamed(renaming)),
        }
    }

    /// The number of these words.
    #[must_use]
    pub const fn icws(&self) -> usize {
        match self {
            Self::Macro(instruction) => instruction.icws(),
            Self::Word(_) => 1,
        }
    }

    /// The word at this place.
    #[must_use]
    pub const fn word(&self, place: usize) -> Option<Word> {
        if place >= self.icws() {
            return None;
        }
        Some(match self {
            Self::Macro(instruction) => instruction.word(place),
            Self::Word(word) => *word,
        })
    }
}

impl From<Macro> for Instruction {
    fn from(instruction: Macro) -> Self {
        Self::Macro(instruction)
    }
}

impl From<Word> for Instruction {
    fn from(word: Word) -> Self {
        Self::Word(word)
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Macro(instruction) => instruction.fmt(f),
            Self::Word(word) => word.fmt(f),
        }
    }
}
