//! Operators.

use cain_isa::Fraction;
use cain_vision::declaration::{Arithmetic, Comparison as Compares, Number};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::numbers::{arithmetic, comparison, negative, not, remainder};
use super::thing::Thing;
use super::{Lowering, Made};
use crate::vision::tree::Binary;

pub(super) const TOO_LARGE: &str = "the numbers here are too large to be handled exactly";

/// A number, as a constant if it is known.
pub(super) fn numbered(number: Number) -> Thing {
    match number {
        Number::Constant(constant) => Fraction::new(constant, 1).map_or(Thing::Number(number), Thing::Constant),
        number => Thing::Number(number),
    }
}

/// A truth value, as a constant if it is known.
pub(super) fn conditional(number: Number) -> Thing {
    match number {
        Number::Constant(truth) => Thing::Truth(truth != 0),
        number => Thing::Condition(number),
    }
}

impl Lowering<'_> {
    pub(super) fn negative(&mut self, of: &Thing, at: Span) -> Made<Thing> {
        match of {
            Thing::Constant(constant) => Ok(Thing::Constant(constant.negated())),
            Thing::Number(number) => Ok(numbered(negative(number.clone()))),
            Thing::Levels(_) | Thing::Kernel(_) => self.scaled(of, Fraction::ONE.negated(), at),
            Thing::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.negative(part, at)).collect::<Made<_>>()?;
                Ok(Thing::Tuple(parts))
            }
            _ => Err(self.expected("levels or a number behind `-`", of, "", at)),
        }
    }

    pub(super) fn not(&mut self, of: &Thing, at: Span) -> Made<Thing> {
        match of {
            Thing::Truth(truth) => Ok(Thing::Truth(!truth)),
            Thing::Condition(number) => Ok(conditional(not(number.clone()))),
            Thing::Bits(bits) => Ok(Thing::Bits(bits.clone().not())),
            Thing::Levels(_) => Err(self.expected("bits or a truth value behind `!`", of, "; the negative is `-`", at)),
            _ => Err(self.expected("bits or a truth value behind `!`", of, "", at)),
        }
    }

    pub(super) fn binary(&mut self, operator: Binary, a: Thing, b: Thing, at: Span) -> Made<Thing> {
        match operator {
            Binary::Range => {
                for end in [&a, &b] {
                    self.number(end, at)?;
                }
                Ok(Thing::Range(Box::new([a, b])))
            }
            Binary::Or | Binary::Xor | Binary::And => self.logic(operator, &a, &b, at),
            Binary::Compare(comparison) => self.compare(comparison, &a, &b, at),
            Binary::Add | Binary::Subtract => self.sum(operator == Binary::Subtract, &a, &b, at),
            Binary::Multiply => self.product(&a, &b, at),
            Binary::Divide => self.quotient(&a, &b, at),
            Binary::Rest => self.rest(&a, &b, at),
        }
    }

    fn logic(&mut self, operator: Binary, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        if let (Thing::Truth(truth), other) | (other, Thing::Truth(truth)) = (a, b)
            && matches!(other, Thing::Truth(_) | Thing::Condition(_) | Thing::Bits(_))
        {
            return match (operator, truth) {
                (Binary::Or | Binary::Xor, false) | (Binary::And, true) => Ok(other.clone()),
                (Binary::Xor, true) => self.not(&other.clone(), at),
                _ if matches!(other, Thing::Bits(_)) => Ok(Thing::Bits(self.bits(&Thing::Truth(*truth), at)?)),
                (_, truth) => Ok(Thing::Truth(*truth)),
            };
        }
        if let (Thing::Condition(a), Thing::Condition(b)) = (a, b) {
            let (a, b) = (a.clone(), b.clone());
            let number = match operator {
                Binary::Or => arithmetic(Arithmetic::Max, a, b),
                Binary::And => arithmetic(Arithmetic::Min, a, b),
                _ => not(comparison(Compares::Equal, a, b)),
            };
            return Ok(conditional(self.small_number(number, at)?));
        }
        let sign = match operator {
            Binary::Or => "|",
            Binary::And => "&",
            _ => "^",
        };
        for of in [a, b] {
            if !matches!(of, Thing::Truth(_) | Thing::Condition(_) | Thing::Bits(_)) {
                let help = match of {
                    Thing::Levels(_) => "; compare it, as in `image > 40`",
                    Thing::Number(_) | Thing::Constant(_) => "; compare it, as in `n > 0`",
                    _ => "",
                };
                return Err(self.expected(&format!("bits or truth values around `{sign}`"), of, help, at));
            }
        }
        let (a, b) = (self.bits(a, at)?, self.bits(b, at)?);
        let bits = match operator {
            Binary::Or => Bits::or(vec![a, b]),
            Binary::And => Bits::and(vec![a, b]),
            _ => Bits::xor(a, b),
        };
        Ok(Thing::Bits(self.small(bits, at)?))
    }

    /// A sum, or a difference.
    pub(super) fn sum(&mut self, is_difference: bool, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        let factor = if is_difference { Fraction::ONE.negated() } else { Fraction::ONE };
        match (a, b) {
            (Thing::Constant(a), Thing::Constant(b)) => {
                let sum = if is_difference { a.checked_sub(*b) } else { a.checked_add(*b) };
                sum.map(Thing::Constant).ok_or_else(|| self.wrong(at, TOO_LARGE))
            }
            (Thing::Kernel(one), Thing::Kernel(other)) => {
                let mut sum = one.clone();
                for (by, weight) in other {
                    let entry = sum.entry(*by).or_default();
                    *entry = weight
                        .checked_mul(factor)
                        .and_then(|weight| entry.checked_add(weight))
                        .ok_or_else(|| self.wrong(at, TOO_LARGE))?;
                }
                sum.retain(|_, weight| !weight.is_zero());
                Ok(Thing::Kernel(sum))
            }
            (Thing::Kernel(_), _) | (_, Thing::Kernel(_)) => {
                let help = "; multiply it with a plane, as in `[[1, 2, 1]] * image`";
                let other = if matches!(a, Thing::Kernel(_)) { b } else { a };
                Err(self.expected("another matrix beside a matrix", other, help, at))
            }
            _ if self.are_digits(a, b) => self.digit_sum(is_difference, a, b, at),
            (Thing::Levels(_), _) | (_, Thing::Levels(_)) => {
                let (a, b) = (self.levels(a, at)?, self.levels(b, at)?);
                self.spend(a.size() + b.size(), at)?;
                a.plus(&b, factor).map(Thing::Levels).ok_or_else(|| self.wrong(at, TOO_LARGE))
            }
            (Thing::Tuple(one), Thing::Tuple(other)) => {
                if one.len() != other.len() {
                    let message = format!(
                        "expected tuples of one length around `+` and `-`, found {} and {}",
                        a.what(),
                        b.what()
                    );
                    return Err(self.wrong(at, message));
                }
                let parts = one.iter().zip(other).map(|(a, b)| self.sum(is_difference, a, b, at));
                Ok(Thing::Tuple(parts.collect::<Made<_>>()?))
            }
            _ => {
                let sign = if is_difference { "-" } else { "+" };
                let (a, b) = (self.operand(a, sign, at)?, self.operand(b, sign, at)?);
                let operation = if is_difference { Arithmetic::Subtract } else { Arithmetic::Add };
                let number = self.small_number(arithmetic(operation, a, b), at)?;
                Ok(numbered(number))
            }
        }
    }

    /// An operand of arithmetic as a number of the controller.
    fn operand(&mut self, thing: &Thing, sign: &str, at: Span) -> Made<Number> {
        match thing {
            Thing::Bits(_) => {
                let help = "; `|`, `&` and `^` combine bits, and `count(b)` tells how many are 1";
                Err(self.expected(&format!("levels or numbers around `{sign}`"), thing, help, at))
            }
            Thing::Digits(_) if matches!(sign, "*" | "/") => {
                let help = "; `levels(q)` makes levels of them";
                Err(self.expected(&format!("levels or numbers around `{sign}`"), thing, help, at))
            }
            Thing::Levels(_) | Thing::Digits(_) => {
                Err(self.expected(&format!("numbers around `{sign}`"), thing, "", at))
            }
            Thing::Number(_) | Thing::Condition(_) | Thing::Constant(_) | Thing::Truth(_) => self.number(thing, at),
            _ => Err(self.expected(&format!("levels or numbers around `{sign}`"), thing, "", at)),
        }
    }

    /// A multiple of levels or of a matrix.
    pub(super) fn scaled(&mut self, of: &Thing, factor: Fraction, at: Span) -> Made<Thing> {
        let scaled = match of {
            Thing::Levels(linear) => linear.times(factor).map(Thing::Levels),
            Thing::Kernel(weights) => {
                let scaled = weights.iter().map(|(by, weight)| Some((*by, weight.checked_mul(factor)?)));
                scaled.collect::<Option<_>>().map(Thing::Kernel)
            }
            other => Some(other.clone()),
        };
        scaled.ok_or_else(|| self.wrong(at, TOO_LARGE))
    }

    fn product(&mut self, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        match (a, b) {
            (Thing::Constant(a), Thing::Constant(b)) => {
                a.checked_mul(*b).map(Thing::Constant).ok_or_else(|| self.wrong(at, TOO_LARGE))
            }
            (Thing::Constant(factor), of @ (Thing::Levels(_) | Thing::Kernel(_)))
            | (of @ (Thing::Levels(_) | Thing::Kernel(_)), Thing::Constant(factor)) => self.scaled(of, *factor, at),
            (factor @ (Thing::Constant(_) | Thing::Number(_)), Thing::Tuple(parts))
            | (Thing::Tuple(parts), factor @ (Thing::Constant(_) | Thing::Number(_))) => {
                let parts = parts.iter().map(|part| self.product(factor, part, at));
                Ok(Thing::Tuple(parts.collect::<Made<_>>()?))
            }
            (Thing::Kernel(weights), Thing::Levels(linear)) => {
                self.spend(weights.len() * linear.size().max(1), at)?;
                let mut sum = Linear::default();
                for (by, weight) in weights {
                    let moved = linear.at(*by).and_then(|moved| sum.plus(&moved, *weight));
                    sum = moved.ok_or_else(|| self.wrong(at, TOO_LARGE))?;
                }
                Ok(Thing::Levels(sum))
            }
            (Thing::Kernel(_), Thing::Kernel(_)) => Err(self.wrong(at, "matrices cannot be multiplied; multiply one after the \
                                                                       other with the plane, as in `[[1, 1]] * ([[1], [1]] * x)`")),
            (_, Thing::Kernel(_)) => Err(self.wrong(at, "a matrix stands before what it is multiplied with, as in `[[1, 2, 1]] * image`")),
            (Thing::Kernel(_), other) => Err(self.expected("a plane of levels behind a matrix", other, "", at)),
            (Thing::Levels(_), other) | (other, Thing::Levels(_)) => {
                let help = match other {
                    Thing::Bits(_) => "; `if bits { x } else { 0 }` keeps levels where bits are 1",
                    _ => "",
                };
                Err(self.expected("a number that is known while the program is compiled, to multiply levels with", other, help, at))
            }
            _ => {
                let (a, b) = (self.operand(a, "*", at)?, self.operand(b, "*", at)?);
                let number = self.small_number(arithmetic(Arithmetic::Multiply, a, b), at)?;
                Ok(numbered(number))
            }
        }
    }

    fn quotient(&mut self, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        match (a, b) {
            (Thing::Constant(a), Thing::Constant(b)) => match a.checked_div(*b) {
                Some(quotient) => Ok(Thing::Constant(quotient)),
                None if b.is_zero() => Err(self.wrong(at, "this divides by zero")),
                None => Err(self.wrong(at, TOO_LARGE)),
            },
            (Thing::Levels(_) | Thing::Kernel(_), Thing::Constant(divisor)) => {
                match Fraction::ONE.checked_div(*divisor) {
                    Some(factor) => self.scaled(a, factor, at),
                    None => Err(self.wrong(at, "this divides by zero")),
                }
            }
            (Thing::Levels(_) | Thing::Kernel(_), other) => {
                Err(self.expected("a number that is known while the program is compiled, to divide by", other, "", at))
            }
            _ => {
                let (a, b) = (self.operand(a, "/", at)?, self.operand(b, "/", at)?);
                if b == Number::Constant(0) {
                    return Err(self.wrong(at, "this divides by zero"));
                }
                let number = self.small_number(arithmetic(Arithmetic::Divide, a, b), at)?;
                Ok(numbered(number))
            }
        }
    }

    fn rest(&mut self, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        let (a, b) = (self.operand(a, "%", at)?, self.operand(b, "%", at)?);
        if b == Number::Constant(0) {
            return Err(self.wrong(at, "this divides by zero"));
        }
        let a = self.small_number(a, at)?;
        Ok(numbered(self.small_number(remainder(a, b), at)?))
    }
}
