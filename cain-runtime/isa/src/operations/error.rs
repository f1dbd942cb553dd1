//! Why an operation cannot be carried out in these registers.

use core::fmt;

use crate::{Dreg, Reg, WordError};

/// Why an operation has no words for these registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationError {
    /// One of its words breaks a rule of the machine; mostly a register is named twice.
    Word(WordError),
    /// This register would be overwritten before it is read for the last time.
    Overwritten(Reg),
    /// This digital register would be overwritten before it is read for the last time.
    BitOverwritten(Dreg),
    /// `R12` would be written, which happens only where `R0` is 1.
    Gated,
    /// A size, distance or number that must be at least this.
    TooSmall(u8),
    /// The words are more than an operation may have.
    TooLong,
    /// A window whose mean takes more than halving.
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
                write!(f, "the operation takes more than {} words; split it", super::Words::MAX)
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
