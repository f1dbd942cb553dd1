//! Planes of levels other than sums.

use cain_isa::program::Held;
use cain_isa::{PlaneOperation, Reg};

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
        self.registers.hold(Held::Reg(to), value);
        Ok(to)
    }

    pub(super) fn abs(&mut self, value: Value, of: Value) -> Result<(), CompileError> {
        let x = match self.turned(of) {
            Some(negative) => {
                let temporary = self.temporary(self.kind(of), value);
                self.sum(temporary, &negative)?;
                self.pending.remove(&of);
                self.done(of);
                temporary
            }
            None => of,
        };
        let (of, x) = (x, self.reg(x)?);
        let y = self.free(value)?;
        self.operation(value, PlaneOperation::Abs { y, x })?;
        self.done(of);
        self.hold_reg(y, value);
        Ok(())
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
