//! Bits that wait in analogue registers while there are too few digital ones.

use cain_analysis::owned::Step;
use cain_isa::asm::digital::FLAG;
use cain_isa::program::{Held, Term};
use cain_isa::{Bit, Bits, Cell, Instruction, Logic, Operation, Sum, Word};

use super::uses::operands;
use super::{CompileError, Compiler};
use crate::declaration::{Kind, Value};

/// The level of a bit that is 1; its negative is one that is 0.
const LEVEL: f64 = 64.0;
/// The analogue registers that are left free.
const LEFT: usize = 2;

impl Compiler<'_> {
    /// Brings a bit into an analogue register: that which is read last. Whether there was one, and room for it.
    pub(super) fn spill(&mut self) -> Result<bool, CompileError> {
        let free = self.registers.free(None);
        let held = self.registers.held_bits().into_iter();
        let waits = held.filter(|(value, _)| {
            !self.locked.contains(value) && !self.fixed.contains(value) && !self.temporary.contains_key(value)
        });
        let last = waits.map(|(value, bit)| (self.next_reader(value), value, bit)).max();
        let (Some((_, value, bit)), Some(to)) = (last, free.first()) else { return Ok(false) };
        if free.len() <= LEFT {
            return Ok(false);
        }
        let unproved = |_| CompileError::Unproved(Some(value));
        let bits = Bits::new(&[Bit::Reg(bit)]).map_err(unproved)?;
        for (level, word) in [(-LEVEL, Word::WhereBits(bits)), (LEVEL, Word::All)] {
            self.set_level(vec![Term::Constant(level)]);
            self.transfers(value, &[(Cell::News, &[Cell::In])])?;
            self.push(Step::Execute(vec![Instruction::Word(word)]));
        }
        self.transfers(value, &[((*to).into(), &[Cell::News])])?;
        self.registers.forget(value);
        self.registers.hold(Held::Reg(*to), value);
        Ok(true)
    }

    /// Brings a bit back, if it is in an analogue register.
    pub(super) fn unspill(&mut self, value: Value) -> Result<(), CompileError> {
        if self.kind(value) != Kind::Bits {
            return Ok(());
        }
        let Some(from) = self.registers.reg(value) else { return Ok(()) };
        let to = self.locking([value], |compiler| compiler.free_bit(value))?;
        let unproved = |_| CompileError::Unproved(Some(value));
        let sum = Sum::new(&[from.into()]).map_err(unproved)?;
        let logic = Logic::new(Operation::Or, &[to], &[FLAG]).map_err(unproved)?;
        let words = [Word::Where(sum), Word::Logic(logic), Word::All];
        self.push(Step::Execute(words.into_iter().map(Instruction::Word).collect()));
        self.registers.forget(value);
        self.registers.hold(Held::Bit(Bit::Reg(to)), value);
        Ok(())
    }

    /// The first value that is not made yet and reads another one.
    fn next_reader(&self, value: Value) -> Value {
        let reads = |operation| {
            let mut is_read = false;
            operands(operation, &mut |operand| is_read |= operand == value);
            is_read
        };
        let reader = self.pending.iter().find(|(_, operation)| reads(operation)).map(|(reader, _)| *reader);
        reader.unwrap_or(Value(usize::MAX))
    }
}
