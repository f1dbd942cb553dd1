//! Parses lines of a listing.

use core::fmt;
use core::str::FromStr;

use super::Instruction;
use crate::word::native;
use crate::{
    Bit, Direction, Directions, Macro, MacroError, Op, Operand, OperandKind, ParseBitError, ParseCellError, Reg, Word,
    WordError,
};

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

impl FromStr for Instruction {
    type Err = ParseInstructionError;

    /// Parses SCAMP-5 C spelling; spaces between tokens and the final semicolon are optional.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let at =
            |part: &str, kind| ParseInstructionError { column: part.as_ptr() as usize - line.as_ptr() as usize, kind };
        let form = at(line, InstructionErrorKind::Form);
        let (name, rest) = line.trim().split_once('(').ok_or(form)?;
        let name = name.trim_end();
        let inside = rest.trim_end_matches(';').trim_end().strip_suffix(')').ok_or(form)?;
        let mut operands = [""; MAX_LISTED];
        let mut count = 0;
        for part in inside.split(',') {
            *operands.get_mut(count).ok_or(at(name, InstructionErrorKind::OperandCount))? = part.trim();
            count += 1;
        }
        let operands = &operands[..if inside.trim().is_empty() { 0 } else { count }];
        let Some(op) = Op::find(name, operands.len()) else {
            let known = Op::ALL.iter().any(|op| op.name() == name);
            let unknown = if known { InstructionErrorKind::OperandCount } else { InstructionErrorKind::UnknownName };
            return native::parse(name, operands)
                .unwrap_or(Err((None, unknown)))
                .map(Self::Word)
                .map_err(|(operand, kind)| at(operand.filter(|part| !part.is_empty()).unwrap_or(name), kind));
        };
        let mut parsed = [Operand::Reg(Reg::A); Macro::MAX_OPERANDS];
        for ((slot, &part), &kind) in parsed.iter_mut().zip(operands).zip(op.operands()) {
            *slot = operand(part, kind).ok_or(at(part, InstructionErrorKind::UnknownOperand(kind)))?;
        }
        Macro::new(op, &parsed[..operands.len()])
            .map(Self::Macro)
            .map_err(|error| at(name, InstructionErrorKind::Macro(error)))
    }
}

/// A number of operands that no instruction exceeds.
const MAX_LISTED: usize = Word::MAX_DESTINATIONS + Word::MAX_SOURCES;

fn operand(text: &str, kind: OperandKind) -> Option<Operand> {
    Some(match kind {
        OperandKind::Result | OperandKind::Source | OperandKind::Both => Operand::Reg(text.parse().ok()?),
        OperandKind::Direction => {
            Operand::Direction(Direction::ALL.into_iter().find(|direction| direction.name() == text)?)
        }
        OperandKind::BitResult | OperandKind::BitBoth => Operand::Bit(Bit::Reg(text.parse().ok()?)),
        OperandKind::BitSource => Operand::Bit(text.parse().ok()?),
        OperandKind::Directions => Operand::Directions(Directions::parse(text)?),
        OperandKind::Boundary => Operand::Boundary(match text {
            "0" => false,
            "1" => true,
            _ => return None,
        }),
        OperandKind::Times => Operand::Times(text.parse().ok().filter(|times| *times > 0)?),
    })
}
