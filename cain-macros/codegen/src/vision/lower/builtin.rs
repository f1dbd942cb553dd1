//! The functions of the language that cannot be written in it.

use cain_isa::program::Selection;
use cain_vision::declaration::{Arithmetic, Axis, Number, Operation, Side, Value};
use proc_macro2::Span;

use super::bits::Bits;
use super::call::Given;
use super::digits::MOST_CODE;
use super::linear::Linear;
use super::numbers::{arithmetic, negative};
use super::operator::numbered;
use super::thing::{Record, Thing};
use super::{Lowering, Made, Told};

/// Parameters, and whether they have to be given; none for functions of any number of arguments.
type Parameters = Option<&'static [(&'static str, bool)]>;

const FUNCTIONS: [(&str, Parameters); 25] = [
    ("abs", Some(&[("x", true)])),
    ("all", None),
    ("any", Some(&[("bits", true)])),
    ("at_least", Some(&[("k", true), ("bits", true)])),
    ("bounds", Some(&[("bits", true)])),
    ("count", Some(&[("bits", true)])),
    ("digits", Some(&[("x", true), ("n", true)])),
    ("either", None),
    ("events", Some(&[("bits", true), ("most", true)])),
    ("first", Some(&[("bits", true)])),
    ("inside", Some(&[("region", true)])),
    ("is_stable", Some(&[("steps", true)])),
    ("levels", Some(&[("x", true)])),
    ("max", None),
    ("middle", Some(&[("list", true)])),
    ("min", None),
    ("neighbours", Some(&[("x", true), ("shape", true)])),
    ("odd", None),
    ("pattern", Some(&[("rows", true), ("columns", true)])),
    ("point", Some(&[("place", true)])),
    ("reflected", Some(&[("x", true), ("shape", true)])),
    ("region", Some(&[("top", true), ("left", true), ("height", true), ("width", true)])),
    ("run", Some(&[("k", true), ("ring", true)])),
    ("shift", Some(&[("x", true), ("dx", true), ("dy", false)])),
    ("sum", Some(&[("x", true), ("region", false)])),
];

/// The parameters of a function of the language, if there is one.
pub(super) fn parameters(name: &str) -> Option<Parameters> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, parameters)| *parameters)
}

pub(super) fn is_known(name: &str) -> bool {
    parameters(name).is_some()
}

pub(super) fn names<'n>() -> impl Iterator<Item = &'n str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

impl Lowering<'_> {
    /// What a function makes of its arguments.
    pub(super) fn builtin(&mut self, name: &str, given: Vec<Option<Given>>, at: Span) -> Made<Thing> {
        let given: Vec<Given> = given.into_iter().flatten().collect();
        match (name, given.as_slice()) {
            ("abs", [(x, _)]) => self.abs(x, at),
            ("any", [(bits, place)]) => {
                let of = self.bits_value(bits, *place)?;
                Ok(Thing::Condition(self.read(Operation::Any(of), at)?))
            }
            ("count", [(bits, place)]) => {
                let of = self.bits_value(bits, *place)?;
                Ok(Thing::Number(self.read(Operation::Count(of), at)?))
            }
            ("sum", [(x, place)]) => {
                let of = self.levels_value(x, *place)?;
                Ok(Thing::Number(self.read(Operation::Total(of), at)?))
            }
            ("sum", [(x, place), (region, region_at)]) => {
                let bits = self.inside(region, *region_at)?;
                let kept = self.select(bits, x, &Thing::Levels(Linear::default()), *place)?;
                let of = self.levels_value(&kept, *place)?;
                Ok(Thing::Number(self.read(Operation::Total(of), at)?))
            }
            ("bounds", [(bits, place)]) => {
                let of = self.bits_value(bits, *place)?;
                let mut parts = Vec::new();
                for side in [Side::Top, Side::Left, Side::Bottom, Side::Right] {
                    parts.push(Thing::Number(self.read(Operation::Bound(of, side), at)?));
                }
                parts.push(Thing::Condition(self.read(Operation::Any(of), at)?));
                Ok(Thing::Record(Record::Bounds, parts))
            }
            ("first", [(bits, place)]) => {
                let of = self.bits_value(bits, *place)?;
                let row = Thing::Number(self.read(Operation::First(of, Axis::Row), at)?);
                let column = Thing::Number(self.read(Operation::First(of, Axis::Column), at)?);
                let found = Thing::Condition(self.read(Operation::Any(of), at)?);
                Ok(Thing::Record(Record::Point, vec![row, column, found]))
            }
            ("events", [(bits, place), (most, most_at)]) => {
                let of = self.bits_value(bits, *place)?;
                let most = self.known_within(most, 1, 1 << 16, "a number of events", *most_at)?;
                Ok(Thing::Events(of, u32::try_from(most).unwrap_or(1)))
            }
            ("is_stable", [(steps, _)]) => Ok(Thing::Truth(*steps == Thing::UntilStable)),
            ("levels", [(x, place)]) => match x {
                Thing::Digits(bits) => self.levels_of(&bits.clone(), at),
                Thing::Bits(bits) => self.levels_of(&[bits.clone()], at),
                other => Ok(Thing::Levels(self.levels(other, *place)?)),
            },
            ("digits", [(x, place), (count, count_at)]) => {
                let levels = self.levels(x, *place)?;
                let count = self.known_within(count, 1, MOST_CODE, "a number of bits", *count_at)?;
                self.digits(&levels, count, at)
            }
            ("region", [_, _, _, _]) => {
                let parts = given.iter().map(|(number, place)| self.number(number, *place).map(numbered));
                Ok(Thing::Record(Record::Region, parts.collect::<Made<_>>()?))
            }
            ("inside", [(region, place)]) => Ok(Thing::Bits(Bits::plane(self.inside(region, *place)?))),
            ("point", [(place, place_at)]) => self.point(place, *place_at),
            ("shift", [(x, x_at), (pair, pair_at)]) => match pair {
                Thing::Tuple(parts) if parts.len() == 2 => {
                    let parts = parts.iter().map(|part| (part.clone(), *pair_at));
                    let given = core::iter::once((x.clone(), *x_at)).chain(parts).collect();
                    self.shift(given, at)
                }
                other => {
                    Err(self.expected("PEs to the east and to the north, as in `shift(x, 3, -2)`", other, "", *pair_at))
                }
            },
            ("shift", [_, _, _]) => self.shift(given, at),
            ("pattern", [rows, columns]) => {
                let (row, free_row_bits) = self.half(rows)?;
                let (column, free_column_bits) = self.half(columns)?;
                let selection = Selection { row, column, free_row_bits, free_column_bits };
                Ok(Thing::Bits(Bits::plane(self.define(Operation::Pattern(selection), at)?)))
            }
            ("neighbours", [(x, _), (shape, shape_at)]) => self.neighbours(x, shape, false, *shape_at),
            ("reflected", [(x, _), (shape, shape_at)]) => self.neighbours(x, shape, true, *shape_at),
            ("middle", [(list, place)]) => self.middle(list, *place),
            ("run", [(k, k_at), (ring, ring_at)]) => self.run(k, *k_at, ring, *ring_at),
            ("at_least", [(k, k_at), (bits, bits_at)]) => self.at_least(k, *k_at, bits, *bits_at),
            _ => Err(self.wrong(at, format_args!("`{name}` cannot be called like that"))),
        }
    }

    /// What a function of any number of arguments makes of them, or of the elements of its only one.
    pub(super) fn of_any_number(&mut self, name: &str, mut given: Vec<Given>, at: Span) -> Made<Thing> {
        if let [(Thing::List(parts) | Thing::Tuple(parts), place)] = given.as_slice() {
            given = parts.iter().map(|part| (part.clone(), *place)).collect();
        }
        let Some(((first, first_at), others)) = given.split_first() else {
            let message = format!("`{name}` takes at least one argument");
            return Err(self.wrong(at, message));
        };
        if matches!(name, "max" | "min") {
            let mut made = first.clone();
            for (other, _) in others {
                made = self.extreme(name == "max", &made, other, at)?;
            }
            return Ok(made);
        }
        if !matches!(first, Thing::Bits(_) | Thing::Truth(_) | Thing::Condition(_)) {
            return Err(self.expected("bits or truth values", first, "", *first_at));
        }
        let operator = match name {
            "all" => crate::vision::tree::Binary::And,
            "either" => crate::vision::tree::Binary::Or,
            _ => crate::vision::tree::Binary::Xor,
        };
        let mut made = first.clone();
        for (other, _) in others {
            made = self.binary(operator, made, other.clone(), at)?;
        }
        Ok(made)
    }

    /// A number that the controller reads out.
    fn read(&mut self, operation: Operation, at: Span) -> Made<Number> {
        self.define(operation, at).map(Number::Value)
    }

    fn abs(&mut self, x: &Thing, at: Span) -> Made<Thing> {
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

    fn extreme(&mut self, is_largest: bool, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        match (a, b) {
            (Thing::Constant(a), Thing::Constant(b)) => {
                Ok(Thing::Constant(if is_largest == (a > b) { *a } else { *b }))
            }
            (Thing::Levels(_), _) | (_, Thing::Levels(_)) => {
                let (a, b) = (self.levels_value(a, at)?, self.levels_value(b, at)?);
                let operation = if is_largest { Operation::Max(a, b) } else { Operation::Min(a, b) };
                Ok(Thing::Levels(Linear::plane(self.define(operation, at)?)))
            }
            (Thing::Digits(_), _) | (_, Thing::Digits(_)) => {
                let Thing::Bits(less) = self.compare_digits(crate::vision::tree::Comparison::Less, a, b, at)? else {
                    return Err(Told);
                };
                let less = self.bit(less, at)?;
                if is_largest { self.select(less, b, a, at) } else { self.select(less, a, b, at) }
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

    /// The bits of an address that matter, and those that do not.
    fn half(&mut self, (thing, at): &Given) -> Made<(u16, u16)> {
        let (value, free) = match thing {
            Thing::Tuple(parts) if parts.len() == 2 => (parts.first(), parts.get(1)),
            other => (Some(other), None),
        };
        let mut byte = |thing: Option<&Thing>| match thing {
            None => Ok(0),
            Some(thing) => {
                let number = self.known_within(thing, 0, 255, "an address and its free bits", *at)?;
                Ok(u16::try_from(number).unwrap_or(0))
            }
        };
        Ok((byte(value)?, byte(free)?))
    }

    /// The bits of a rectangle.
    fn inside(&mut self, region: &Thing, at: Span) -> Made<Value> {
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
    fn point(&mut self, place: &Thing, at: Span) -> Made<Thing> {
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

    /// A plane moved to the east and to the north.
    fn shift(&mut self, given: Vec<Given>, at: Span) -> Made<Thing> {
        if let [(x, _), (dx @ Thing::Constant(_), _), (dy @ Thing::Constant(_), _)] = given.as_slice() {
            let by = self.displacement(&Thing::Tuple(vec![dx.clone(), dy.clone()]), at)?;
            // What comes from the west moves to the east.
            return self.at(x, -by, at);
        }
        for (number, place) in given.iter().skip(1) {
            self.number(number, *place)?;
        }
        self.of_prelude("shift_by", given, at)
    }

    /// What the PEs around have for which a matrix has a weight, or those on the other side.
    fn neighbours(&mut self, x: &Thing, shape: &Thing, is_reflected: bool, at: Span) -> Made<Thing> {
        let Thing::Kernel(weights) = shape else {
            return Err(self.expected("a shape such as `cross`, `square` or `[[1, 1, 1]]`", shape, "", at));
        };
        let weights = weights.clone();
        let places = weights.into_iter().filter(|(_, weight)| !weight.is_zero());
        let parts = places.map(|(by, _)| self.at(x, if is_reflected { -by } else { by }, at));
        Ok(Thing::List(parts.collect::<Made<_>>()?))
    }

    /// The middle one of an odd number of levels, or of bits.
    fn middle(&mut self, list: &Thing, at: Span) -> Made<Thing> {
        let parts = self.elements(list.clone(), at)?;
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
    fn exchange(&mut self, of: &mut [Thing], one: usize, other: usize, at: Span) -> Made<()> {
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

    fn list_of_bits(&mut self, list: &Thing, at: Span) -> Made<Vec<Bits>> {
        let parts = match list {
            Thing::Tuple(parts) => parts.clone(),
            other => self.elements(other.clone(), at)?,
        };
        parts.iter().map(|part| self.bits(part, at)).collect()
    }

    /// Whether so many neighbours in a ring are 1.
    fn run(&mut self, k: &Thing, k_at: Span, ring: &Thing, at: Span) -> Made<Thing> {
        let ring = self.list_of_bits(ring, at)?;
        let all = i64::try_from(ring.len()).unwrap_or(i64::MAX);
        let k = self.known_within(k, 1, all, "a number of bits", k_at)?;
        let k = usize::try_from(k).unwrap_or(1);
        self.spend(ring.len() * k, at)?;
        let from = |start: usize| Bits::and(ring.iter().cycle().skip(start).take(k).cloned().collect());
        let starts = if k == ring.len() { 1 } else { ring.len() };
        let bits = Bits::or((0..starts).map(from).collect());
        Ok(Thing::Bits(self.small(bits, at)?))
    }

    fn at_least(&mut self, k: &Thing, k_at: Span, bits: &Thing, at: Span) -> Made<Thing> {
        let of = self.list_of_bits(bits, at)?;
        let all = u32::try_from(of.len()).unwrap_or(u32::MAX);
        let k = self.known_within(k, 0, i64::from(all), "a number of bits", k_at)?;
        let bits = Bits::count(of, u32::try_from(k).unwrap_or(0), all);
        Ok(Thing::Bits(self.small(bits, at)?))
    }
}
