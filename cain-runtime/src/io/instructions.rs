//! Words and instructions, or why there are none.

use super::IoError;
use crate::isa::{Bit, Dreg, Instruction, Logic, Macro, Op, Operand, Operation, Word};

pub(super) fn logic(operation: Operation, to: Dreg, from: Bit) -> Result<Word, IoError> {
    Ok(Logic::new(operation, &[to], &[from])?.into())
}

pub(super) fn macro_instruction(op: Op, operands: &[Operand]) -> Result<Instruction, IoError> {
    Ok(Macro::new(op, operands)?.into())
}
