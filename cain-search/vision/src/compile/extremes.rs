//! The larger and the smaller one of two planes.

use cain_analysis::owned::Step;
use cain_isa::operations::Place;
use cain_isa::program::{Held, Term};
use cain_isa::{Cell, Direction, Displacement, Fraction, Instruction, PlaneOperation, Reg, Sum, Word};

use super::{CompileError, Compiler};
use crate::declaration::{Operation, Summand, Value};

impl Compiler<'_> {
    pub(super) fn extreme(&mut self, value: Value, largest: bool, of: [Value; 2]) -> Result<(), CompileError> {
        if of[0] == of[1] {
            self.reg(of[0])?;
            self.done(of[0]);
            let x = self.take(of[0], value)?;
            self.hold_reg(x, value);
            return Ok(());
        }
        if let Some(other) = self.twin(largest, of) {
            let [max, min] = if largest { [value, other] } else { [other, value] };
            return self.exchange(value, other, [max, min], of);
        }
        for (operand, bound) in [(of[0], of[1]), (of[1], of[0])] {
            if let Some(level) = self.level_of(bound).filter(|level| largest || *level > i8::MIN) {
                return self.bounded(value, largest, operand, bound, level);
            }
        }
        for (operand, moved) in [(of[0], of[1]), (of[1], of[0])] {
            if let Some((from, at)) = self.seen(moved) {
                return self.extreme_of_other(value, largest, operand, moved, from, at);
            }
        }
        for operand in of {
            self.make(operand)?;
        }
        // One that is not needed any more is overwritten.
        let [a, b] = if self.uses.left(of[0]) > 1 && self.uses.left(of[1]) == 1 { [of[1], of[0]] } else { of };
        let z = self.reg(b)?;
        let x = self.take(a, value)?;
        self.extreme_at(value, largest, x, z, Place::Here)?;
        self.done(b);
        self.hold_reg(x, value);
        Ok(())
    }

    /// An extreme of a plane and a constant.
    fn bounded(
        &mut self,
        value: Value,
        largest: bool,
        operand: Value,
        bound: Value,
        level: i8,
    ) -> Result<(), CompileError> {
        self.make(operand)?;
        let x = self.take(operand, value)?;
        let operation = match (largest, level) {
            (true, 0) => PlaneOperation::Relu { y: x, x },
            (true, _) => {
                let t = self.free(value)?;
                self.set_level(vec![Term::Constant(level.into())]);
                PlaneOperation::AtLeastLevel { x, t }
            }
            (false, 0) => PlaneOperation::AtMostZero { x },
            (false, _) => {
                self.set_level(vec![Term::Constant((-level).into())]);
                PlaneOperation::AtMostMinusLevel { x }
            }
        };
        self.operation(value, operation)?;
        self.uses.done(bound);
        self.hold_reg(x, value);
        Ok(())
    }

    fn extreme_at(&mut self, value: Value, largest: bool, x: Reg, z: Reg, at: Place) -> Result<(), CompileError> {
        let t = self.free(value)?;
        self.operation(
            value,
            if largest {
                PlaneOperation::MaxInPlace { x, z, at, t }
            } else {
                PlaneOperation::MinInPlace { x, z, at, t }
            },
        )
    }

    /// The other extreme of two planes, if it is needed as well.
    fn twin(&self, largest: bool, of: [Value; 2]) -> Option<Value> {
        let is_twin = |operation: &Operation| match operation {
            Operation::Min(a, b) if largest => [*a, *b] == of || [*b, *a] == of,
            Operation::Max(a, b) if !largest => [*a, *b] == of || [*b, *a] == of,
            _ => false,
        };
        let mut all = self.pending.iter().filter(|(value, _)| self.uses.left(**value) > 0);
        all.find(|(_, operation)| is_twin(operation)).map(|(value, _)| *value)
    }

    /// Sorts two planes in place.
    fn exchange(
        &mut self,
        value: Value,
        other: Value,
        [max, min]: [Value; 2],
        of: [Value; 2],
    ) -> Result<(), CompileError> {
        self.pending.remove(&other);
        for operand in of {
            self.make(operand)?;
            self.done(operand);
        }
        let x = self.take(of[0], max)?;
        let z = self.take(of[1], min)?;
        let t = self.free(value)?;
        // The difference is positive where the second one is larger; −z is still in NEWS where it replaces the first.
        self.transfers(value, &[(Cell::News, &[z.into()]), (t.into(), &[Cell::News, x.into()])])?;
        let sum = Sum::new(&[t.into()]).map_err(|_| CompileError::Unproved(Some(value)))?;
        self.push(Step::Execute(vec![Instruction::Word(Word::Where(sum))]));
        self.transfers(value, &[(x.into(), &[Cell::News]), (z.into(), &[Cell::News, t.into()])])?;
        self.push(Step::Execute(vec![Instruction::Word(Word::All)]));
        self.hold_reg(x, max);
        self.hold_reg(z, min);
        Ok(())
    }

    /// The plane, and where it is read, of one that only moves, is not needed elsewhere and can be seen without a copy.
    fn seen(&self, moved: Value) -> Option<(Value, Place)> {
        let Operation::Sum { summands, constant, numbers } = self.pending.get(&moved)? else { return None };
        let [Summand { of, weight, at }] = summands.as_slice() else { return None };
        let is_plain = *weight == Fraction::ONE && constant.is_zero() && numbers.is_empty();
        let place = place(*at)?;
        (is_plain && self.uses.left(moved) == 1).then_some((*of, place))
    }

    fn extreme_of_other(
        &mut self,
        value: Value,
        largest: bool,
        operand: Value,
        moved: Value,
        from: Value,
        at: Place,
    ) -> Result<(), CompileError> {
        self.pending.remove(&moved);
        self.uses.done(moved);
        self.locking([from], |compiler| {
            compiler.make(operand)?;
            let z = compiler.reg(from)?;
            if from == operand && compiler.uses.left(from) == 2 {
                compiler.done(from);
                compiler.done(from);
                compiler.registers.hold(Held::Reg(z), value);
                compiler.extreme_at(value, largest, z, z, at)?;
                compiler.hold_reg(z, value);
                return Ok(());
            }
            let x = compiler.take(operand, value)?;
            compiler.extreme_at(value, largest, x, z, at)?;
            compiler.done(from);
            compiler.hold_reg(x, value);
            Ok(())
        })
    }
}

/// A displacement of one or two PEs as a place.
pub(super) fn place(at: Displacement) -> Option<Place> {
    let horizontal = if at.x < 0 { Direction::West } else { Direction::East };
    let vertical = if at.y < 0 { Direction::South } else { Direction::North };
    match (at.x.unsigned_abs(), at.y.unsigned_abs()) {
        (1, 0) => Some(Place::At(horizontal)),
        (0, 1) => Some(Place::At(vertical)),
        (2, 0) => Some(Place::Beyond(horizontal, horizontal)),
        (0, 2) => Some(Place::Beyond(vertical, vertical)),
        (1, 1) => Some(Place::Beyond(horizontal, vertical)),
        _ => None,
    }
}
