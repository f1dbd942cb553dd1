//! Bits in registers that have a role: those of directions, R0 and R12.

use cain_analysis::owned::Step;
use cain_digital::ALIKE;
use cain_isa::asm::digital::set;
use cain_isa::program::Held;
use cain_isa::{Bit, Dreg};

use super::{CompileError, Compiler};
use crate::declaration::Value;

const R0: Dreg = Dreg::ALL[0];
const R12: Dreg = Dreg::ALL[12];

impl Compiler<'_> {
    /// Brings bits out of the registers of directions, as far as there is room for them.
    pub(super) fn clear_switches(&mut self) -> Result<(), CompileError> {
        for (value, from) in self.held_with_roles() {
            if Dreg::ALL[1..=4].contains(&from)
                && let Some(to) = self.room_for_bit()
            {
                self.take_home(value, from, to)?;
            }
        }
        Ok(())
    }

    /// Brings a bit out of a register with a role into one without; whether there was any.
    pub(super) fn bring_home(&mut self) -> Result<bool, CompileError> {
        let free = self.registers.free_bits(None);
        let (Some((value, from)), Some(to)) = (self.held_with_roles().first().copied(), free.first()) else {
            return Ok(false);
        };
        // One that is left is scratch.
        if free.len() < 2 {
            return Ok(false);
        }
        self.take_home(value, from, *to)?;
        Ok(true)
    }

    /// Bits in registers with a role that nothing expects there.
    fn held_with_roles(&self) -> Vec<(Value, Dreg)> {
        let held = self.registers.held_bits().into_iter();
        held.filter(|(value, bit)| !ALIKE.contains(bit) && !self.fixed.contains(value)).collect()
    }

    /// A free register that is none of directions.
    fn room_for_bit(&self) -> Option<Dreg> {
        let free = |bit: &Dreg| self.registers.is_free_bit(*bit);
        let closed = [R12].into_iter().filter(|bit| free(bit) && free(&R0));
        self.registers.free_bits(None).into_iter().chain(closed).chain([R0].into_iter().filter(free)).next()
    }

    fn take_home(&mut self, value: Value, from: Dreg, to: Dreg) -> Result<(), CompileError> {
        if to == R12 {
            self.push(Step::Execute(vec![set(&[Bit::Reg(R0)])]));
        }
        self.combine(value, to, &[from], false)?;
        self.registers.forget(value);
        self.registers.hold(Held::Bit(Bit::Reg(to)), value);
        Ok(())
    }
}
