//! Numbers in each PE, of a few bits.

use cain_isa::Fraction;
use cain_vision::declaration::{Arithmetic, Kind, Number, Operation, Value};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::numbers::{arithmetic, remainder};
use super::thing::{Thing, whole};
use super::{Lowering, Made};
use crate::vision::tree::Comparison;

/// The most bits of a number in each PE.
pub(super) const MOST_BITS: i64 = 12;
/// The most bits of a code of levels.
pub(super) const MOST_CODE: i64 = 8;

impl Lowering<'_> {
    /// The code of levels: of 2^n equal steps from −128 to 128, that in which a level is; the first and the last one have all
    /// beyond them.
    pub(super) fn digits(&mut self, levels: &Linear, count: i64, at: Span) -> Made<Thing> {
        let mut rest = levels.clone();
        let mut step = Fraction::from(64);
        let half = Fraction::new(1, 2).unwrap_or_default();
        let mut bits = Vec::new();
        for place in (0..count).rev() {
            let of = self.plane(&rest, at)?;
            // At least 0 is not below it.
            let negative = self
                .plane(&Linear::default().plus(&Linear::plane(of), Fraction::ONE.negated()).unwrap_or_default(), at)?;
            let below = Bits::plane(self.define(Operation::Positive(negative), at)?);
            let bit = self.bit(below.not(), at)?;
            bits.push(Bits::plane(bit));
            if place > 0 {
                // Half of the steps are left, around 0 again.
                let [down, up] =
                    [step.negated(), step].map(|by| Linear::plane(of).plus(&Linear::constant(by), Fraction::ONE));
                let then = self.plane(&down.unwrap_or_default(), at)?;
                let otherwise = self.plane(&up.unwrap_or_default(), at)?;
                rest = Linear::plane(self.define(Operation::Select { bits: bit, then, otherwise }, at)?);
                step = step.checked_mul(half).unwrap_or_default();
            }
        }
        bits.reverse();
        Ok(Thing::Digits(bits))
    }

    /// The middle of the step that codes stand for: each bit adds half of its weight, or subtracts it.
    pub(super) fn levels_of(&mut self, bits: &[Bits], at: Span) -> Made<Thing> {
        let half = Fraction::new(1, 2).unwrap_or_default();
        let mut weight = Fraction::from(64);
        let mut sum = Linear::default();
        for bit in bits.iter().rev() {
            let bits = self.bit(bit.clone(), at)?;
            let then = self.plane(&Linear::constant(weight), at)?;
            let otherwise = self.plane(&Linear::constant(weight.negated()), at)?;
            let part = Linear::plane(self.define(Operation::Select { bits, then, otherwise }, at)?);
            sum = sum.plus(&part, Fraction::ONE).unwrap_or_default();
            weight = weight.checked_mul(half).unwrap_or_default();
        }
        Ok(Thing::Levels(sum))
    }

    /// Whether one of two things is a number of a few bits, and the other one can be.
    pub(super) fn are_digits(&self, a: &Thing, b: &Thing) -> bool {
        let is_other = |of: &Thing| !matches!(of, Thing::Levels(_)) || self.choice_of(of).is_some();
        matches!(a, Thing::Digits(_)) && is_other(b) || matches!(b, Thing::Digits(_)) && is_other(a)
    }

    /// Whether something can be a number of a few bits, if it has a kind that allows it.
    pub(super) fn can_be_digits(&self, thing: &Thing) -> bool {
        matches!(thing, Thing::Constant(_) | Thing::Number(_)) || self.choice_of(thing).is_some()
    }

    /// Two numbers with as many bits as the longer one.
    fn aligned(&mut self, a: &Thing, b: &Thing, at: Span) -> Made<(Vec<Bits>, Vec<Bits>)> {
        let length =
            [a, b].iter().filter_map(|of| if let Thing::Digits(bits) = of { Some(bits.len()) } else { None }).max();
        let length = length.unwrap_or_default();
        Ok((self.digits_like(a, length, at)?, self.digits_like(b, length, at)?))
    }

    /// A number of so many bits.
    pub(super) fn digits_like(&mut self, thing: &Thing, length: usize, at: Span) -> Made<Vec<Bits>> {
        if let Some((bits, sides)) = self.choice_of(thing).cloned() {
            let [then, otherwise] = sides.map(|side| self.digits_like(&side, length, at));
            let mut chosen = Vec::new();
            for (then, otherwise) in then?.into_iter().zip(otherwise?) {
                let bit = Bits::choice(Bits::plane(bits), then, otherwise);
                chosen.push(self.small(bit, at)?);
            }
            return Ok(chosen);
        }
        match thing {
            Thing::Digits(bits) if bits.len() <= length => {
                let mut bits = bits.clone();
                bits.resize(length, Bits::constant(false));
                Ok(bits)
            }
            Thing::Constant(constant) => {
                let most = largest(length);
                let number = whole(*constant).filter(|number| (0..=most).contains(number));
                let Some(number) = number else {
                    let message = format!("{length} bits hold whole numbers from 0 to {most}, not {constant}");
                    return Err(self.wrong(at, message));
                };
                Ok((0..length).map(|place| Bits::constant(number >> place & 1 == 1)).collect())
            }
            Thing::Number(number) => self.digits_of_number(number, length, at),
            other => Err(self.expected(&format!("a plane of numbers of {length} bits"), other, "", at)),
        }
    }

    /// What levels were chosen from, in each PE, if they are nothing else: bits, and what levels are where these are 1 and where
    /// they are 0.
    pub(super) fn choice_of(&self, thing: &Thing) -> Option<&(Value, [Thing; 2])> {
        self.choices.get(&thing.plane()?)
    }

    /// A number of the controller, the same in each PE.
    fn digits_of_number(&mut self, number: &Number, length: usize, at: Span) -> Made<Vec<Bits>> {
        let most = largest(length);
        let value = self.number_value(number.clone(), at)?;
        if let Kind::Number { low, high } = self.builder.kind(value)
            && (low < 0 || high > most)
        {
            let message = format!(
                "{length} bits hold numbers from 0 to {most}, but this one is from {low} to {high}; give it a smaller range, \
                 as in `clamp(n, 0, {most})`"
            );
            return Err(self.wrong(at, message));
        }
        let bits = (0..length).map(|place| {
            let higher = arithmetic(Arithmetic::Divide, Number::Value(value), Number::Constant(1 << place));
            let bit = self.number_value(remainder(higher, Number::Constant(2)), at)?;
            self.bits(&Thing::Condition(Number::Value(bit)), at)
        });
        bits.collect()
    }

    /// A sum or a difference, which ends at the largest number or at 0.
    pub(super) fn digit_sum(&mut self, is_difference: bool, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        let (a, b) = self.aligned(a, b, at)?;
        let mut carry = Bits::constant(false);
        let mut sums = Vec::new();
        for (a, b) in a.into_iter().zip(b) {
            let sum = Bits::xor(Bits::xor(a.clone(), b.clone()), carry.clone());
            sums.push(self.small(sum, at)?);
            let a = if is_difference { a.not() } else { a };
            let both = Bits::and(vec![a.clone(), b.clone()]);
            let one = Bits::and(vec![Bits::or(vec![a, b]), carry]);
            carry = Bits::or(vec![both, one]);
            if carry.known().is_none() {
                carry = Bits::plane(self.bit(carry, at)?);
            }
        }
        let ended = sums.into_iter().map(|sum| {
            if is_difference { Bits::and(vec![sum, carry.clone().not()]) } else { Bits::or(vec![sum, carry.clone()]) }
        });
        let ended = ended.map(|bits| self.small(bits, at)).collect::<Made<_>>()?;
        Ok(Thing::Digits(ended))
    }

    pub(super) fn compare_digits(&mut self, how: Comparison, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        let (a, b) = self.aligned(a, b, at)?;
        let bits = match how {
            Comparison::Equal | Comparison::Unequal => {
                let same = a.into_iter().zip(b).map(|(a, b)| Bits::xor(a, b).not()).collect();
                let same = Bits::and(same);
                if how == Comparison::Equal { same } else { same.not() }
            }
            Comparison::Less => self.is_less(a, b, at)?,
            Comparison::Greater => self.is_less(b, a, at)?,
            Comparison::AtLeast => self.is_less(a, b, at)?.not(),
            Comparison::AtMost => self.is_less(b, a, at)?.not(),
        };
        Ok(Thing::Bits(self.small(bits, at)?))
    }

    /// Where numbers are less than others.
    fn is_less(&mut self, a: Vec<Bits>, b: Vec<Bits>, at: Span) -> Made<Bits> {
        let mut less = Bits::constant(false);
        for (a, b) in a.into_iter().zip(b) {
            // The highest bits that differ decide.
            let below = Bits::and(vec![a.clone().not(), b.clone()]);
            let not_above = Bits::or(vec![a.not(), b]);
            less = Bits::or(vec![below, Bits::and(vec![not_above, less])]);
            less = self.small(less, at)?;
        }
        Ok(less)
    }
}

/// The largest number of so many bits.
fn largest(length: usize) -> i64 {
    (1 << length.min(60)) - 1
}
