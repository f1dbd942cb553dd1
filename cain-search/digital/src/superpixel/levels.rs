//! Analogue levels as functions of bits.

use std::collections::BTreeMap;

use crate::prove::{Bdd, Function, TooLarge, Variable};

/// An analogue value as a function of bits: for each possible level, in DN, the condition under which it has that
/// level. Under other conditions, the value is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Level(BTreeMap<i32, Function>);

/// The most pairs of levels that may be added.
const MOST_PAIRS: usize = 1 << 12;
/// The largest magnitude of a level in an analogue cell.
const MAX_MAGNITUDE: i32 = 128;

impl Level {
    /// The level that does not depend on bits.
    pub(super) fn constant(level: i32) -> Self {
        Self(BTreeMap::from([(level, Function::TRUE)]))
    }

    /// The levels of numbers with these bits, lowest bit first; the highest bit is a sign if the numbers are signed.
    pub(super) fn of_bits(
        bdd: &mut Bdd,
        bits: &[Variable],
        is_signed: bool,
        level: &impl Fn(i64) -> i32,
    ) -> Result<Self, TooLarge> {
        let mut levels = Self::default();
        levels.extend(bdd, bits, is_signed, 0, Function::TRUE, level)?;
        Ok(levels)
    }

    /// Adds the levels of the numbers whose higher bits are fixed.
    fn extend(
        &mut self,
        bdd: &mut Bdd,
        bits: &[Variable],
        is_signed: bool,
        above: i64,
        condition: Function,
        level: &impl Fn(i64) -> i32,
    ) -> Result<(), TooLarge> {
        let (least, most) = match (bits.len(), is_signed) {
            (0, _) => (above, above),
            (64.., true) => (i64::MIN, i64::MAX),
            (count, true) => (-(1 << (count - 1)), (1 << (count - 1)) - 1),
            (count, false) => (above, above + (i64::MAX >> (63 - count.min(63)))),
        };
        // Levels grow with numbers.
        if level(least) == level(most) {
            return self.add(bdd, level(least), condition);
        }
        let Some((&highest, rest)) = bits.split_last() else { return Ok(()) };
        let variable = bdd.variable(highest)?;
        let worth = if is_signed { i64::MIN >> (64 - bits.len()) } else { 1 << rest.len() };
        for (bit, worth) in [(variable.not(), 0), (variable, worth)] {
            let condition = bdd.and(condition, bit)?;
            self.extend(bdd, rest, false, above + worth, condition, level)?;
        }
        Ok(())
    }

    /// Adds a condition under which the value has a level.
    fn add(&mut self, bdd: &mut Bdd, level: i32, condition: Function) -> Result<(), TooLarge> {
        if condition != Function::FALSE {
            let before = self.0.get(&level).copied().unwrap_or(Function::FALSE);
            self.0.insert(level, bdd.or(before, condition)?);
        }
        Ok(())
    }

    /// Minus the sum; unknown where a cell cannot hold it.
    pub(super) fn minus_sum(bdd: &mut Bdd, terms: &[&Self]) -> Result<Self, TooLarge> {
        let mut sum = Self::constant(0);
        for term in terms {
            if sum.0.len() * term.0.len() > MOST_PAIRS {
                return Err(TooLarge);
            }
            let mut next = Self::default();
            for (&a, &of_a) in &sum.0 {
                for (&b, &of_b) in &term.0 {
                    let both = bdd.and(of_a, of_b)?;
                    next.add(bdd, a - b, both)?;
                }
            }
            sum = next;
        }
        sum.0.retain(|level, _| level.abs() <= MAX_MAGNITUDE);
        Ok(sum)
    }

    /// One value where a condition holds, and another one elsewhere.
    pub(super) fn choose(bdd: &mut Bdd, condition: Function, then: &Self, otherwise: &Self) -> Result<Self, TooLarge> {
        let mut chosen = Self::default();
        for (part, condition) in [(then, condition), (otherwise, condition.not())] {
            for (&level, &function) in &part.0 {
                let both = bdd.and(function, condition)?;
                chosen.add(bdd, level, both)?;
            }
        }
        Ok(chosen)
    }

    /// The condition under which the level satisfies `is_one`.
    pub(super) fn any(&self, bdd: &mut Bdd, is_one: impl Fn(i32) -> bool) -> Result<Function, TooLarge> {
        let mut any = Function::FALSE;
        for (_, &function) in self.0.iter().filter(|(level, _)| is_one(**level)) {
            any = bdd.or(any, function)?;
        }
        Ok(any)
    }
}
