//! Order: sizes, extremes, middles, and how many of some bits are 1.

use std::collections::BTreeSet;

use cain_isa::Displacement;
use cain_vision::declaration::{Arithmetic, Operation};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::numbers::{arithmetic, negative};
use super::operator::numbered;
use super::thing::Thing;
use super::{Lowering, Made, Told};
use crate::vision::tree::Comparison;

impl Lowering<'_> {
    pub(super) fn abs(&mut self, x: &Thing, at: Span) -> Made<Thing> {
        match x {
            Thing::Constant(constant) => Ok(Thing::Constant(constant.abs())),
            Thing::Number(number) => {
                Ok(numbered(arithmetic(Arithmetic::Max, number.clone(), negative(number.clone()))))
            }
            Thing::Levels(_) => {
                let of = self.levels_value(x, at)?;
                Ok(Thing::Levels(Linear::plane(self.define(Operation::Abs(of), at)?)))
            }
            other => Err(self.expected("levels or a number", other, "", at)),
        }
    }

    pub(super) fn extreme(&mut self, is_largest: bool, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        match (a, b) {
            (Thing::Constant(a), Thing::Constant(b)) => {
                Ok(Thing::Constant(if is_largest == (a > b) { *a } else { *b }))
            }
            _ if self.are_digits(a, b) => {
                let Thing::Bits(less) = self.compare_digits(Comparison::Less, a, b, at)? else {
                    return Err(Told);
                };
                let less = self.bit(less, at)?;
                if is_largest { self.select(less, b, a, at) } else { self.select(less, a, b, at) }
            }
            (Thing::Levels(_), _) | (_, Thing::Levels(_)) => {
                let (a, b) = (self.levels_value(a, at)?, self.levels_value(b, at)?);
                let operation = if is_largest { Operation::Max(a, b) } else { Operation::Min(a, b) };
                Ok(Thing::Levels(Linear::plane(self.define(operation, at)?)))
            }
            _ => {
                for of in [a, b] {
                    if !matches!(of, Thing::Number(_) | Thing::Constant(_)) {
                        return Err(self.expected("levels or numbers", of, "", at));
                    }
                }
                let (a, b) = (self.number(a, at)?, self.number(b, at)?);
                let operation = if is_largest { Arithmetic::Max } else { Arithmetic::Min };
                Ok(numbered(self.small_number(arithmetic(operation, a, b), at)?))
            }
        }
    }

    /// The middle one of what the PEs around have for which a matrix has a weight.
    pub(super) fn middle_of(&mut self, x: &Thing, shape: &Thing, at: Span) -> Made<Thing> {
        let square = (-1..=1).flat_map(|y| (-1..=1).map(move |x| Displacement::new(x, y)));
        if let (Thing::Levels(_), Thing::Kernel(weights)) = (x, shape)
            && weights.iter().filter(|(_, weight)| !weight.is_zero()).map(|(by, _)| *by).collect::<BTreeSet<_>>()
                == square.collect()
        {
            // Columns are sorted once for three PEs.
            let of = self.levels_value(x, at)?;
            self.spend(40, at)?;
            let made = self.builder.median_of_nine(of);
            let median = self.built(made, at)?;
            return Ok(Thing::Levels(Linear::plane(self.note(median, at))));
        }
        let around = self.neighbours(x, shape, at)?;
        self.middle(&around, at)
    }

    /// The middle one of an odd number of levels, or of bits.
    pub(super) fn middle(&mut self, list: &Thing, at: Span) -> Made<Thing> {
        let list = self.settled(list, at)?;
        let parts = self.elements(list, at)?;
        if parts.len() % 2 == 0 {
            let message = format!("the middle one is that of an odd number of values, not of {}", parts.len());
            return Err(self.wrong(at, message));
        }
        if parts.iter().all(|part| matches!(part, Thing::Bits(_))) {
            let all = u32::try_from(parts.len()).unwrap_or(u32::MAX);
            let of = parts.iter().map(|part| self.bits(part, at)).collect::<Made<Vec<_>>>()?;
            return Ok(Thing::Bits(Bits::count(of, all / 2 + 1, all)));
        }
        // Of one more than half of them, the largest and the smallest one cannot be in the middle.
        let first = parts.len() / 2 + 2;
        let mut rest = parts.into_iter();
        let mut kept: Vec<Thing> = rest.by_ref().take(first).collect();
        while kept.len() > 1 {
            for place in 1..kept.len() {
                self.exchange(&mut kept, place - 1, place, at)?;
            }
            kept.pop();
            for place in (1..kept.len()).rev() {
                self.exchange(&mut kept, place - 1, place, at)?;
            }
            if kept.len() > 1 {
                kept.remove(0);
            }
            kept.extend(rest.next());
        }
        kept.pop().ok_or(Told)
    }

    /// Brings the smaller one of two to the first place.
    pub(super) fn exchange(&mut self, of: &mut [Thing], one: usize, other: usize, at: Span) -> Made<()> {
        self.spend(1, at)?;
        let (Some(a), Some(b)) = (of.get(one).cloned(), of.get(other).cloned()) else { return Ok(()) };
        let (least, most) = (self.extreme(false, &a, &b, at)?, self.extreme(true, &a, &b, at)?);
        if let Some(slot) = of.get_mut(one) {
            *slot = least;
        }
        if let Some(slot) = of.get_mut(other) {
            *slot = most;
        }
        Ok(())
    }

    pub(super) fn list_of_bits(&mut self, list: &Thing, at: Span) -> Made<Vec<Bits>> {
        let parts = match list {
            Thing::Tuple(parts) | Thing::List(parts) => parts,
            other => return Err(self.expected("a list of bits, as in `[b, b@north, b@east]`", other, "", at)),
        };
        parts.iter().map(|part| self.bits(part, at)).collect()
    }

    /// Whether so many neighbours in a ring are 1.
    pub(super) fn run(&mut self, k: &Thing, k_at: Span, ring: &Thing, at: Span) -> Made<Thing> {
        let ring = self.settled(ring, at)?;
        let ring = self.list_of_bits(&ring, at)?;
        let all = i64::try_from(ring.len()).unwrap_or(i64::MAX);
        let k = self.known_within(k, 1, all, "a number of bits", k_at)?;
        let k = usize::try_from(k).unwrap_or(1);
        self.spend(ring.len() * k, at)?;
        let from = |start: usize| Bits::and(ring.iter().cycle().skip(start).take(k).cloned().collect());
        let starts = if k == ring.len() { 1 } else { ring.len() };
        let bits = Bits::or((0..starts).map(from).collect());
        Ok(Thing::Bits(self.small(bits, at)?))
    }

    pub(super) fn at_least(&mut self, k: &Thing, k_at: Span, bits: &Thing, at: Span) -> Made<Thing> {
        let of = self.list_of_bits(bits, at)?;
        let all = u32::try_from(of.len()).unwrap_or(u32::MAX);
        let k = self.known_within(k, 0, i64::from(all), "a number of bits", k_at)?;
        if k == 0 {
            return Ok(Thing::Bits(self.bits(&Thing::Truth(true), at)?));
        }
        let bits = Bits::count(of, u32::try_from(k).unwrap_or(0), all);
        Ok(Thing::Bits(self.small(bits, at)?))
    }
}
