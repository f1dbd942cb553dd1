//! Errors in lines of a listing.

use core::fmt;

use crate::{MacroError, OperandKind, ParseBitError, ParseCellError, WordError};

/// The reason why a line is not an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseInstructionError {
    /// The place in the line, in bytes from 0.
    pub column: usize,
    /// The error at that place.
    pub kind: InstructionErrorKind,
}

/// An error in a line of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InstructionErrorKind {
    /// The line is not of the form `name(operand,operand);`.
    Form,
    /// There is no instruction with this name.
    UnknownName,
    /// The instruction does not take this number of operands.
    OperandCount,
    /// The text is not an operand of the kind that the macro instruction takes here.
    UnknownOperand(OperandKind),
    /// The text does not name an analogue cell.
    UnknownCell,
    /// The text does not name a digital register.
    UnknownDreg,
    /// The text does not name a bit of a PE.
    UnknownBit,
    /// The operands do not fit the macro instruction.
    Macro(MacroError),
    /// The cells break a rule of the bus.
    Word(WordError),
}

impl fmt::Display for ParseInstructionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column + 1, self.kind)
    }
}

impl fmt::Display for InstructionErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str("expected an instruction such as `movx(B,A,east);`"),
            Self::UnknownName => f.write_str("no such instruction"),
            Self::OperandCount => f.write_str("the instruction does not take that many operands"),
            Self::UnknownOperand(kind) => write!(f, "expected {}", kind.wanted()),
            Self::UnknownCell => ParseCellError.fmt(f),
            Self::UnknownDreg => write!(f, "expected {}", OperandKind::BitResult.wanted()),
            Self::UnknownBit => ParseBitError.fmt(f),
            Self::Macro(error) => error.fmt(f),
            Self::Word(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseInstructionError {}
