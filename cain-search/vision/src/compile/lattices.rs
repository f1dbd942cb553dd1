//! Planes that have few levels, some way apart from each other, such as bits that stand for two of them, and numbers that are
//! multiples of another one.

use std::collections::BTreeMap;

use cain_isa::Fraction;
use cain_network::Lattice;

use super::linear::Linear;
use crate::declaration::{Arithmetic, Declaration, Kind, Number, Operation, Statement, Value};

/// All whole numbers.
const WHOLE: Lattice = Lattice { step: Fraction::ONE, ..Lattice::NOTHING };

/// The levels that planes may have, of those that have few, and what numbers may be.
#[derive(Debug, Default)]
pub(super) struct Lattices(BTreeMap<Value, Lattice>);

impl Lattices {
    /// Those of a declaration.
    pub(super) fn of(declaration: &Declaration) -> Self {
        let levels = declaration.inputs.iter().map(|input| input.value);
        let levels = levels.filter(|value| matches!(declaration.values[value.0], Kind::Levels { .. }));
        // Stored pictures have whole DN; of one that the array takes, half a DN more or less does no harm.
        let mut lattices = Self(levels.map(|value| (value, WHOLE)).collect());
        lattices.body(&declaration.body);
        lattices
    }

    /// What is in the middle between the largest value of a sum that is not positive and the least one that is.
    pub(super) fn middle(&self, linear: &Linear) -> Option<f64> {
        let Linear { summands, constant, numbers, .. } = linear;
        let planes = summands.iter().map(|summand| (summand.of, summand.weight));
        let (below, above) = self.sum(planes, *constant, numbers)?.around(0.0, false)?;
        Some(f64::midpoint(below, above))
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            if let Statement::Define { value, operation } = statement {
                let levels = self.levels(operation);
                self.0.extend(levels.map(|levels| (*value, levels)));
            }
            for body in statement.bodies() {
                self.body(body);
            }
            if let Statement::Decide(decision) = statement {
                for joined in &decision.joined {
                    let levels = self.either(joined.then, joined.otherwise);
                    self.0.extend(levels.map(|levels| (joined.value, levels)));
                }
            }
        }
    }

    fn levels(&self, operation: &Operation) -> Option<Lattice> {
        match operation {
            Operation::Sum { summands, constant, numbers } => {
                self.sum(summands.iter().map(|summand| (summand.of, summand.weight)), *constant, numbers)
            }
            Operation::Abs(of) => {
                let levels = self.known(*of)?;
                levels.with(levels.times(Fraction::from(-1))?)
            }
            Operation::Max(a, b) | Operation::Min(a, b) => self.either(*a, *b),
            Operation::Select { then, otherwise, .. } => self.either(*then, *otherwise),
            Operation::Number(number) => self.number(number),
            _ => None,
        }
    }

    fn sum(
        &self,
        mut planes: impl Iterator<Item = (Value, Fraction)>,
        constant: Fraction,
        numbers: &[(Fraction, Value)],
    ) -> Option<Lattice> {
        let first = Lattice { offset: constant, ..Lattice::NOTHING };
        let sum = planes.try_fold(first, |sum, (of, weight)| sum.plus(self.known(of)?.times(weight)?))?;
        let mut numbers = numbers.iter();
        numbers.try_fold(sum, |sum, (weight, of)| sum.plus(self.known(*of).unwrap_or(WHOLE).times(*weight)?))
    }

    fn number(&self, number: &Number) -> Option<Lattice> {
        match number {
            Number::Constant(constant) => Some(Lattice { offset: Fraction::new(*constant, 1)?, ..Lattice::NOTHING }),
            Number::Value(value) => self.known(*value),
            Number::Arithmetic(arithmetic, of) => {
                let [one, other] = of.each_ref().map(|of| self.number(of).unwrap_or(WHOLE));
                match arithmetic {
                    Arithmetic::Add => one.plus(other),
                    Arithmetic::Subtract => one.plus(other.times(Fraction::from(-1))?),
                    Arithmetic::Multiply if one.step.is_zero() => other.times(one.offset),
                    Arithmetic::Multiply if other.step.is_zero() => one.times(other.offset),
                    Arithmetic::Min | Arithmetic::Max => one.with(other),
                    Arithmetic::Multiply | Arithmetic::Divide => None,
                }
            }
            Number::Choice(of) => {
                let [_, then, otherwise] = of.each_ref().map(|of| self.number(of).unwrap_or(WHOLE));
                then.with(otherwise)
            }
            Number::Comparison(..) => None,
        }
    }

    fn either(&self, one: Value, other: Value) -> Option<Lattice> {
        self.known(one)?.with(self.known(other)?)
    }

    fn known(&self, value: Value) -> Option<Lattice> {
        self.0.get(&value).copied()
    }
}
