//! Parses lines of a listing.

use core::str::FromStr;

use super::Instruction;
use super::error::{InstructionErrorKind, ParseInstructionError};
use crate::word::native;
use crate::{Bit, Direction, Directions, Macro, Op, Operand, OperandKind, Reg, Word};

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
