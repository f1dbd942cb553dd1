//! Operands of macro instructions.

use core::fmt;

use crate::{Bit, Direction, Directions, Reg};

/// One operand of a macro instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// An analogue register.
    Reg(Reg),
    /// A direction.
    Direction(Direction),
    /// A bit of the PE.
    Bit(Bit),
    /// A set of directions.
    Directions(Directions),
    /// The bit that PEs outside the array hold.
    Boundary(bool),
    /// How often the instruction is repeated, at least once.
    Times(u8),
}

impl Operand {
    /// Whether the operand is of this kind.
    pub(crate) const fn fits(self, kind: OperandKind) -> bool {
        match kind {
            OperandKind::Result | OperandKind::Source | OperandKind::Both => matches!(self, Self::Reg(_)),
            OperandKind::Direction => matches!(self, Self::Direction(_)),
            OperandKind::BitResult | OperandKind::BitBoth => matches!(self, Self::Bit(Bit::Reg(_))),
            OperandKind::BitSource => matches!(self, Self::Bit(_)),
            OperandKind::Directions => matches!(self, Self::Directions(_)),
            OperandKind::Boundary => matches!(self, Self::Boundary(_)),
            OperandKind::Times => matches!(self, Self::Times(1..)),
        }
    }

    pub(crate) const fn is_r12(self) -> bool {
        matches!(self, Self::Bit(Bit::Reg(register)) if register.number() == 12)
    }

    /// Whether the operand is a set of directions that contains this one.
    pub(crate) const fn includes(self, direction: Direction) -> bool {
        match self {
            Self::Directions(directions) => directions.contains(direction),
            _ => false,
        }
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        Self::Reg(reg)
    }
}

impl From<Direction> for Operand {
    fn from(direction: Direction) -> Self {
        Self::Direction(direction)
    }
}

impl From<Bit> for Operand {
    fn from(bit: Bit) -> Self {
        Self::Bit(bit)
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reg(reg) => reg.fmt(f),
            Self::Direction(direction) => direction.fmt(f),
            Self::Bit(bit) => bit.fmt(f),
            Self::Directions(directions) => directions.fmt(f),
            Self::Boundary(outside) => u8::from(*outside).fmt(f),
            Self::Times(times) => times.fmt(f),
        }
    }
}

/// The kind of an operand of a macro instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// An analogue register that receives a result.
    Result,
    /// An analogue register that is read.
    Source,
    /// An analogue register that is read and then receives a result.
    Both,
    /// A direction.
    Direction,
    /// A digital register that receives a result.
    BitResult,
    /// A bit that is read: a digital register, `FLAG`, `SELECT` or `RECT`.
    BitSource,
    /// A digital register that is read and then receives a result.
    BitBoth,
    /// A set of directions.
    Directions,
    /// The bit that PEs outside the array hold, 0 or 1.
    Boundary,
    /// How often the instruction is repeated, 1 to 255.
    Times,
}

impl OperandKind {
    /// What an operand of this kind must be, for messages.
    pub(crate) const fn wanted(self) -> &'static str {
        match self {
            Self::Result | Self::Source | Self::Both => "an analogue register",
            Self::Direction => "a direction (`north`, `east`, `south` or `west`)",
            Self::BitResult | Self::BitBoth => "a digital register (`R0` to `R12`)",
            Self::BitSource => "a digital register (`R0` to `R12`), `FLAG`, `SELECT` or `RECT`",
            Self::Directions => "directions such as `east|west`",
            Self::Boundary => "0 or 1",
            Self::Times => "a number of times from 1 to 255",
        }
    }
}
