//! The functions of the language that cannot be written in it.

use cain_vision::declaration::{Axis, Number, Operation, Side};
use proc_macro2::Span;

use super::bits::Bits;
use super::digits::MOST_CODE;
use super::linear::Linear;
use super::operator::numbered;
use super::thing::{Given, Record, Thing};
use super::{Lowering, Made};

impl Lowering<'_> {
    /// What a function makes of its arguments.
    pub(super) fn builtin(&mut self, name: &str, given: Vec<Option<Given>>, at: Span) -> Made<Thing> {
        if let ("pattern", [rows, columns]) = (name, given.as_slice()) {
            return self.pattern([rows.as_ref(), columns.as_ref()], at);
        }
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
                Thing::Bits(bits) => self.levels_of(std::slice::from_ref(bits), at),
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
            ("neighbours", [(x, _), (shape, shape_at)]) => self.neighbours(x, shape, *shape_at),
            ("reached_from", [(x, _), (shape, shape_at)]) => self.reflected(x, shape, true, *shape_at),
            ("reflected", [(x, _), (shape, shape_at)]) => self.reflected(x, shape, false, *shape_at),
            ("middle", [(list, place)]) => self.middle(list, *place),
            ("middle_of", [(x, _), (shape, shape_at)]) => self.middle_of(x, shape, *shape_at),
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
}
