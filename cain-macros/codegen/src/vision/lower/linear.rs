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

    /// Its planes, and what is added to them: whole levels, and parts of levels.
    pub(super) fn split(&self) -> (Self, Self, Self) {
        let is_whole = |weight: Fraction| weight.denominator() == 1;
        let numbers = |whole: bool| {
            let numbers = self.numbers.iter().filter(|(_, weight)| is_whole(**weight) == whole);
            numbers.map(|(of, weight)| (*of, *weight)).collect()
        };
        let floor = Fraction::new(self.constant.numerator().div_euclid(self.constant.denominator()), 1);
        let floor = floor.unwrap_or_default();
        let planes = Self { planes: self.planes.clone(), ..Self::default() };
        let whole = Self { constant: floor, numbers: numbers(true), ..Self::default() };
        let parts = self.constant.checked_sub(floor).unwrap_or_default();
        (planes, whole, Self { constant: parts, numbers: numbers(false), ..Self::default() })
    }

    /// Its planes, and their weights.
    pub(super) fn planes(&self) -> impl Iterator<Item = (Value, Fraction)> {
        self.planes.iter().map(|((of, _), weight)| (*of, *weight))
    }

    /// What is added to its planes.
    pub(super) fn added(&self) -> (Fraction, impl Iterator<Item = (Value, Fraction)>) {
        (self.constant, self.numbers.iter().map(|(of, weight)| (*of, *weight)))
    }

    /// The least number whose products with all that is added are whole; `None` if it is too large.
    pub(super) fn denominator(&self) -> Option<i64> {
        let all = self.numbers.values().chain([&self.constant]).map(|weight| weight.denominator());
        all.into_iter().try_fold(1, |one: i64, other| {
            let (mut a, mut b) = (one, other);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            one.checked_mul(other / a)
        })
    }

    /// Whether it is 0 everywhere.
    pub(super) fn is_zero(&self) -> bool {
        self.known().is_some_and(Fraction::is_zero)
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
