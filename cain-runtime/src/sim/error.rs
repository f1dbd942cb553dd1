//! Errors of the simulator.

use core::fmt;

use crate::io::IoError;
use crate::isa::{Bit, ErrorModelError, MachineError, Store};

/// The reason why the simulator cannot do what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimError {
    /// A cell is read that has never been written.
    Unwritten(Store),
    /// A digital register is read that has never been written.
    UnwrittenBit(Bit),
    /// The machine of the array lacks what an instruction needs.
    Machine(MachineError),
    /// A program uses a diffusion, but its strength has not been set.
    NoDiffusion,
    /// A program takes a square, but its scale has not been set.
    NoSquarer,
    /// An image does not have one pixel per PE.
    WrongSize {
        /// The number of pixels in the image.
        found: usize,
        /// The number of PEs from west to east.
        width: usize,
        /// The number of PEs from north to south.
        height: usize,
    },
    /// There is not exactly one number for each block of PEs.
    WrongBlocks {
        /// The number of numbers.
        found: usize,
        /// The number of blocks from west to east.
        width: usize,
        /// The number of blocks from north to south.
        height: usize,
    },
    /// An image holds a value that is infinite or not a number.
    NotFinite {
        /// The pixel's row, from the north.
        row: usize,
        /// The pixel's column, from the west.
        column: usize,
    },
    /// A level for `IN` is infinite or not a number.
    NoLevel,
    /// A setting of the array is infinite or not a number: the one made by this function.
    NoNumber(&'static str),
    /// As many words were carried out as may be.
    TooManyWords(u64),
    /// The error model of the array is invalid.
    Errors(ErrorModelError),
    /// A controller function was called with invalid arguments.
    Io(IoError),
}

impl From<IoError> for SimError {
    fn from(error: IoError) -> Self {
        Self::Io(error)
    }
}

impl From<ErrorModelError> for SimError {
    fn from(error: ErrorModelError) -> Self {
        Self::Errors(error)
    }
}

impl From<MachineError> for SimError {
    fn from(error: MachineError) -> Self {
        Self::Machine(error)
    }
}

impl fmt::Display for SimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritten(Store::Reg(reg)) => {
                write!(f, "register `{reg}` is read before anything is written to it; load an image into it first")
            }
            Self::Unwritten(Store::News) => f.write_str("NEWS is read before anything is written to it"),
            Self::Unwritten(Store::Pix) => {
                f.write_str("`PIX` is read before any light came in; expose the array or reset the photo-sensors first")
            }
            Self::Unwritten(Store::In) => f.write_str("`IN` is read before its level was set; set it first"),
            Self::UnwrittenBit(bit) => {
                write!(f, "digital register `{bit}` is read before anything is written to it; write or load it first")
            }
            Self::Machine(error) => {
                write!(f, "{error}; describe the machine that the program is for with `Array::machine`")
            }
            Self::NoDiffusion => {
                f.write_str("how far `blur` spreads is not published; choose it with `Array::diffusion` to simulate it")
            }
            Self::NoSquarer => {
                f.write_str("the scale of `sq` is not published; choose it with `Array::squarer` to simulate it")
            }
            Self::WrongSize { found, width, height } => write!(
                f,
                "the image has {found} pixels, but the array has {width}×{height} PEs; scale the image to that size"
            ),
            Self::WrongBlocks { found, width, height } => {
                write!(
                    f,
                    "there are {found} numbers, but {width}×{height} blocks of PEs; give one number for each block"
                )
            }
            Self::NotFinite { row, column } => write!(
                f,
                "the pixel in row {row} from the top, column {column} from the left is not a finite number; replace it"
            ),
            Self::NoLevel => f.write_str("the level of `IN` is not a finite number; choose one from -128 to 127"),
            Self::NoNumber(setting) => write!(f, "`{setting}` was given what is not a finite number; give it one"),
            Self::TooManyWords(most) => {
                write!(f, "more than {most} words are to be carried out; allow more with `Array::most_words`")
            }
            Self::Errors(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SimError {}
