//! Errors of controller functions.

use core::fmt;

use super::address::{Address, Region, Size};
use super::gain::MAX_GAIN;
use crate::isa::{Dreg, MacroError, Reg, WordError};

/// The reason why a controller function cannot be carried out as it was called. Nothing was sent to the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IoError {
    /// No PE has this address.
    Outside {
        /// The address.
        address: Address,
        /// The size of the array.
        size: Size,
    },
    /// The corners of a region are not the top right and the bottom left corner.
    Corners(Region),
    /// A scan has a step of 0.
    NoStep,
    /// The caller's buffer cannot hold the result.
    Buffer {
        /// The number of elements that the result needs.
        needed: usize,
        /// The number of elements that the buffer has.
        found: usize,
    },
    /// The array cannot be divided into this many equal blocks along both sides.
    Blocks {
        /// The number of blocks along each side.
        count: usize,
        /// The size of the array.
        size: Size,
    },
    /// The array cannot be divided into blocks of this size.
    BlockSize {
        /// The number of PEs of a block from west to east.
        width: usize,
        /// The number of PEs of a block from north to south.
        height: usize,
        /// The size of the array.
        size: Size,
    },
    /// The array has no PEs, or more along one side than addresses can name.
    NoAddresses(Size),
    /// No image can be taken with this gain.
    Gain(u8),
    /// The level is the lowest one, so its negative is out of range.
    Level(i8),
    /// The function itself needs this digital register.
    Reserved(Dreg),
    /// A task writes an analogue register that it has not declared.
    Foreign(Reg),
    /// A task writes a digital register that it has not declared.
    ForeignBit(Dreg),
    /// A program has a step of a kind that the array does not have, or that its runner was told to leave out: one of the
    /// [`Kinds`](crate::isa::program::Kinds).
    Step(u32),
    /// A task continued after an error that occurred while it was interrupted: what it held is lost.
    Lost,
    /// The operands do not fit the macro instruction that the function uses.
    Macro(MacroError),
    /// The operands do not fit the word that the function uses.
    Word(WordError),
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { address, size } => write!(
                f,
                "{address} is outside of the array of {size} PEs; rows count from the top and columns from the right, \
                 both from 0"
            ),
            Self::Corners(region) => write!(
                f,
                "the region from {region} is empty; give its top right corner first and its bottom left corner second"
            ),
            Self::NoStep => f.write_str("a scan with a step of 0 has no end; the least step is 1"),
            Self::Buffer { needed, found } => {
                write!(f, "the buffer has room for {found}, but the result needs {needed}; pass a longer one")
            }
            Self::Blocks { count, size } => write!(
                f,
                "an array of {size} PEs has no {count}×{count} equal blocks; both sides must be multiples of {count}"
            ),
            Self::BlockSize { width, height, size } => write!(
                f,
                "blocks of {width}×{height} PEs do not divide an array of {size} PEs; its sides must be multiples of theirs"
            ),
            Self::NoAddresses(size) => {
                write!(
                    f,
                    "an array of {size} PEs cannot be addressed like that; sides are from 1 to 65536 PEs long, and powers of two \
                     for patterns with free bits"
                )
            }
            Self::Gain(gain) => write!(f, "there is no gain {gain}; choose one from 1 to {MAX_GAIN}"),
            Self::Level(level) => {
                write!(f, "level {level} cannot be compared with; use one from {} to {}", -i8::MAX, i8::MAX)
            }
            Self::Reserved(register) => {
                write!(f, "`{register}` is used by this function itself; pass one of `R5` to `R11`")
            }
            Self::Foreign(reg) => foreign(f, reg),
            Self::ForeignBit(register) => foreign(f, register),
            Self::Step(kind) => {
                write!(f, "the program has a step of kind {kind:#x}, which the array lacks or `run_only` leaves out")
            }
            Self::Lost => f.write_str(
                "the task went on after an error that came while it was left for others, when what it held was lost; \
                 return the error, so that it starts anew at its next request",
            ),
            Self::Macro(error) => error.fmt(f),
            Self::Word(error) => error.fmt(f),
        }
    }
}

fn foreign(f: &mut fmt::Formatter<'_>, register: &dyn fmt::Display) -> fmt::Result {
    write!(f, "the task writes `{register}`, which is not among the cells that it has declared to use")
}

impl core::error::Error for IoError {}

impl From<MacroError> for IoError {
    fn from(error: MacroError) -> Self {
        Self::Macro(error)
    }
}

impl From<WordError> for IoError {
    fn from(error: WordError) -> Self {
        Self::Word(error)
    }
}
