//! Emits the words of operations that depend on the sign of a number.

use cain_isa::{Direction, Dreg, Operation as Logic};

use super::declaration::Carry;
use super::emit::Emitter;
use super::operations::Value;
use super::registers::{GATE, GATED};

impl Emitter<'_> {
    /// Halves a number by reading the next higher bit; the sign is preserved.
    pub(super) fn halve(&mut self, value: Value, times: u32) -> Option<Dreg> {
        self.registers.look_higher(self.is_tight)?;
        if self.is_tight {
            return self.halve_gated(value, times);
        }
        let not_sign = self.not_sign()?;
        let mut register = self.read(value)?;
        for time in 0..times {
            let higher = self.registers.take()?;
            self.registers.neighbours(higher, register);
            self.registers.write(Logic::Nor, GATE, &[register]);
            if time == 0 {
                self.done(value);
            } else {
                self.registers.give_back(register);
            }
            let sign = self.registers.take()?;
            self.registers.write(Logic::Nor, sign, &[GATE, not_sign]);
            if time + 1 == times {
                self.registers.give_back(not_sign);
            }
            register = self.registers.take()?;
            self.registers.write(Logic::Or, register, &[higher, sign]);
            self.registers.give_back(higher);
            self.registers.give_back(sign);
        }
        Some(register)
    }

    /// Halves a number in `R12`, which keeps the sign because only the other bits are written: where `R0` is 1.
    fn halve_gated(&mut self, value: Value, times: u32) -> Option<Dreg> {
        let register = self.read(value)?;
        self.registers.open();
        self.registers.write(Logic::Or, GATED, &[register]);
        self.registers.write(Logic::Or, GATE, &Direction::ALL.map(Direction::switch));
        self.registers.neighbours(GATED, register);
        self.done(value);
        let target = self.registers.take()?;
        self.registers.write(Logic::Or, target, &[GATED]);
        for _ in 1..times {
            self.registers.neighbours(GATED, target);
            self.registers.write(Logic::Or, target, &[GATED]);
        }
        Some(target)
    }

    /// Marks all bits but the sign; every PE reads the next higher bit.
    fn not_sign(&mut self) -> Option<Dreg> {
        let not_sign = self.registers.take()?;
        self.registers.write(Logic::Or, not_sign, &Direction::ALL.map(Direction::switch));
        Some(not_sign)
    }

    /// A register for a bit that is read before the directions change.
    fn passing(&mut self) -> Option<Dreg> {
        if self.is_tight { self.registers.borrow() } else { self.registers.take() }
    }

    /// Replaces negative numbers by 0: the sign is spread to all bits below.
    pub(super) fn rectify(&mut self, value: Value) -> Option<Dreg> {
        self.registers.look_higher(self.is_tight)?;
        let register = self.read(value)?;
        let complement = self.registers.take()?;
        self.registers.write(Logic::Nor, complement, &[register]);
        self.done(value);
        self.spread(complement)?;
        let target = self.registers.take()?;
        self.registers.write(Logic::Nor, target, &[complement, GATED]);
        self.registers.give_back(complement);
        Some(target)
    }

    /// Makes all bits 1 where the first number is greater. If the signs are equal, that is the borrow into the sign
    /// when the first number is subtracted from the second, otherwise the sign of the second.
    pub(super) fn greater(&mut self, first: Value, second: Value) -> Option<Dreg> {
        let (a, b) = (self.read(first)?, self.read(second)?);
        let neither = self.registers.nor(&[a, b])?;
        self.registers.open();
        self.registers.write(Logic::Nor, GATED, &[b, neither]);
        self.done(second);
        let only_b = self.registers.nor(&[a, neither])?;
        self.done(first);
        self.registers.write(Logic::Nor, GATE, &[only_b, GATED]);
        self.registers.give_back(neither);
        self.registers.give_back(only_b);
        self.registers.look_lower()?;
        self.ripple(self.bits - 1)?;
        let neither = self.passing()?;
        self.registers.write(Logic::Nor, neither, &[GATE, GATED]);
        let only_borrow = self.passing()?;
        self.registers.write(Logic::Nor, only_borrow, &[GATE, neither]);
        let only_equal = self.passing()?;
        self.registers.write(Logic::Nor, only_equal, &[GATED, neither]);
        self.registers.give_back(neither);
        let complement = self.registers.take()?;
        self.registers.write(Logic::Or, complement, &[only_borrow, only_equal]);
        self.registers.give_back(only_borrow);
        self.registers.give_back(only_equal);
        self.registers.look_higher(self.is_tight)?;
        self.spread(complement)?;
        self.registers.give_back(complement);
        let target = self.registers.take()?;
        self.registers.write(Logic::Or, target, &[GATED]);
        Some(target)
    }

    /// Spreads the sign to all bits of `R12`, given the complement of a number; every PE reads the next higher bit.
    fn spread(&mut self, complement: Dreg) -> Option<()> {
        let not_sign = self.not_sign()?;
        self.registers.open();
        self.registers.write(Logic::Nor, GATED, &[complement, not_sign]);
        if self.carry == Carry::Steps {
            self.registers.write(Logic::Or, GATE, &[not_sign]);
        }
        self.registers.give_back(not_sign);
        self.ripple(self.bits - 1)
    }
}
