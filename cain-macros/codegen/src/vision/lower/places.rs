//! Planes of bits at places of the array, and planes that move.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use cain_isa::program::Selection;
use cain_isa::{Displacement, Fraction};
use cain_vision::declaration::{Arithmetic, Number, Operation, Value};
use proc_macro2::Span;

use super::bits::Bits;
use super::numbers::arithmetic;
use super::thing::{Given, Record, Thing, whole};
use super::{Lowering, Made, Told};

/// What is said about a shape that the controller would choose.
pub(super) const SHAPES: &str = "shapes are known while the program is compiled; choose between planes that are made with each, as in \
                                 `if on { dilate(b, square) } else { dilate(b, cross) }`";

impl Lowering<'_> {
    /// The PEs whose addresses agree with values, but for free bits: all rows, or all columns, if nothing is given for them.
    pub(super) fn pattern(&mut self, [rows, columns]: [Option<&Given>; 2], at: Span) -> Made<Thing> {
        let all = [0, 255].map(|byte| (Thing::Constant(Fraction::from(byte)), at));
        let mut half = |given: Option<&Given>| given.map_or(Ok(all.clone()), |given| self.half(given));
        let halves = [half(rows)?, half(columns)?];
        if halves.iter().flatten().any(|(part, _)| !matches!(part, Thing::Constant(_))) {
            // Numbers of the controller, which are divided without a rest.
            let number = |(part, at): Given| {
                let constant = if let Thing::Constant(constant) = part { whole(constant) } else { None };
                (constant.map_or(part, |constant| Thing::Number(Number::Constant(constant))), at)
            };
            return self.of_prelude("pattern_by", halves.into_iter().flatten().map(number).collect(), at);
        }
        let mut bytes = [[0; 2]; 2];
        for (bytes, half) in bytes.iter_mut().zip(&halves) {
            for (byte, (thing, place)) in bytes.iter_mut().zip(half) {
                let number = self.known_within(thing, 0, 255, "an address or its free bits", *place)?;
                *byte = u16::try_from(number).unwrap_or(0);
            }
        }
        let [[row, free_row_bits], [column, free_column_bits]] = bytes;
        let selection = Selection { row, column, free_row_bits, free_column_bits };
        Ok(Thing::Bits(Bits::plane(self.define(Operation::Pattern(selection), at)?)))
    }

    /// The rows or the columns of a pattern: the address, and the bits of it that do not matter.
    fn half(&mut self, (thing, at): &Given) -> Made<[Given; 2]> {
        let none = Thing::Constant(Fraction::ZERO);
        let parts = match thing {
            Thing::Tuple(parts) => parts.clone(),
            other => vec![other.clone(), none],
        };
        match <[Thing; 2]>::try_from(parts) {
            Ok(parts) => {
                for part in &parts {
                    self.number(part, *at)?;
                }
                Ok(parts.map(|part| (part, *at)))
            }
            Err(_) => Err(self.expected("an address and its free bits, as in `(1, 0xFE)`", thing, "", *at)),
        }
    }

    /// The bits of a rectangle.
    pub(super) fn inside(&mut self, region: &Thing, at: Span) -> Made<Value> {
        let numbers = |lowering: &mut Self, parts: &[Thing]| {
            parts.iter().map(|part| lowering.number(part, at)).collect::<Made<Vec<Number>>>()
        };
        let area = match region {
            Thing::Record(Record::Region, parts) => numbers(self, parts)?,
            Thing::Tuple(parts) if parts.len() == 4 => numbers(self, parts)?,
            Thing::Record(Record::Bounds, parts) => {
                let parts = numbers(self, parts)?;
                let [top, left, bottom, right, found] = <[Number; 5]>::try_from(parts).map_err(|_| Told)?;
                let along = |first: &Number, last: Number| {
                    let count = arithmetic(Arithmetic::Subtract, last, first.clone());
                    let count = arithmetic(Arithmetic::Add, count, Number::Constant(1));
                    arithmetic(Arithmetic::Multiply, count, found.clone())
                };
                let (height, width) = (along(&top, bottom), along(&left, right));
                vec![top, left, height, width]
            }
            other => {
                let what = "a region, a box, or four numbers `(top, left, height, width)`";
                return Err(self.expected(what, other, "", at));
            }
        };
        let area = <[Number; 4]>::try_from(area).map_err(|_| Told)?;
        self.define(Operation::Inside { area }, at)
    }

    /// The bit of one PE; none where the point was not found.
    pub(super) fn point(&mut self, place: &Thing, at: Span) -> Made<Thing> {
        let (parts, found) = match place {
            Thing::Record(Record::Point, parts) => (parts, parts.get(2)),
            Thing::Tuple(parts) if parts.len() == 2 => (parts, None),
            other => return Err(self.expected("a point, or two numbers `(row, column)`", other, "", at)),
        };
        let mut numbers = parts.iter().take(2).map(|part| self.number(part, at)).collect::<Made<Vec<_>>>()?;
        let height = match found {
            Some(found) => self.number(found, at)?,
            None => Number::Constant(1),
        };
        numbers.extend([height, Number::Constant(1)]);
        let area = <[Number; 4]>::try_from(numbers).map_err(|_| Told)?;
        Ok(Thing::Bits(Bits::plane(self.define(Operation::Inside { area }, at)?)))
    }

    /// A plane moved to the east and to the north: first by what is known while the program is compiled.
    pub(super) fn shift(&mut self, given: Vec<Given>, at: Span) -> Made<Thing> {
        let zero = Thing::Constant(Fraction::ZERO);
        let [(x, x_at), (dx, dx_at), (dy, dy_at)] = <[Given; 3]>::try_from(given).map_err(|_| Told)?;
        let [(known_x, left_x), (known_y, left_y)] = [dx, dy].map(|by| match by {
            Thing::Constant(_) => (by, zero.clone()),
            _ => (zero.clone(), by),
        });
        let by = self.displacement(&Thing::Tuple(vec![known_x, known_y]), at)?;
        // What comes from the west moves to the east.
        let moved = self.at(&x, -by, at)?;
        if left_x == zero && left_y == zero {
            return Ok(moved);
        }
        for (number, place) in [(&left_x, dx_at), (&left_y, dy_at)] {
            self.number(number, place)?;
        }
        self.of_prelude("shift_by", vec![(moved, x_at), (left_x, dx_at), (left_y, dy_at)], at)
    }

    /// What the PEs of a shape have, in its order.
    pub(super) fn neighbours(&mut self, x: &Thing, shape: &Thing, at: Span) -> Made<Thing> {
        let shape = self.shape(shape, at)?;
        self.around(x, shape, at)
    }

    /// What the PEs on the other side of a shape have; with `is_grown`, and the PE itself.
    pub(super) fn reflected(&mut self, x: &Thing, shape: &Thing, is_grown: bool, at: Span) -> Made<Thing> {
        let mut shape: BTreeSet<_> = self.shape(shape, at)?.into_iter().collect();
        if is_grown {
            shape.insert(Displacement::ZERO);
        }
        self.around(x, shape.into_iter().map(|by| -by), at)
    }

    fn around(&mut self, x: &Thing, places: impl IntoIterator<Item = Displacement>, at: Span) -> Made<Thing> {
        let x = self.settled(x, at)?;
        let parts = places.into_iter().map(|by| self.at(&x, by, at));
        Ok(Thing::List(parts.collect::<Made<_>>()?))
    }

    /// The places where a matrix has a weight, row by row from the north-west, or those of a list of directions, as often as it has
    /// them.
    fn shape(&mut self, shape: &Thing, at: Span) -> Made<Vec<Displacement>> {
        let what = "a shape such as `cross`, `square`, `[[1, 1, 1]]` or `[north, east]`";
        let places: Vec<_> = match shape {
            Thing::List(_) if shape.leaves().iter().any(|part| matches!(part, Thing::Number(_))) => {
                return Err(self.wrong(at, SHAPES));
            }
            Thing::Kernel(weights) => {
                let mut places: Vec<_> =
                    weights.iter().filter(|(_, weight)| !weight.is_zero()).map(|(by, _)| *by).collect();
                places.sort_by_key(|by| (Reverse(by.y), by.x));
                places
            }
            Thing::List(parts) => parts.iter().map(|part| self.displacement(part, at)).collect::<Made<_>>()?,
            other => return Err(self.expected(what, other, "", at)),
        };
        if places.is_empty() {
            return Err(self.wrong(at, format_args!("expected {what}; this one has no place")));
        }
        Ok(places)
    }
}
