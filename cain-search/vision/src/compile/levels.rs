//! Planes of levels other than sums.

use cain_isa::program::Term;
use cain_isa::program::owned::Step;
use cain_isa::{Bit, Bits, Cell, Instruction, PlaneOperation, Reg, Word};

use super::{CompileError, Compiler};
use crate::declaration::{Operation, Value};

impl Compiler<'_> {
    /// A register with a value that may be overwritten: its own after its last use, else that of a copy. Counts a use.
    pub(super) fn take(&mut self, of: Value, value: Value) -> Result<Reg, CompileError> {
        let reg = self.reg(of)?;
        let to = if self.uses.left(of) > 1 { self.free(value)? } else { reg };
        if to != reg {
            self.copy(value, to, reg)?;
        }
        self.done(of);
        // It is not free, although the value is not made yet.
        self.registers.hold(cain_isa::program::Held::Reg(to), value);
        Ok(to)
    }

    pub(super) fn abs(&mut self, value: Value, of: Value) -> Result<(), CompileError> {
        let x = self.reg(of)?;
        let y = self.free(value)?;
        self.operation(value, PlaneOperation::Abs { y, x })?;
        self.done(of);
        self.hold_reg(y, value);
        Ok(())
    }

    pub(super) fn select(
        &mut self,
        value: Value,
        bits: Value,
        [then, otherwise]: [Value; 2],
    ) -> Result<(), CompileError> {
        let b = Bit::Reg(self.bit(bits)?);
        // Constants need no register.
        let levels = [then, otherwise].map(|of| self.level_of(of));
        let x = if levels[1].is_some() && then != otherwise {
            self.select_levels(value, b, [then, otherwise], levels)?
        } else if let Some(level) = levels[0] {
            self.uses.done(then);
            let x = self.take(otherwise, value)?;
            self.set_level(vec![Term::Constant(level.into())]);
            self.operation(value, PlaneOperation::ReplaceByLevel { x, b })?;
            x
        } else if then == otherwise {
            self.reg(then)?;
            self.done(then);
            self.take(otherwise, value)?
        } else {
            let z = self.reg(then)?;
            self.make(otherwise)?;
            let x = self.take(otherwise, value)?;
            self.operation(value, PlaneOperation::Replace { x, b, z })?;
            self.done(then);
            x
        };
        self.done(bits);
        self.hold_reg(x, value);
        Ok(())
    }

    /// Levels that are chosen by a bit, some of which are constants.
    fn select_levels(
        &mut self,
        value: Value,
        b: Bit,
        of: [Value; 2],
        levels: [Option<i8>; 2],
    ) -> Result<Reg, CompileError> {
        let [on, off] = [0, 1];
        let mut cells = [Cell::In; 2];
        for side in [on, off] {
            if levels[side].is_none() {
                cells[side] = self.reg(of[side])?.into();
            }
        }
        let flag = Bits::new(&[b]).map_err(|_| CompileError::Unproved(Some(value)))?;
        for (side, word) in [(off, Word::WhereBits(flag)), (on, Word::All)] {
            if let Some(level) = levels[side] {
                self.set_level(vec![Term::Constant(level.into())]);
            }
            self.transfers(value, &[(Cell::News, &[cells[side]])])?;
            self.push(Step::Execute(vec![Instruction::Word(word)]));
        }
        for (value, level) in of.into_iter().zip(levels) {
            if level.is_none() {
                self.done(value);
            } else {
                self.uses.done(value);
            }
        }
        let y = self.free(value)?;
        self.transfers(value, &[(y.into(), &[Cell::News])])?;
        Ok(y)
    }

    /// What a plane of one level is.
    pub(super) fn level_of(&self, value: Value) -> Option<i8> {
        match self.pending.get(&value) {
            Some(Operation::Sum { summands, constant, numbers }) if summands.is_empty() && numbers.is_empty() => {
                let whole = constant.denominator() == 1;
                i8::try_from(constant.numerator()).ok().filter(|_| whole)
            }
            _ => None,
        }
    }
}
