//! Comparisons.

use cain_isa::Fraction;
use cain_vision::declaration::{Comparison as Compares, Number, Operation};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::numbers::{comparison, not};
use super::operator::conditional;
use super::thing::Thing;
use super::{Lowering, Made};
use crate::vision::tree::Comparison;

impl Lowering<'_> {
    pub(super) fn compare(&mut self, how: Comparison, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        match (a, b) {
            (Thing::Constant(a), Thing::Constant(b)) => Ok(Thing::Truth(match how {
                Comparison::Greater => a > b,
                Comparison::AtLeast => a >= b,
                Comparison::Less => a < b,
                Comparison::AtMost => a <= b,
                Comparison::Equal => a == b,
                Comparison::Unequal => a != b,
            })),
            _ if self.are_digits(a, b) => self.compare_digits(how, a, b, at),
            (Thing::Levels(_), _) | (_, Thing::Levels(_)) => {
                let (a, b) = (self.levels(a, at)?, self.levels(b, at)?);
                self.compare_levels(how, &a, &b, at)
            }
            (Thing::Bits(_), _) | (_, Thing::Bits(_)) => self.compare_bits(how, a, b, at),
            (Thing::Tuple(one), Thing::Tuple(other)) if one.len() == other.len() => {
                if !matches!(how, Comparison::Equal | Comparison::Unequal) {
                    return Err(self.wrong(at, "tuples are compared with `==` and `!=` only"));
                }
                let mut all = Thing::Truth(true);
                for (a, b) in one.iter().zip(other) {
                    let same = self.compare(Comparison::Equal, a, b, at)?;
                    all = self.binary(crate::vision::tree::Binary::And, all, same, at)?;
                }
                if how == Comparison::Equal { Ok(all) } else { self.not(&all, at) }
            }
            _ => {
                let (a, b) = (self.compared(a, at)?, self.compared(b, at)?);
                let number = match how {
                    Comparison::Greater => comparison(Compares::Less, b, a),
                    Comparison::AtLeast => comparison(Compares::AtMost, b, a),
                    Comparison::Less => comparison(Compares::Less, a, b),
                    Comparison::AtMost => comparison(Compares::AtMost, a, b),
                    Comparison::Equal => comparison(Compares::Equal, a, b),
                    Comparison::Unequal => not(comparison(Compares::Equal, a, b)),
                };
                Ok(conditional(self.small_number(number, at)?))
            }
        }
    }

    fn compared(&mut self, thing: &Thing, at: Span) -> Made<Number> {
        match thing {
            Thing::Number(_) | Thing::Condition(_) | Thing::Constant(_) | Thing::Truth(_) => self.number(thing, at),
            _ => Err(self.expected("planes or numbers around a comparison", thing, "", at)),
        }
    }

    fn compare_levels(&mut self, how: Comparison, a: &Linear, b: &Linear, at: Span) -> Made<Thing> {
        let (above, below, inverted) = match how {
            Comparison::Greater => (a, b, false),
            Comparison::Less => (b, a, false),
            Comparison::AtLeast => (b, a, true),
            Comparison::AtMost => (a, b, true),
            Comparison::Equal | Comparison::Unequal => {
                let example = if how == Comparison::Equal { "abs(x - y) < 2" } else { "abs(x - y) > 2" };
                let message = format!("levels are never exactly equal; write how near they are, as in `{example}`");
                return Err(self.wrong(at, message));
            }
        };
        self.spend(above.size() + below.size(), at)?;
        let difference = above.clone().plus(below, Fraction::ONE.negated());
        let Some(difference) = difference else {
            return Err(self.wrong(at, "the numbers here are too large to be handled exactly"));
        };
        let of = self.plane(&difference, at)?;
        let bits = Bits::plane(self.define(Operation::Positive(of), at)?);
        Ok(Thing::Bits(if inverted { bits.not() } else { bits }))
    }

    fn compare_bits(&mut self, how: Comparison, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        if !matches!(how, Comparison::Equal | Comparison::Unequal) {
            return Err(self.wrong(
                at,
                "bits are compared with `==` and `!=` only; `b & !c` are those that are 1 where `c` is not",
            ));
        }
        for of in [a, b] {
            if !matches!(of, Thing::Bits(_) | Thing::Truth(_) | Thing::Condition(_)) {
                return Err(self.expected("bits or truth values beside bits", of, "", at));
            }
        }
        let (a, b) = (self.bits(a, at)?, self.bits(b, at)?);
        let differ = Bits::xor(a, b);
        let bits = if how == Comparison::Unequal { differ } else { differ.not() };
        Ok(Thing::Bits(self.small(bits, at)?))
    }
}
