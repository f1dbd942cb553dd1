//! Emits the words of operations.

use cain_isa::{Direction, Dreg, Operation as Logic};

use super::declaration::Carry;
use super::operations::{Operation, Value};
use super::registers::{GATE, GATED, Registers};

/// The state of emitting words: numbers in registers.
#[derive(Clone, Debug)]
pub(super) struct Emitter<'p> {
    pub(super) registers: Registers<'p>,
    pub(super) carry: Carry,
    /// Whether words are spent where that saves registers.
    pub(super) is_tight: bool,
    /// The number of bits of a number.
    pub(super) bits: usize,
    /// The register of each number that exists now.
    pub(super) held: Vec<Option<Dreg>>,
    /// The number of reads still to come for each number, plus one for outputs and kept inputs.
    pub(super) uses: Vec<u32>,
}

impl Emitter<'_> {
    /// Emits an operation; `None` if there are too few registers.
    pub(super) fn emit(&mut self, value: Value, operation: Operation) -> Option<()> {
        let register = match operation {
            Operation::Input(_) | Operation::Constant(_) => return Some(()),
            Operation::Zero => {
                let target = self.registers.take()?;
                self.registers.write(Logic::Clr, target, &[]);
                target
            }
            Operation::Copy(source) => {
                let source = self.read(source)?;
                let target = self.registers.take()?;
                self.registers.write(Logic::Or, target, &[source]);
                target
            }
            Operation::Move(source, by) => self.shift(source, by)?,
            Operation::Double(source) => self.double(source)?,
            Operation::Add(a, b) => {
                let register = self.read(a)?;
                self.add(&[register], Some(a), b)?
            }
            Operation::AddThree(a, b, c) => self.add_three(a, b, c)?,
            Operation::Subtract(a, b) => self.subtract(a, b)?,
            Operation::Negate(a) => self.negate(a)?,
            Operation::Halve(a, times) => self.halve(a, times)?,
            Operation::Rectify(a) => self.rectify(a)?,
            Operation::Greater(a, b) => self.greater(a, b)?,
        };
        if matches!(operation, Operation::Copy(_)) {
            operation.sources().for_each(|source| self.done(source));
        }
        self.held[value] = Some(register);
        Some(())
    }

    pub(super) fn read(&self, value: Value) -> Option<Dreg> {
        self.held[value]
    }

    /// Notes that a number was read, and frees its register after the last read.
    pub(super) fn done(&mut self, value: Value) {
        self.uses[value] -= 1;
        self.free_if_unread(value);
    }

    /// Frees the registers of numbers that nothing reads.
    pub(super) fn free_unread(&mut self) {
        for value in 0..self.held.len() {
            self.free_if_unread(value);
        }
    }

    fn free_if_unread(&mut self, value: Value) {
        if self.uses[value] == 0
            && let Some(register) = self.held[value].take()
        {
            self.registers.give_back(register);
        }
    }

    /// A number from a given number of PEs away; on its way, every other PE holds it in the scratch register.
    fn shift(&mut self, value: Value, (x, y): (i32, i32)) -> Option<Dreg> {
        let axes = [(Direction::North, Direction::South, y), (Direction::East, Direction::West, x)];
        let mut rest = x.unsigned_abs() + y.unsigned_abs();
        let mut at: Option<Dreg> = None;
        for (positive, negative, count) in axes {
            if count != 0 {
                self.registers.look(if count > 0 { positive } else { negative })?;
            }
            for _ in 0..count.unsigned_abs() {
                rest -= 1;
                let source = at.or(self.read(value))?;
                let target = if rest > 0 && source != GATE { GATE } else { self.registers.take()? };
                self.registers.neighbours(target, source);
                match at {
                    Some(before) => self.registers.give_back(before),
                    None => self.done(value),
                }
                at = Some(target);
            }
        }
        at
    }

    fn double(&mut self, value: Value) -> Option<Dreg> {
        self.registers.look_lower()?;
        let register = self.read(value)?;
        if self.is_tight && self.registers.free() == 0 {
            self.registers.neighbours(GATE, register);
            self.done(value);
            let target = self.registers.take()?;
            self.registers.write(Logic::Or, target, &[GATE]);
            return Some(target);
        }
        let target = self.registers.take()?;
        self.registers.neighbours(target, register);
        self.done(value);
        Some(target)
    }

    /// The sum of two numbers; the first is the OR of some registers, which are freed.
    fn add(&mut self, first: &[Dreg], value: Option<Value>, second: Value) -> Option<Dreg> {
        let b = self.read(second)?;
        let with = |more: &[Dreg]| [first, more].concat();
        let neither = self.registers.nor(&with(&[b]))?;
        let only_b = self.registers.nor(&with(&[neither]))?;
        match value {
            Some(value) => self.done(value),
            None => first.iter().for_each(|&register| self.registers.give_back(register)),
        }
        let only_a = self.registers.nor(&[b, neither])?;
        self.done(second);
        self.registers.open();
        self.registers.write(Logic::Nor, GATED, &[neither, only_a, only_b]);
        self.registers.write(Logic::Or, GATE, &[only_a, only_b]);
        for register in [neither, only_a, only_b] {
            self.registers.give_back(register);
        }
        let carried = self.carry()?;
        self.exclusive(GATE, carried, Logic::Or)
    }

    /// The difference of two numbers.
    fn subtract(&mut self, first: Value, second: Value) -> Option<Dreg> {
        let (a, b) = (self.read(first)?, self.read(second)?);
        let neither = self.registers.nor(&[a, b])?;
        self.registers.open();
        self.registers.write(Logic::Nor, GATED, &[a, neither]);
        self.done(first);
        let only_a = self.registers.nor(&[b, neither])?;
        self.done(second);
        // Where both bits are equal, a borrow propagates.
        self.registers.write(Logic::Nor, GATE, &[only_a, GATED]);
        for register in [neither, only_a] {
            self.registers.give_back(register);
        }
        let carried = self.carry()?;
        self.exclusive(GATE, carried, Logic::Nor)
    }

    fn negate(&mut self, value: Value) -> Option<Dreg> {
        let a = self.read(value)?;
        self.registers.open();
        self.registers.write(Logic::Or, GATED, &[a]);
        self.registers.write(Logic::Nor, GATE, &[a]);
        let carried = self.carry()?;
        let target = self.exclusive(a, carried, Logic::Or)?;
        self.done(value);
        Some(target)
    }

    /// The sum of three numbers: makes sum bits and carries, and adds these.
    fn add_three(&mut self, a: Value, b: Value, c: Value) -> Option<Dreg> {
        let [ra, rb, rc] = [self.read(a)?, self.read(b)?, self.read(c)?];
        let neither = self.registers.nor(&[rb, rc])?;
        let only_b = self.registers.nor(&[rc, neither])?;
        self.done(c);
        let only_c = self.registers.nor(&[rb, neither])?;
        self.done(b);
        let even = self.registers.nor(&[ra, only_b, only_c])?;
        let odd = self.registers.nor(&[ra, even])?;
        self.done(a);
        let all = self.registers.nor(&[only_b, only_c, even])?;
        for register in [only_b, only_c, even] {
            self.registers.give_back(register);
        }
        let carry = self.registers.nor(&[neither, odd])?;
        self.registers.give_back(neither);
        let [odd, all, carry] = [self.settle(odd)?, self.settle(all)?, self.settle(carry)?];
        self.registers.look_lower()?;
        let higher = self.registers.take()?;
        self.registers.neighbours(higher, carry);
        self.registers.give_back(carry);
        // The carries are not a number of an operation.
        self.held.push(Some(higher));
        self.uses.push(1);
        self.add(&[odd, all], None, self.held.len() - 1)
    }

    /// Moves a bit out of a direction register.
    fn settle(&mut self, register: Dreg) -> Option<Dreg> {
        if register.number() > 4 {
            return Some(register);
        }
        let target = self.registers.take()?;
        self.registers.write(Logic::Or, target, &[register]);
        self.registers.give_back(register);
        Some(target)
    }

    /// The carry into each bit. `R12` holds generated carries, which propagate where `R0` is 1.
    fn carry(&mut self) -> Option<Dreg> {
        self.registers.look_lower()?;
        self.ripple(self.bits.saturating_sub(2))?;
        let target = self.registers.take()?;
        self.registers.neighbours(target, GATED);
        Some(target)
    }

    /// Propagates `R12` where `R0` is 1, by at least `steps` PEs.
    pub(super) fn ripple(&mut self, steps: usize) -> Option<()> {
        match self.carry {
            Carry::Propagate => self.registers.propagate(),
            Carry::Steps => {
                let there = self.registers.take()?;
                for _ in 0..steps {
                    self.registers.neighbours(there, GATED);
                    self.registers.write(Logic::Or, GATED, &[there]);
                }
                self.registers.give_back(there);
            }
        }
        Some(())
    }

    /// The exclusive OR of two bits, or its complement; the register of the second is freed.
    fn exclusive(&mut self, a: Dreg, b: Dreg, last: Logic) -> Option<Dreg> {
        let neither = self.registers.nor(&[a, b])?;
        let only_b = self.registers.nor(&[a, neither])?;
        let only_a = self.registers.nor(&[b, neither])?;
        self.registers.give_back(b);
        self.registers.give_back(neither);
        let target = self.registers.take()?;
        self.registers.write(last, target, &[only_a, only_b]);
        self.registers.give_back(only_a);
        self.registers.give_back(only_b);
        Some(target)
    }
}
