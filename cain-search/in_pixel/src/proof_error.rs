//! Errors that the proof of a program finds.

use core::fmt;

use cain_analysis::prove::OperationProofError;
use cain_isa::Dreg;

/// An error in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InPixelProofError {
    /// The picture does not reach a PE as it should.
    Duplication {
        /// The row of the PE.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// FLAG does not hold the same weight of the PE's own block everywhere.
    Weight {
        /// The number of words of the program before it.
        word: usize,
    },
    /// A word of the convolution cannot be followed.
    Word {
        /// The number of words of the program before it.
        word: usize,
    },
    /// The sums are wrong.
    Sums {
        /// The sums found.
        found: String,
        /// The sums as they should be.
        wanted: String,
    },
    /// Results whose taps leave the array are not 0.
    Border,
    /// `ReLU`, pooling or a product is wrong.
    Operation(OperationProofError),
    /// Maxima or products do not reach all PEs of their windows.
    Windows,
    /// A part of the program that counts exactly has a wrong result.
    Count {
        /// The number of the part, from 1.
        part: usize,
    },
    /// FLAG does not hold the weights of the dense layer for a class.
    Class(usize),
    /// A program overwrites a register in which weights are kept.
    Overwritten(Dreg),
}

impl fmt::Display for InPixelProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplication { row, column } => {
                write!(f, "the picture does not come to the PE in row {row}, column {column} as it should")
            }
            Self::Weight { word } => {
                write!(f, "after {word} words FLAG does not hold one weight of the PE's own block everywhere")
            }
            Self::Word { word } => write!(f, "word {} cannot be followed", word + 1),
            Self::Sums { found, wanted } => write!(f, "the sums are {found} instead of {wanted}"),
            Self::Border => f.write_str("results whose taps leave the array are not 0"),
            Self::Operation(error) => error.fmt(f),
            Self::Windows => f.write_str("a window's value does not come to all its PEs"),
            Self::Count { part } => write!(f, "part {part} of the exact scores does not leave what it should"),
            Self::Class(class) => write!(f, "FLAG does not hold the weights for class {class}"),
            Self::Overwritten(register) => write!(f, "the weights in `{register}` are overwritten"),
        }
    }
}

impl core::error::Error for InPixelProofError {}

impl From<OperationProofError> for InPixelProofError {
    fn from(error: OperationProofError) -> Self {
        Self::Operation(error)
    }
}
