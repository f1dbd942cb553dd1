//! Planes that are copied, and that change places.

use cain_isa::program::Held;
use cain_isa::{Bit, Displacement, PlaneOperation, Reg};

use super::{CompileError, Compiler};
use crate::declaration::Value;

impl Compiler<'_> {
    /// Brings a plane into a register of its own under another name; counts a use of it. That register can be written in any word:
    /// others are moved there later.
    pub(super) fn bring(&mut self, of: Value, value: Value) -> Result<Held, CompileError> {
        let held = self.made(of)?;
        let has_gate = matches!(held, Held::Bit(Bit::Reg(bit)) if bit.gate().is_some());
        if self.uses.left(of) <= 1 && !has_gate {
            self.done(of);
            self.registers.hold(held, value);
            return Ok(held);
        }
        let to = match held {
            Held::Reg(_) => Held::Reg(self.free(value)?),
            Held::Bit(_) => Held::Bit(Bit::Reg(self.free_bit(value)?)),
        };
        self.transfer(value, to, held)?;
        self.done(of);
        self.registers.hold(to, value);
        Ok(to)
    }

    /// Copies a register.
    pub(super) fn transfer(&mut self, value: Value, to: Held, from: Held) -> Result<(), CompileError> {
        match (to, from) {
            (Held::Reg(to), Held::Reg(from)) => self.copy(value, to, from),
            (Held::Bit(Bit::Reg(y)), Held::Bit(x)) => self.operation(value, PlaneOperation::Or { y, x, z: x }),
            _ => Err(CompileError::Unproved(Some(value))),
        }
    }

    pub(super) fn copy(&mut self, value: Value, y: Reg, x: Reg) -> Result<(), CompileError> {
        self.operation(value, PlaneOperation::Shift { y, x, from: Displacement::ZERO })
    }

    /// Moves planes between registers, all at once: a cycle goes over a free register.
    pub(super) fn move_all(&mut self, moves: &[(Value, Held, Held)]) -> Result<(), CompileError> {
        let targets: Vec<Held> = moves.iter().map(|(_, _, to)| *to).collect();
        let mut left: Vec<_> = moves.iter().copied().filter(|(_, from, to)| from != to).collect();
        while let Some(&(value, from, _)) = left.first() {
            if let Some(ready) = left.iter().position(|(_, _, to)| left.iter().all(|(_, from, _)| from != to)) {
                let (value, from, to) = left.remove(ready);
                self.transfer(value, to, from)?;
                continue;
            }
            let beside = self.beside(value, from, &targets)?;
            self.transfer(value, beside, from)?;
            for (_, other, _) in left.iter_mut().filter(|(_, other, _)| *other == from) {
                *other = beside;
            }
        }
        Ok(())
    }

    /// A free register of the kind of another one, which is none of these.
    pub(super) fn beside(&self, value: Value, like: Held, but: &[Held]) -> Result<Held, CompileError> {
        let fits = |held: &Held| !but.contains(held);
        match like {
            Held::Reg(_) => {
                self.registers.free(None).into_iter().map(Held::Reg).find(fits).ok_or_else(|| self.no_registers(value))
            }
            Held::Bit(_) => {
                let free = self.registers.free_bits(None).into_iter().chain(self.registers.free_with_roles());
                free.map(|bit| Held::Bit(Bit::Reg(bit))).find(fits).ok_or_else(|| self.no_bits(value))
            }
        }
    }
}
