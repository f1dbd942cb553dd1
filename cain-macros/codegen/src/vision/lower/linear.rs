//! Weighted sums of planes.

use std::collections::BTreeMap;

use cain_isa::{Displacement, Fraction};
use cain_vision::declaration::{Operation, Summand, Value};

/// A weighted sum of planes, plus a constant, plus weighted numbers of the controller.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Linear {
    planes: BTreeMap<(Value, Displacement), Fraction>,
    constant: Fraction,
    numbers: BTreeMap<Value, Fraction>,
}

impl Linear {
    pub(super) fn plane(of: Value) -> Self {
        let planes = [((of, Displacement::ZERO), Fraction::ONE)].into();
        Self { planes, ..Self::default() }
    }

    pub(super) fn constant(constant: Fraction) -> Self {
        Self { constant, ..Self::default() }
    }

    pub(super) fn number(of: Value) -> Self {
        Self { numbers: [(of, Fraction::ONE)].into(), ..Self::default() }
    }

    /// How many summands it has.
    pub(super) fn size(&self) -> usize {
        self.planes.len() + self.numbers.len()
    }

    /// The sum with a multiple of another one; `None` beyond exact arithmetic.
    pub(super) fn plus(mut self, other: &Self, factor: Fraction) -> Option<Self> {
        add_all(&mut self.planes, &other.planes, factor)?;
        add_all(&mut self.numbers, &other.numbers, factor)?;
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(self)
    }

    pub(super) fn times(&self, factor: Fraction) -> Option<Self> {
        Self::default().plus(self, factor)
    }

    /// What another PE has; `None` if that is too far.
    pub(super) fn at(&self, by: Displacement) -> Option<Self> {
        let moved = self.planes.iter().map(|(&(of, at), weight)| Some(((of, at.checked_add(by)?), *weight)));
        Some(Self { planes: moved.collect::<Option<_>>()?, ..self.clone() })
    }

    /// The level, if it is the same everywhere and known.
    pub(super) fn known(&self) -> Option<Fraction> {
        (self.size() == 0).then_some(self.constant)
    }

    /// The plane, if it is nothing else.
    pub(super) fn only(&self) -> Option<Value> {
        let mut planes = self.planes.iter();
        let (&(of, at), &weight) = planes.next().filter(|_| self.planes.len() == 1)?;
        let is_plain = at == Displacement::ZERO && weight == Fraction::ONE;
        (is_plain && self.numbers.is_empty() && self.constant.is_zero()).then_some(of)
    }

    pub(super) fn operation(&self) -> Operation {
        let summands = self.planes.iter().map(|(&(of, at), &weight)| Summand { of, weight, at }).collect();
        let numbers = self.numbers.iter().map(|(of, weight)| (*weight, *of)).collect();
        Operation::Sum { summands, constant: self.constant, numbers }
    }
}

fn add_all<K: Ord + Copy>(
    to: &mut BTreeMap<K, Fraction>,
    from: &BTreeMap<K, Fraction>,
    factor: Fraction,
) -> Option<()> {
    for (key, weight) in from {
        let sum = to.entry(*key).or_default();
        *sum = sum.checked_add(weight.checked_mul(factor)?)?;
        if sum.is_zero() {
            to.remove(key);
        }
    }
    Some(())
}
