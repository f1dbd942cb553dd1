//! Lines of a listing: macro instructions and words.

mod error;
mod parse;
#[cfg(test)]
mod tests;

use core::fmt;

use crate::{Macro, Word};

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
    /// The control words that carry out the instruction.
    pub fn words(&self) -> impl Iterator<Item = Word> + Clone + use<> {
        let (expansion, word) = match self {
            Self::Macro(instruction) => (Some(instruction.words()), None),
            Self::Word(word) => (None, Some(*word)),
        };
        expansion.into_iter().flatten().chain(word)
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
