//! From things to values of the declaration.

use cain_analysis::owned::SIDE;
use cain_isa::program::Term;
use cain_isa::{Displacement, Fraction};
use cain_vision::declaration::{Arithmetic, Number, Operation, Value};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::numbers::{arithmetic, size};
use super::thing::{Thing, whole};
use super::{Lowering, Made};

/// The most operations of a Boolean function that is not given a value of its own.
const MOST_LOGIC: usize = 64;
/// The most operations of a number that is not given a value of its own.
const MOST_NUMBER: usize = 16;

impl Lowering<'_> {
    /// The plane of levels.
    pub(super) fn plane(&mut self, linear: &Linear, at: Span) -> Made<Value> {
        if let Some(value) = linear.only() {
            Ok(value)
        } else {
            self.spend(linear.size(), at)?;
            let linear = self.settable(linear, at)?;
            self.define(linear.operation(), at)
        }
    }

    /// The plane of bits.
    pub(super) fn bit(&mut self, bits: Bits, at: Span) -> Made<Value> {
        if let Some(value) = bits.only() {
            Ok(value)
        } else {
            self.spend(bits.size(), at)?;
            self.define(bits.operation(), at)
        }
    }

    /// The number as a value.
    pub(super) fn number_value(&mut self, number: Number, at: Span) -> Made<Value> {
        match number {
            Number::Value(value) => Ok(value),
            number => self.define(Operation::Number(number), at),
        }
    }

    /// The same with values for its sums, Boolean functions and numbers, so that they are made once; but for elements of lists that
    /// are what neighbours have of planes of bits.
    pub(super) fn settled(&mut self, thing: &Thing, at: Span) -> Made<Thing> {
        let is_list = matches!(thing, Thing::List(_));
        let mut leaves = Vec::new();
        let parts = thing.leaves();
        self.spend(parts.len().saturating_sub(1), at)?;
        for leaf in parts {
            leaves.push(match leaf {
                Thing::Levels(linear) => Thing::Levels(Linear::plane(self.plane(&linear, at)?)),
                // Functions of a whole neighbourhood read it where they need it, which takes fewer registers.
                Thing::Bits(ref bits) if is_list && bits.is_neighbour() => leaf,
                Thing::Bits(bits) if bits.known().is_none() => Thing::Bits(Bits::plane(self.bit(bits, at)?)),
                Thing::Number(Number::Constant(_)) | Thing::Condition(Number::Constant(_)) => leaf,
                Thing::Number(number) => Thing::Number(Number::Value(self.number_value(number, at)?)),
                Thing::Condition(number) => Thing::Condition(Number::Value(self.number_value(number, at)?)),
                other => other,
            });
        }
        Ok(thing.with_leaves(&mut leaves.into_iter()))
    }

    /// Keeps what is put together small: parts that are read more than once are copied.
    pub(super) fn small(&mut self, bits: Bits, at: Span) -> Made<Bits> {
        if bits.size() <= MOST_LOGIC { Ok(bits) } else { Ok(Bits::plane(self.bit(bits, at)?)) }
    }

    /// The same for numbers.
    pub(super) fn small_number(&mut self, number: Number, at: Span) -> Made<Number> {
        if size(&number) <= MOST_NUMBER { Ok(number) } else { self.number_value(number, at).map(Number::Value) }
    }

    /// Something as levels, if it can be.
    pub(super) fn levels(&mut self, thing: &Thing, at: Span) -> Made<Linear> {
        match thing {
            Thing::Levels(linear) => Ok(linear.clone()),
            Thing::Constant(constant) => Ok(Linear::constant(*constant)),
            Thing::Number(Number::Constant(constant)) => match Fraction::new(*constant, 1) {
                Some(constant) => Ok(Linear::constant(constant)),
                None => Err(self.wrong(at, "the number is too large for a level")),
            },
            Thing::Number(number) => Ok(Linear::number(self.number_value(number.clone(), at)?)),
            Thing::Bits(_) => {
                Err(self.expected("a plane of levels", thing, "; `if bits { 1 } else { 0 }` makes levels of them", at))
            }
            Thing::Digits(_) => {
                Err(self.expected("a plane of levels", thing, "; `levels(q)` makes levels of them", at))
            }
            _ => Err(self.expected("a plane of levels", thing, "", at)),
        }
    }

    /// Something as a plane of levels.
    pub(super) fn levels_value(&mut self, thing: &Thing, at: Span) -> Made<Value> {
        let levels = self.levels(thing, at)?;
        self.plane(&levels, at)
    }

    /// Something as bits, if it can be.
    pub(super) fn bits(&mut self, thing: &Thing, at: Span) -> Made<Bits> {
        match thing {
            Thing::Bits(bits) => Ok(bits.clone()),
            Thing::Truth(truth) => Ok(Bits::constant(*truth)),
            Thing::Condition(Number::Constant(truth)) => Ok(Bits::constant(*truth != 0)),
            // All rows of the array, or none.
            Thing::Condition(number) => {
                let side = Number::Constant(i64::try_from(SIDE).unwrap_or(i64::MAX));
                let rows = arithmetic(Arithmetic::Multiply, number.clone(), side.clone());
                let zero = Number::Constant(0);
                Ok(Bits::plane(self.define(Operation::Inside { area: [zero.clone(), zero, rows, side] }, at)?))
            }
            Thing::Levels(_) => Err(self.expected("a plane of bits", thing, "; compare it, as in `image > 40`", at)),
            _ => Err(self.expected("a plane of bits", thing, "", at)),
        }
    }

    /// Something as a plane of bits.
    pub(super) fn bits_value(&mut self, thing: &Thing, at: Span) -> Made<Value> {
        let bits = self.bits(thing, at)?;
        self.bit(bits, at)
    }

    /// Something as a number of the controller, if it can be.
    pub(super) fn number(&mut self, thing: &Thing, at: Span) -> Made<Number> {
        match thing {
            Thing::Number(number) | Thing::Condition(number) => Ok(number.clone()),
            Thing::Truth(truth) => Ok(Number::Constant((*truth).into())),
            Thing::Constant(constant) => {
                if let Some(number) = whole(*constant) {
                    if number.unsigned_abs() > Term::LARGEST.unsigned_abs() {
                        let message = format!(
                            "numbers of the controller are exact up to {} only, but this is {number}",
                            Term::LARGEST
                        );
                        return Err(self.wrong(at, message));
                    }
                    Ok(Number::Constant(number))
                } else {
                    let message = format!(
                        "numbers of the controller are whole, but this is {constant}; `n / 4` is a quarter of one, rounded down"
                    );
                    Err(self.wrong(at, message))
                }
            }
            Thing::Bits(_) => {
                let help = "; `any(b)` and `count(b)` make numbers of bits";
                Err(self.expected("a number of the controller", thing, help, at))
            }
            _ => Err(self.expected("a number of the controller", thing, "", at)),
        }
    }

    /// Something as a truth value of the controller, if it is one.
    pub(super) fn condition(&mut self, thing: &Thing, at: Span) -> Made<Number> {
        match thing {
            Thing::Condition(number) => Ok(number.clone()),
            Thing::Truth(truth) => Ok(Number::Constant((*truth).into())),
            Thing::Bits(_) => {
                Err(self.expected("a truth value of the controller", thing, "; `any(b)` tells whether one is 1", at))
            }
            Thing::Number(_) | Thing::Constant(_) => {
                Err(self.expected("a truth value of the controller", thing, "; compare it, as in `n > 0`", at))
            }
            Thing::Levels(_) => {
                Err(self.expected("bits or a truth value", thing, "; compare it, as in `image > 40`", at))
            }
            _ => Err(self.expected("a truth value of the controller", thing, "", at)),
        }
    }

    /// Something as a number that is known while the program is compiled.
    pub(super) fn known(&mut self, thing: &Thing, at: Span) -> Made<Fraction> {
        match thing {
            Thing::Constant(constant) => Ok(*constant),
            Thing::Number(_) => Err(self.wrong(
                at,
                "expected a number that is known while the program is compiled, found one of the controller",
            )),
            _ => Err(self.expected("a number", thing, "", at)),
        }
    }

    /// Something as a whole number within a range.
    pub(super) fn known_within(&mut self, thing: &Thing, least: i64, most: i64, what: &str, at: Span) -> Made<i64> {
        let known = self.known(thing, at)?;
        if let Some(number) = whole(known).filter(|number| (least..=most).contains(number)) {
            Ok(number)
        } else {
            let message = format!("expected {what} from {least} to {most}, found {known}");
            Err(self.wrong(at, message))
        }
    }

    /// Something as PEs to the east and to the north.
    pub(super) fn displacement(&mut self, thing: &Thing, at: Span) -> Made<Displacement> {
        let parts = if let Thing::Tuple(parts) = thing { parts.as_slice() } else { &[] };
        let [x, y] = parts else {
            let what = "PEs to the east and to the north, such as `east` or `(3, -2)`";
            let help = match thing {
                Thing::List(_) => "; an element of a list is read in brackets, as in `x@(ring[0])`",
                _ => "",
            };
            return Err(self.expected(what, thing, help, at));
        };
        if [x, y].iter().any(|part| matches!(part, Thing::Number(_))) {
            let message = "what is read with `@` lies a known number of PEs away; `shift(x, dx, dy)` moves a plane by numbers \
                           of the controller";
            return Err(self.wrong(at, message));
        }
        let side = i64::try_from(SIDE).unwrap_or(i64::MAX);
        let mut along = |part| self.known_within(part, -side, side, "a number of PEs", at);
        let (x, y) = (along(x)?, along(y)?);
        Ok(Displacement::new(i16::try_from(x).unwrap_or(0), i16::try_from(y).unwrap_or(0)))
    }

    /// The message that something else was expected.
    pub(super) fn expected(&mut self, what: &str, found: &Thing, help: &str, at: Span) -> super::Told {
        self.wrong(at, format_args!("expected {what}, found {}{help}", found.what()))
    }
}
