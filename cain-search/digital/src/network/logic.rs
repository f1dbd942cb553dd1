//! Makes Boolean functions of words.

use std::collections::{BTreeMap, BTreeSet};

use cain_isa::{Direction, Directions, Displacement};

use super::builder::{Builder, MOST_WORDS, Mark};
use super::columns::{Column, Item, Top};
use super::gates::Value;
use super::number::Bit;
use super::regions::{Plane, Region, Route, any_of};
use super::way::{Start, Way};
use super::wires::Wires;
use crate::Logic;
use crate::prove::{Function, TooLarge, Variable, function_of};
use crate::sums::count;

impl Builder<'_, '_> {
    /// The wires of a simplified function, with the fewest words of several ways; `in_register` tells whether it is
    /// wanted in a register.
    ///
    /// The ways are tried when the function first occurs. It is then often made again, while the ways for its readers
    /// are tried, always in the way that was the shortest.
    pub(super) fn logic(&mut self, logic: &Logic, in_register: bool) -> Option<Wires> {
        if self.effort.is_interrupted() || self.network.gates.len() > MOST_WORDS {
            return None;
        }
        match logic {
            Logic::Constant(value) => return Some(Wires::yes([self.network.any(&[], *value)])),
            Logic::Not(part) if !in_register => return Some(self.logic(part, false)?.complement()),
            Logic::Pixel { .. } => return self.in_parts(logic),
            _ => {}
        }
        let key = (logic.clone(), in_register);
        if let Some(&way) = self.ways.get(&key) {
            return self.made(logic, way).or_else(|| self.in_parts(logic));
        }
        let before = self.mark();
        let mut best: Option<(usize, _, Wires, Way)> = None;
        let short = [false, true].into_iter().flat_map(|counts| Start::ALL.map(|start| Some((start, counts))));
        for way in std::iter::once(None).chain(short) {
            if way.is_some() && !self.effort.may_step() {
                break;
            }
            if let Some(wires) = self.made(logic, way) {
                let cost = self.cost(&before, &wires, in_register);
                if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                    best = Some((cost, self.mark(), wires, way));
                }
            }
            self.return_to(before.clone());
        }
        let (_, after, wires, way) = best?;
        self.return_to(after);
        self.ways.insert(key, way);
        Some(wires)
    }

    /// Makes a function in a way.
    fn made(&mut self, logic: &Logic, way: Way) -> Option<Wires> {
        match way {
            None => self.in_parts(logic),
            Some((start, counts)) => self.short(logic, start, counts),
        }
    }

    /// Twice the number of words since `before` that the wires need, including those that set up directions.
    fn cost(&self, before: &Mark, wires: &Wires, in_register: bool) -> usize {
        let needed = if wires.yes.is_empty() || (!in_register && wires.no.len() == 1) { &wires.no } else { &wires.yes };
        let words = self.network.words_for(needed, before.gates());
        let turns = self.network.turns() - before.turns();
        let has_register = wires.yes.len() == 1 || (!in_register && wires.no.len() == 1);
        2 * (words + 2 * turns) + if has_register { 0 } else { 1 + usize::from(in_register) }
    }

    /// Makes a function of its parts.
    fn in_parts(&mut self, logic: &Logic) -> Option<Wires> {
        match logic {
            Logic::Constant(_) | Logic::All(_) => None,
            Logic::Pixel { input, bit, at } => {
                let plane = self.plane(*input, *bit)?;
                let registers = any_of(&mut self.network, plane, &Region::from([(at.x, at.y)]), self.effort)?;
                Some(Wires::yes(registers))
            }
            Logic::Not(part) => Some(self.logic(part, false)?.complement()),
            Logic::Any(parts) => self.any(parts),
            Logic::Odd(parts) => self.odd(parts),
            Logic::Count { of, least, most } => {
                let bits = self.number_of_ones(of)?;
                self.is_between(&bits, *least, *most)
            }
        }
    }

    /// The register of a bit of an input.
    pub(super) fn plane(&self, input: usize, bit: u32) -> Option<Plane> {
        let register = *self.bits.get(input)?.get(bit as usize)?;
        Some(Plane { register, outside: false, from: Directions::new(&Direction::ALL) })
    }

    /// The OR of parts: parts that differ only in their place are made once and moved, if the values that come in over
    /// the border are right then.
    fn any(&mut self, parts: &[Logic]) -> Option<Wires> {
        let mut groups: BTreeMap<(bool, Logic), BTreeSet<Displacement>> = BTreeMap::new();
        for part in parts {
            let (inverted, part) = match part {
                Logic::Not(part) => (true, &**part),
                part => (false, part),
            };
            let (logic, at) = at_origin(part)?;
            groups.entry((inverted, logic)).or_default().insert(at);
        }
        let mut registers = Vec::new();
        for ((inverted, logic), places) in groups {
            if let Some(found) = self.moved(&logic, inverted, &places) {
                registers.extend(found);
                continue;
            }
            for at in places {
                let mut wires = self.logic(&logic.moved(at)?, false)?;
                if inverted {
                    wires = wires.complement();
                }
                if wires.yes.is_empty() {
                    wires.complete(&mut self.network);
                }
                registers.extend(wires.yes);
            }
        }
        Some(Wires::yes(registers))
    }

    /// The OR of a function, or of its complement, at some places, made by moving one plane.
    fn moved(&mut self, logic: &Logic, inverted: bool, places: &BTreeSet<Displacement>) -> Option<Vec<Value>> {
        let is_pixel = matches!(logic, Logic::Pixel { .. });
        let needs_no_move = places.len() == 1 && !(is_pixel && inverted);
        if needs_no_move && !is_pixel {
            return None;
        }
        let middle = if is_pixel { Displacement::ZERO } else { middle(places)? };
        let logic = logic.moved(middle)?;
        let (outside, from) = self.beyond(&logic)?;
        let region: Region = places.iter().map(|at| (at.x - middle.x, at.y - middle.y)).collect();
        // The route is found first, as making the function would be in vain without one.
        let route = Route::to(&region, from, self.effort)?;
        let mut wires = self.logic(&logic, false)?;
        let register =
            if inverted { wires.complement_register(&mut self.network) } else { wires.register(&mut self.network) };
        Some(route.make(&mut self.network, Plane { register, outside: outside ^ inverted, from }))
    }

    /// The value of a function outside of the array, and the borders beyond which it always has that value.
    fn beyond(&mut self, logic: &Logic) -> Option<(bool, Directions)> {
        let outside = logic.evaluate(&|_, _, _| false);
        let from = self.unchanged_beyond(logic, Function::constant(outside));
        self.effort.step(self.bdd.take_steps());
        Some((outside, from.ok()?))
    }

    /// The borders beyond which a function always has a value.
    fn unchanged_beyond(&mut self, logic: &Logic, value: Function) -> Result<Directions, TooLarge> {
        let function = function_of(&mut self.bdd, logic)?;
        let mut from = Vec::new();
        for direction in Direction::ALL {
            let step = direction.displacement();
            let is_outside = |variable: Variable| variable.x * i32::from(step.x) + variable.y * i32::from(step.y) >= 0;
            if self.bdd.without(function, is_outside)? == value {
                from.push(direction);
            }
        }
        Ok(Directions::new(&from))
    }

    /// 1 if an odd number of parts is 1.
    fn odd(&mut self, parts: &[Logic]) -> Option<Wires> {
        if 3 * parts.len() > MOST_WORDS {
            return None;
        }
        let mut column = Column::default();
        let mut rest: Vec<&Logic> = parts.iter().collect();
        while let Some(part) = rest.pop() {
            let partner = rest.iter().position(|other| opposite(part, other).is_some());
            if let Some((input, bit, from)) = partner.and_then(|place| opposite(part, rest.remove(place))) {
                let mut wires = Wires::yes([self.plane(input, bit)?.register]);
                column.items.push(Item::Pair(self.pair(&mut wires, from, false, false)));
            } else {
                column.items.push(Item::Bit(self.narrow(part)?));
            }
        }
        match self.reduce(&column, Top::Dropped).bit {
            Bit::Wires(wires) => Some(wires),
            Bit::Constant(_) => None,
        }
    }

    /// A function, or its complement, as the OR of at most two registers, as adders require.
    fn narrow(&mut self, logic: &Logic) -> Option<Wires> {
        let wires = self.logic(logic, false)?;
        let is_wide = wires.yes.len().max(wires.no.len()) > 2;
        Some(if is_wide { wires.narrowed(&mut self.network) } else { wires })
    }

    /// The bits of the number of parts that are 1, lowest first.
    pub(super) fn number_of_ones(&mut self, of: &[Logic]) -> Option<Vec<Wires>> {
        let sum = count(of, &self.declaration.inputs);
        if let Some(place) = sum.and_then(|sum| self.counts.iter().position(|known| *known == sum)) {
            let sum = self.declaration.sums().count() + place;
            self.make(sum)?;
            let number = self.sums[sum].clone()?;
            let bits = number.bits.into_iter().map(|bit| match bit {
                Bit::Wires(wires) => Some(wires),
                Bit::Constant(_) => None,
            });
            return bits.collect();
        }
        // Adding three bits takes six words, and leaves one bit.
        if 3 * of.len() > MOST_WORDS {
            return None;
        }
        let mut items = Vec::new();
        for part in of {
            items.push(Item::Bit(self.narrow(part)?));
        }
        let mut bits = Vec::new();
        while !items.is_empty() {
            let reduced = self.reduce(&Column { items, one: false }, Top::Column);
            let Bit::Wires(bit) = reduced.bit else { return None };
            bits.push(bit);
            items = reduced.carries.into_iter().map(Item::Bit).collect();
        }
        // There are no carries beyond the greatest number.
        bits.truncate((usize::BITS - of.len().leading_zeros()) as usize);
        Some(bits)
    }

    /// 1 if a number is in a range.
    fn is_between(&mut self, bits: &[Wires], least: u32, most: u32) -> Option<Wires> {
        let enough = self.is_at_least(bits, least);
        let too_many = self.is_at_least(bits, most.checked_add(1)?);
        Some(match (enough, too_many) {
            (Some(enough), None) => enough,
            (None, Some(too_many)) => too_many.complement(),
            (Some(mut enough), Some(too_many)) => {
                enough.complete(&mut self.network);
                Wires { yes: Vec::new(), no: [enough.no, self.yes(too_many)].concat() }
            }
            (None, None) => return None,
        })
    }

    /// The registers whose OR is the bit.
    pub(super) fn yes(&mut self, mut wires: Wires) -> Vec<Value> {
        if wires.yes.is_empty() {
            wires.complete(&mut self.network);
        }
        wires.yes
    }

    /// 1 if a number is at least `least`; `None` if that holds for all numbers or for none.
    fn is_at_least(&mut self, bits: &[Wires], least: u32) -> Option<Wires> {
        let mut so_far: Option<Wires> = None;
        if least == 0 || u64::from(least) >= 1 << bits.len() {
            return None;
        }
        for (place, bit) in bits.iter().enumerate() {
            let is_wanted = least >> place & 1 == 1;
            so_far = match (so_far, is_wanted) {
                // So far, all numbers are large enough.
                (None, true) => Some(bit.clone()),
                (None, false) => None,
                (Some(rest), true) => {
                    let (bit, rest) = (self.yes(bit.clone().complement()), self.yes(rest.complement()));
                    Some(Wires::no([bit, rest].concat()))
                }
                (Some(rest), false) => {
                    let (bit, rest) = (self.yes(bit.clone()), self.yes(rest));
                    Some(Wires::yes([bit, rest].concat()))
                }
            };
        }
        so_far
    }
}

/// A function moved so that its first bit is at the origin, and the original place of that bit.
fn at_origin(logic: &Logic) -> Option<(Logic, Displacement)> {
    let pixels = logic.pixels();
    let &(.., at) = pixels.first()?;
    Some((logic.moved(Displacement::new(-at.x, -at.y))?, at))
}

/// The place in the middle of the given ones.
fn middle(places: &BTreeSet<Displacement>) -> Option<Displacement> {
    let middle = |axis: fn(&Displacement) -> i16| {
        let (least, most) = (places.iter().map(axis).min()?, places.iter().map(axis).max()?);
        Some(least.midpoint(most))
    };
    Some(Displacement::new(middle(|at| at.x)?, middle(|at| at.y)?))
}

/// The input bit of which two functions are the values in opposite neighbours, and the directions to these.
fn opposite(first: &Logic, second: &Logic) -> Option<(usize, u32, [Direction; 2])> {
    let (Logic::Pixel { input, bit, at }, Logic::Pixel { input: other, bit: other_bit, at: opposite }) =
        (first, second)
    else {
        return None;
    };
    let (first, second) = (Direction::of(*at)?, Direction::of(*opposite)?);
    ((input, bit) == (other, other_bit) && first.opposite() == second).then_some((*input, *bit, [first, second]))
}
