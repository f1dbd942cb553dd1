//! Reads selections of numbers that are far from zero on either side, as exporters write `Hardshrink` and `Softshrink`.

use super::{Made, Reader, constant};
use crate::graph::{Fact, Id};
use crate::kind::Kind;
use crate::op::{Each, Op, Pair};
use crate::tensor::Tensor;

/// A condition that holds for numbers above one limit, and for those below a lesser one.
struct Outside {
    numbers: Id,
    low: Limit,
    high: Limit,
}

/// A limit, and whether numbers that are equal to it are beyond it.
#[derive(Clone, Copy)]
struct Limit {
    at: f64,
    or_equal: bool,
}

impl Limit {
    /// The same limit for the other numbers.
    const fn turned(self) -> Self {
        Self { or_equal: !self.or_equal, ..self }
    }
}

impl Reader<'_> {
    /// A selection, and that of numbers on either side of some that become zero as the sum of those on each side.
    pub(super) fn selected(&mut self) -> Result<Id, String> {
        let found = self.outside(self.id(0)?).map(|(outside, holds)| (outside, if holds { (1, 2) } else { (2, 1) }));
        let Some((outside, (yes, no))) = found else { return self.selection().and_then(|made| self.add(made)) };
        let Outside { numbers, low, high } = outside;
        let fact = self.fact_of(numbers)?;
        let sides = [(high, 1.0), (low, -1.0)]
            .map(|(limit, sign)| Some((limit, self.beyond(self.id(yes).ok()?, numbers, sign)?)));
        let ([Some(above), Some(below)], true) = (sides, fact.kind.is_float() && self.is_zero(self.id(no)?, numbers))
        else {
            return self.selection().and_then(|made| self.add(made));
        };
        let above = self.one_side(&fact, numbers, above, [Pair::Greater, Pair::GreaterOrEqual])?;
        let below = self.one_side(&fact, numbers, below, [Pair::Less, Pair::LessOrEqual])?;
        self.add(Made::New(Op::Pair(Pair::Add), vec![above, below], fact))
    }

    /// Shifted numbers beyond a limit, and zero elsewhere.
    fn one_side(
        &mut self,
        fact: &Fact,
        numbers: Id,
        (limit, shift): (Limit, f64),
        pairs: [Pair; 2],
    ) -> Result<Id, String> {
        let number = |number: f64| constant(Tensor { kind: fact.kind, ..Tensor::scalar(number) });
        let (at, zero, summand) = (self.add(number(limit.at))?, self.add(number(0.0))?, self.add(number(shift))?);
        let [strict, or_equal] = pairs;
        let pair = Op::Pair(if limit.or_equal { or_equal } else { strict });
        let bits = Fact { kind: Kind::Bool, ..fact.clone() };
        let condition = self.add(Made::New(pair, vec![numbers, at], bits))?;
        let shifted = if shift == 0.0 {
            numbers
        } else {
            self.add(Made::New(Op::Pair(Pair::Add), vec![numbers, summand], fact.clone()))?
        };
        self.add(Made::New(Op::Where, vec![condition, shifted, zero], fact.clone()))
    }

    /// The summand of what is these numbers, and possibly a summand times their sign, where their sign is this one.
    fn beyond(&self, id: Id, numbers: Id, sign: f64) -> Option<f64> {
        if id == numbers {
            return Some(0.0);
        }
        let (pair, first, second) = self.pair_of(id)?;
        let of_sign = |id: Id| {
            let (Pair::Mul, first, second) = self.pair_of(id)? else { return None };
            let is_sign = |id: Id| match self.graph.node(id) {
                Some(node) => matches!(*node.op, Op::Each(Each::Sign)) && node.inputs == [numbers],
                None => false,
            };
            let factor = if is_sign(first) { second } else { Some(first).filter(|_| is_sign(second))? };
            Some(self.graph.constant(factor)?.single()? * sign)
        };
        match pair {
            Pair::Sub if first == numbers => of_sign(second).map(|summand| -summand),
            Pair::Add if first == numbers => of_sign(second),
            Pair::Add if second == numbers => of_sign(first),
            _ => None,
        }
    }

    /// Whether something is zero: a number, or these numbers times it.
    fn is_zero(&self, id: Id, numbers: Id) -> bool {
        let is_number = |id: Id| self.graph.constant(id).is_some_and(|constant| constant.single() == Some(0.0));
        let product = self.pair_of(id).filter(|(pair, ..)| *pair == Pair::Mul);
        is_number(id)
            || product.is_some_and(|(_, first, second)| {
                (first == numbers && is_number(second)) || (second == numbers && is_number(first))
            })
    }

    /// What a condition demands of numbers outside of two limits, and whether it holds for these or for all others.
    fn outside(&self, id: Id) -> Option<(Outside, bool)> {
        let node = self.graph.node(id)?;
        match (&*node.op, node.inputs.as_slice()) {
            (Op::Each(Each::Not), &[of]) => self.outside(of).map(|(outside, holds)| (outside, !holds)),
            (Op::Extreme { is_max }, &[first, second]) => {
                let [(numbers, a, is_above), (other, b, is_other_above)] = [self.limit(first)?, self.limit(second)?];
                if numbers != other || is_above == is_other_above {
                    return None;
                }
                let (low, high) = if is_above { (b, a) } else { (a, b) };
                // `And` holds between the limits: `x > low` and `x < high`.
                let (low, high) = if *is_max { (low, high) } else { (high.turned(), low.turned()) };
                (low.at < 0.0 && high.at > 0.0).then_some((Outside { numbers, low, high }, *is_max))
            }
            _ => {
                let (sizes, limit, is_above) = self.limit(id)?;
                let sizes = self.graph.node(sizes).filter(|sizes| matches!(*sizes.op, Op::Each(Each::Abs)))?;
                let high = if is_above { limit } else { limit.turned() };
                let low = Limit { at: -high.at, ..high };
                let numbers = *sizes.inputs.first()?;
                (high.at > 0.0).then_some((Outside { numbers, low, high }, is_above))
            }
        }
    }

    /// The numbers that a node compares with a number, and whether it holds above that or below it.
    fn limit(&self, id: Id) -> Option<(Id, Limit, bool)> {
        let (pair, first, second) = self.pair_of(id).filter(|(pair, ..)| pair.is_comparison())?;
        let single = |id: Id| self.graph.constant(id)?.single();
        let (numbers, at, is_swapped) = match (single(first), single(second)) {
            (None, Some(at)) => (first, at, false),
            (Some(at), None) => (second, at, true),
            _ => return None,
        };
        let or_equal = matches!(pair, Pair::GreaterOrEqual | Pair::LessOrEqual);
        let is_greater = matches!(pair, Pair::Greater | Pair::GreaterOrEqual);
        Some((numbers, Limit { at, or_equal }, is_greater != is_swapped))
    }

    /// A function of two numbers at the same place, and what it reads.
    fn pair_of(&self, id: Id) -> Option<(Pair, Id, Id)> {
        let node = self.graph.node(id)?;
        match (&*node.op, node.inputs.as_slice()) {
            (Op::Pair(pair), &[first, second]) => Some((*pair, first, second)),
            _ => None,
        }
    }
}
