//! Errors in the operands of macro instructions.

use core::fmt;

use crate::{Op, WordError};

/// The reason why operands do not make a macro instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MacroError {
    /// There are too many or too few operands.
    Count {
        /// The instruction.
        op: Op,
    },
    /// An operand is of the wrong kind.
    Kind {
        /// The instruction.
        op: Op,
        /// The place of the operand, from 0.
        position: usize,
    },
    /// The expansion has a word that breaks a rule.
    Word(WordError),
    /// The expansion overwrites the register of an operand before reading it.
    Overwritten {
        /// The instruction.
        op: Op,
        /// The place of the operand, from 0.
        position: usize,
    },
    /// The result would go to `R12`, which is written only where `R0` is 1, and the expansion uses `R0`.
    Gated {
        /// The instruction.
        op: Op,
        /// The place of the operand, from 0.
        position: usize,
    },
}

impl fmt::Display for MacroError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { op } => write!(f, "`{}` takes {} operands", op.name(), op.operands().len()),
            Self::Kind { op, position } => {
                let wanted = op.operands().get(*position).map_or("nothing", |kind| kind.wanted());
                write!(f, "operand {} of `{}` must be {wanted}", position + 1, op.name())
            }
            Self::Word(error) => error.fmt(f),
            Self::Overwritten { op, position } => write!(
                f,
                "operand {} of `{}` is overwritten by the instruction before it is read; use another register",
                position + 1,
                op.name()
            ),
            Self::Gated { op, position } => write!(
                f,
                "operand {} of `{}` cannot be `R12`, which is written only where `R0` is 1; use another register",
                position + 1,
                op.name()
            ),
        }
    }
}

impl core::error::Error for MacroError {}
