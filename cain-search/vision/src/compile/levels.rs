//! Planes of levels other than sums, and comparisons.

use cain_isa::operations::Place;
use cain_isa::program::owned::Step;
use cain_isa::{Bit, Displacement, Fraction, PlaneOperation, Reg};

use super::sums::Linear;
use super::{CompileError, Compiler};
use crate::declaration::{Operation, Value};

impl Compiler<'_> {
    /// A register with a value that may be overwritten: its own after its last use, else that of a copy. Counts a use.
    pub(super) fn take(&mut self, of: Value, value: Value) -> Result<Reg, CompileError> {
        let reg = self.reg(of)?;
        if self.uses.left(of) == 1 {
            self.done(of);
            return Ok(reg);
        }
        let copy = self.free(value)?;
        self.operation(PlaneOperation::Shift { y: copy, x: reg, from: Displacement::ZERO })?;
        self.done(of);
        Ok(copy)
    }

    pub(super) fn abs(&mut self, value: Value, of: Value) -> Result<(), CompileError> {
        let reg = self.reg(of)?;
        if self.uses.left(of) > 1 {
            let y = self.free(value)?;
            self.operation(PlaneOperation::Abs { y, x: reg })?;
            self.done(of);
            self.registers.hold(y, value);
            return Ok(());
        }
        self.done(of);
        self.registers.hold(reg, value);
        let t = self.free(value)?;
        self.operation(PlaneOperation::AbsInPlace { x: reg, t })
    }

    pub(super) fn extreme(&mut self, value: Value, largest: bool, of: [Value; 2]) -> Result<(), CompileError> {
        for operand in of {
            self.make(operand)?;
        }
        // One that is not needed any more is overwritten.
        let [a, b] = if self.uses.left(of[0]) > 1 && self.uses.left(of[1]) == 1 { [of[1], of[0]] } else { of };
        let z = self.reg(b)?;
        let x = self.take(a, value)?;
        self.registers.hold(x, value);
        if z != x {
            let t = self.free(value)?;
            let at = Place::Here;
            self.operation(if largest {
                PlaneOperation::MaxInPlace { x, z, at, t }
            } else {
                PlaneOperation::MinInPlace { x, z, at, t }
            })?;
        }
        self.done(b);
        Ok(())
    }

    pub(super) fn select(&mut self, value: Value, bits: Value, [then, otherwise]: [Value; 2]) -> Result<(), CompileError> {
        let b = Bit::Reg(self.bit(bits)?);
        // Constants need no register.
        if let Some(level) = self.level_of(then) {
            let x = self.take(otherwise, value)?;
            self.registers.hold(x, value);
            self.set_level(level)?;
            self.operation(PlaneOperation::ReplaceByLevel { x, b })?;
            self.done(then);
        } else {
            let z = self.reg(then)?;
            let x = self.take(otherwise, value)?;
            self.registers.hold(x, value);
            if x != z {
                self.operation(PlaneOperation::Replace { x, b, z })?;
            }
            self.done(then);
        }
        self.done(bits);
        Ok(())
    }

    /// Bits where a plane is larger than 0.
    pub(super) fn positive(&mut self, value: Value, of: Value) -> Result<(), CompileError> {
        let linear = self.linear(of);
        // A sum that something else reads too is made.
        let summands = if self.uses.left(of) == 1 { linear.summands.as_slice() } else { &[] };
        match summands {
            [only] if only.at == Displacement::ZERO && linear.is_whole() => {
                let (x, is_above) = (self.reg(only.of)?, only.weight == Fraction::ONE);
                if is_above || only.weight == Fraction::ONE.negated() {
                    let b = self.free_bit(value)?;
                    self.set_level_of(&linear, value)?;
                    self.operation(if is_above {
                        PlaneOperation::AboveMinusLevel { b, x, inverted: false }
                    } else {
                        PlaneOperation::BelowLevel { b, x, t: self.free(value)? }
                    })?;
                    self.read(&linear);
                    self.registers.hold_bit(b, value);
                    return Ok(());
                }
            }
            [one, other] if linear.is_zero() && one.at == Displacement::ZERO && other.at == Displacement::ZERO => {
                let unit = |weight: Fraction| weight == Fraction::ONE || weight == Fraction::ONE.negated();
                if unit(one.weight) && other.weight == one.weight.negated() {
                    let (above, below) =
                        if one.weight == Fraction::ONE { (one.of, other.of) } else { (other.of, one.of) };
                    let (x, z) = (self.reg(above)?, self.reg(below)?);
                    let (b, t) = (self.free_bit(value)?, self.free(value)?);
                    self.operation(PlaneOperation::Above { b, x, z, t, inverted: false })?;
                    self.read(&linear);
                    self.registers.hold_bit(b, value);
                    return Ok(());
                }
            }
            _ => {}
        }
        let x = self.reg(of)?;
        let b = self.free_bit(value)?;
        self.operation(PlaneOperation::Positive { b, x, inverted: false })?;
        self.done(of);
        self.registers.hold_bit(b, value);
        Ok(())
    }

    /// What a plane of one level is.
    fn level_of(&self, value: Value) -> Option<i8> {
        match self.pending.get(&value) {
            Some(Operation::Sum { summands, constant, numbers }) if summands.is_empty() && numbers.is_empty() => {
                let whole = constant.denominator() == 1;
                i8::try_from(constant.numerator()).ok().filter(|_| whole)
            }
            _ => None,
        }
    }

    pub(super) fn set_level(&mut self, level: i8) -> Result<(), CompileError> {
        self.push(Step::Level(level));
        Ok(())
    }

    /// Sets `IN` to the constant and the numbers of a sum.
    pub(super) fn set_level_of(&mut self, linear: &Linear, value: Value) -> Result<(), CompileError> {
        let out = || CompileError::Level(value);
        let constant = linear.constant.numerator();
        if linear.numbers.is_empty() {
            return self.set_level(i8::try_from(constant).map_err(|_| out())?);
        }
        let place = self.numbers.more(1);
        let formula = linear.formula().ok_or_else(out)?;
        self.compute_of(place, formula);
        self.push(Step::LevelOf(place));
        Ok(())
    }
}
