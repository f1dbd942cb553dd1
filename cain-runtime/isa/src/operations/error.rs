//! Errors of operations on certain registers.

use core::fmt;

use super::limits::MOST_WORDS;
use crate::{Dreg, Reg, WordError};

/// The reason why an operation has no words for these registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationError {
    /// One of its words breaks a rule of the machine, usually because a register is named twice.
    Word(WordError),
    /// This register would be overwritten before its last read.
    Overwritten(Reg),
    /// This digital register would be overwritten before its last read.
    BitOverwritten(Dreg),
    /// `R12` would be written, but that happens only where `R0` is 1.
    Gated,
    /// A size, distance or number is smaller than this, its minimum.
    TooSmall(u8),
    /// There are more words than an operation may have.
    TooLong,
    /// The mean over a window of this size takes more than halving, because the size is not a power of two.
    NoPowerOfTwo(u8),
}

impl fmt::Display for OperationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(error) => error.fmt(f),
            Self::Overwritten(register) => {
                write!(
                    f,
                    "register `{register}` is overwritten while it is still needed; use another one as result or scratch"
                )
            }
            Self::BitOverwritten(register) => {
                write!(
                    f,
                    "register `{register}` is overwritten while it is still needed; use another one as result or scratch"
                )
            }
            Self::Gated => f.write_str("`R12` is written only where `R0` is 1; use another register"),
            Self::TooSmall(least) => write!(f, "sizes, distances and numbers of halvings are at least {least} here"),
            Self::TooLong => {
                write!(f, "the operation takes more than {MOST_WORDS} words; split it")
            }
            Self::NoPowerOfTwo(size) => {
                write!(f, "the mean of {size} pixels is not made by halving; use a power of two, or declare a kernel")
            }
        }
    }
}

impl core::error::Error for OperationError {}

impl From<WordError> for OperationError {
    fn from(error: WordError) -> Self {
        Self::Word(error)
    }
}
