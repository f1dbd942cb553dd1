//! Boolean functions in words.

use std::collections::{BTreeMap, BTreeSet};

use cain_isa::{Direction, Directions, Displacement};

use super::build::Builder;
use super::columns::{Column, Item, Top, reduce};
use super::number::Bit;
use super::regions::{Plane, Region, any_of};
use super::sequences::{MOST_BITS, Signal, Step, Table};
use super::wires::Wires;
use crate::digital::Logic;
use crate::digital::prove::{Function, Variable, function_of};
use crate::digital::sums::count;

/// What short sequences can begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Every bit that is read, from where it is.
    Bits,
    /// The same, and the complements of those of the PE itself.
    BitsAndComplements,
    /// Of the neighbours, only whether some of them, or not all of them, are 1.
    Neighbours { some: bool, not_all: bool },
}

impl Start {
    const ALL: [Self; 5] = [
        Self::Bits,
        Self::BitsAndComplements,
        Self::Neighbours { some: true, not_all: false },
        Self::Neighbours { some: false, not_all: true },
        Self::Neighbours { some: true, not_all: true },
    ];
}

/// A bit on which a function depends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variables {
    /// A bit of an input.
    Pixel(usize, u32, Displacement),
    /// A bit of a number of ones.
    OfCount(Vec<Logic>, usize),
}

impl Builder<'_> {
    /// A function, which was simplified, as wires: with the fewest words of several ways. It is wanted in a register if that
    /// is said.
    pub(super) fn logic(&mut self, logic: &Logic, in_register: bool) -> Option<Wires> {
        match logic {
            Logic::Constant(value) => return Some(Wires::yes([self.network.any(&[], *value)])),
            Logic::Not(part) if !in_register => return Some(self.logic(part, false)?.complement()),
            Logic::Pixel { .. } => return self.in_parts(logic),
            _ => {}
        }
        let before = self.mark();
        let mut best: Option<(usize, _, Wires)> = None;
        let short = [false, true].into_iter().flat_map(|counts| Start::ALL.map(|start| Some((start, counts))));
        for way in std::iter::once(None).chain(short) {
            let wires = match way {
                None => self.in_parts(logic),
                Some((start, counts)) => self.short(logic, start, counts),
            };
            if let Some(wires) = wires {
                let cost = self.cost(&before, &wires, in_register);
                if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                    best = Some((cost, self.mark(), wires));
                }
            }
            self.return_to(before.clone());
        }
        let (_, after, wires) = best?;
        self.return_to(after);
        Some(wires)
    }

    /// Twice the words since then that the wires need, those that set directions up among them.
    fn cost(&self, before: &super::build::Mark, wires: &Wires, in_register: bool) -> usize {
        let needed = if wires.yes.is_empty() || (!in_register && wires.no.len() == 1) { &wires.no } else { &wires.yes };
        let words = self.network.words_for(needed, before.gates());
        let turns = self.network.turns() - before.turns();
        let has_register = wires.yes.len() == 1 || (!in_register && wires.no.len() == 1);
        2 * (words + 2 * turns) + if has_register { 0 } else { 1 + usize::from(in_register) }
    }

    /// A function made of its parts.
    fn in_parts(&mut self, logic: &Logic) -> Option<Wires> {
        match logic {
            Logic::Constant(_) | Logic::All(_) => None,
            Logic::Pixel { input, bit, at } => {
                let plane = self.plane(*input, *bit)?;
                let registers = any_of(&mut self.network, plane, &Region::from([(at.x, at.y)]))?;
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
    fn plane(&self, input: usize, bit: u32) -> Option<Plane> {
        let register = *self.bits.get(input)?.get(bit as usize)?;
        Some(Plane { register, outside: false, from: Directions::new(&Direction::ALL) })
    }

    /// The OR: what differs only in its place is made once and moved, if what comes in over the border is right then.
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
    fn moved(
        &mut self,
        logic: &Logic,
        inverted: bool,
        places: &BTreeSet<Displacement>,
    ) -> Option<Vec<super::gates::Value>> {
        let is_pixel = matches!(logic, Logic::Pixel { .. });
        let needs_no_move = places.len() == 1 && !(is_pixel && inverted);
        if needs_no_move && !is_pixel {
            return None;
        }
        let middle = if is_pixel { Displacement::ZERO } else { middle(places)? };
        let logic = logic.moved(middle)?;
        let (outside, from) = self.beyond(&logic)?;
        let mut wires = self.logic(&logic, false)?;
        let register =
            if inverted { wires.complement_register(&mut self.network) } else { wires.register(&mut self.network) };
        let plane = Plane { register, outside: outside ^ inverted, from };
        let region: Region = places.iter().map(|at| (at.x - middle.x, at.y - middle.y)).collect();
        any_of(&mut self.network, plane, &region)
    }

    /// What a function is outside of the array, and beyond which borders it is that in all cases.
    fn beyond(&mut self, logic: &Logic) -> Option<(bool, Directions)> {
        let outside = logic.evaluate(&|_, _, _| false);
        let function = function_of(&mut self.bdd, logic).ok()?;
        let mut from = Vec::new();
        for direction in Direction::ALL {
            let step = direction.displacement();
            let is_outside = |variable: Variable| variable.x * i32::from(step.x) + variable.y * i32::from(step.y) >= 0;
            if self.bdd.without(function, is_outside).ok()? == Function::constant(outside) {
                from.push(direction);
            }
        }
        Some((outside, Directions::new(&from)))
    }

    /// Whether an odd number of parts is 1.
    fn odd(&mut self, parts: &[Logic]) -> Option<Wires> {
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
        match reduce(&mut self.network, &column, Top::Dropped).bit {
            Bit::Wires(wires) => Some(wires),
            Bit::Constant(_) => None,
        }
    }

    /// A function, or its complement, as the OR of at most two registers, as adders take it.
    fn narrow(&mut self, logic: &Logic) -> Option<Wires> {
        let wires = self.logic(logic, false)?;
        let is_wide = wires.yes.len().max(wires.no.len()) > 2;
        Some(if is_wide { wires.narrowed(&mut self.network) } else { wires })
    }

    /// The bits of the number of parts that are 1, lowest first.
    fn number_of_ones(&mut self, of: &[Logic]) -> Option<Vec<Wires>> {
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
        let mut items = Vec::new();
        for part in of {
            items.push(Item::Bit(self.narrow(part)?));
        }
        let mut bits = Vec::new();
        while !items.is_empty() {
            let reduced = reduce(&mut self.network, &Column { items, one: false }, Top::Column);
            let Bit::Wires(bit) = reduced.bit else { return None };
            bits.push(bit);
            items = reduced.carries.into_iter().map(Item::Bit).collect();
        }
        // Beyond the greatest number nothing is carried.
        bits.truncate((usize::BITS - of.len().leading_zeros()) as usize);
        Some(bits)
    }

    /// Whether a number is in a range.
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

    /// The registers of which wires are the OR.
    fn yes(&mut self, mut wires: Wires) -> Vec<super::gates::Value> {
        if wires.yes.is_empty() {
            wires.complete(&mut self.network);
        }
        wires.yes
    }

    /// Whether a number is not less than another; none if all or no numbers are.
    fn is_at_least(&mut self, bits: &[Wires], least: u32) -> Option<Wires> {
        let mut so_far: Option<Wires> = None;
        if least == 0 || u64::from(least) >= 1 << bits.len() {
            return None;
        }
        for (place, bit) in bits.iter().enumerate() {
            let is_wanted = least >> place & 1 == 1;
            so_far = match (so_far, is_wanted) {
                // All numbers are so far.
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

    /// A function of few bits by the shortest words there are from a start; `counts` are taken as numbers if that is said.
    fn short(&mut self, logic: &Logic, start: Start, counts: bool) -> Option<Wires> {
        let mut variables = BTreeSet::new();
        collect(logic, counts, &mut variables);
        let variables: Vec<Variables> = variables.into_iter().collect();
        let has_counts = variables.iter().any(|variable| matches!(variable, Variables::OfCount(..)));
        if variables.len() > MOST_BITS || has_counts != counts {
            return None;
        }
        let values = 1_u32 << variables.len();
        let table =
            |is: &dyn Fn(u32) -> bool| (0..values).filter(|value| is(*value)).fold(0, |table, i| table | 1 << i);
        let wanted: Table = table(&|value| value_of(logic, &variables, value));
        let care: Table = table(&|value| is_possible(&variables, value));
        let signals = self.signals(&variables, start, &table)?;
        let given: Vec<Signal> = signals.iter().map(|(signal, _)| *signal).collect();
        let steps = self.sequences.find(&given, wanted, care)?;
        let mut registers: Vec<Vec<_>> = signals.into_iter().map(|(_, registers)| registers).collect();
        for Step { sources, inverted } in steps {
            let read = registers.iter().enumerate().filter(|(i, _)| sources >> i & 1 == 1);
            let sources = read.flat_map(|(_, registers)| registers.iter().copied()).collect::<Vec<_>>();
            registers.push(vec![self.network.any(&sources, inverted)]);
        }
        registers.pop().map(Wires::yes)
    }

    /// What a sequence can begin with, and the registers of each.
    fn signals(
        &mut self,
        variables: &[Variables],
        start: Start,
        table: &dyn Fn(&dyn Fn(u32) -> bool) -> Table,
    ) -> Option<Vec<(Signal, Vec<super::gates::Value>)>> {
        let mut signals = Vec::new();
        let mut neighbours: BTreeMap<(usize, u32), Vec<(usize, (i16, i16))>> = BTreeMap::new();
        for (place, variable) in variables.iter().enumerate() {
            let is_one = table(&|value| value >> place & 1 == 1);
            match variable {
                Variables::OfCount(of, bit) => {
                    let wires = self.number_of_ones(of)?.get(*bit)?.clone();
                    for (registers, table) in [(wires.yes, is_one), (wires.no, !is_one)] {
                        signals.extend((!registers.is_empty()).then_some((table, registers)));
                    }
                }
                Variables::Pixel(input, bit, at) => {
                    let is_unit = at.x.abs() + at.y.abs() == 1;
                    if is_unit && matches!(start, Start::Neighbours { .. }) {
                        neighbours.entry((*input, *bit)).or_default().push((place, (at.x, at.y)));
                        continue;
                    }
                    let plane = self.plane(*input, *bit)?;
                    let registers = any_of(&mut self.network, plane, &Region::from([(at.x, at.y)]))?;
                    if *at == Displacement::ZERO && start != Start::Bits {
                        signals.push((!is_one, vec![self.network.nor(&registers)]));
                    }
                    signals.push((is_one, registers));
                }
            }
        }
        if matches!(start, Start::Neighbours { .. }) && neighbours.values().all(|places| places.len() < 2) {
            return None;
        }
        for ((input, bit), places) in neighbours {
            let Start::Neighbours { some, not_all } = start else { break };
            let region: Region = places.iter().map(|(_, at)| *at).collect();
            let plane = self.plane(input, bit)?;
            if some {
                let any = table(&|value| places.iter().any(|(place, _)| value >> place & 1 == 1));
                signals.push((any, any_of(&mut self.network, plane, &region)?));
            }
            if not_all {
                let not_all = table(&|value| places.iter().any(|(place, _)| value >> place & 1 == 0));
                let complement = self.network.nor(&[plane.register]);
                let plane = Plane { register: complement, outside: true, ..plane };
                signals.push((not_all, any_of(&mut self.network, plane, &region)?));
            }
        }
        let signal = |(table, registers): (Table, Vec<_>)| (Signal { table, registers: registers.len() }, registers);
        Some(signals.into_iter().map(signal).collect())
    }
}

/// A function moved so that its first bit is at the origin, and where that was.
fn at_origin(logic: &Logic) -> Option<(Logic, Displacement)> {
    let pixels = logic.pixels();
    let &(.., at) = pixels.first()?;
    Some((logic.moved(Displacement::new(-at.x, -at.y))?, at))
}

/// The place in the middle of some.
fn middle(places: &BTreeSet<Displacement>) -> Option<Displacement> {
    let middle = |axis: fn(&Displacement) -> i16| {
        let (least, most) = (places.iter().map(axis).min()?, places.iter().map(axis).max()?);
        Some(least.midpoint(most))
    };
    Some(Displacement::new(middle(|at| at.x)?, middle(|at| at.y)?))
}

/// The plane that two bits are read from if they are those of opposite neighbours.
fn opposite(first: &Logic, second: &Logic) -> Option<(usize, u32, [Direction; 2])> {
    let (Logic::Pixel { input, bit, at }, Logic::Pixel { input: other, bit: other_bit, at: opposite }) =
        (first, second)
    else {
        return None;
    };
    let of = |at: &Displacement| Direction::ALL.into_iter().find(|direction| direction.displacement() == *at);
    let (first, second) = (of(at)?, of(opposite)?);
    ((input, bit) == (other, other_bit) && first.opposite() == second).then_some((*input, *bit, [first, second]))
}

/// The bits on which a function depends.
fn collect(logic: &Logic, counts: bool, variables: &mut BTreeSet<Variables>) {
    match logic {
        Logic::Pixel { input, bit, at } => {
            variables.insert(Variables::Pixel(*input, *bit, *at));
        }
        Logic::Count { of, .. } if counts => {
            let width = (usize::BITS - of.len().leading_zeros()) as usize;
            variables.extend((0..width).map(|bit| Variables::OfCount(of.clone(), bit)));
        }
        other => other.parts().iter().for_each(|part| collect(part, counts, variables)),
    }
}

/// The number of ones in a list whose bits are variables; none if they are not.
fn number(of: &[Logic], variables: &[Variables], value: u32) -> Option<u32> {
    let bits = (0_u32..).zip(variables).filter_map(|(place, variable)| match variable {
        Variables::OfCount(list, bit) if list == of => Some((place, bit)),
        _ => None,
    });
    let bits: Vec<u32> = bits.map(|(place, bit)| (value >> place & 1) << bit).collect();
    (!bits.is_empty()).then(|| bits.iter().sum())
}

/// A function, given the bits on which it depends.
fn value_of(logic: &Logic, variables: &[Variables], value: u32) -> bool {
    let of_parts = |parts: &[Logic]| parts.iter().filter(|part| value_of(part, variables, value)).count();
    match logic {
        Logic::Pixel { input, bit, at } => {
            let wanted = Variables::Pixel(*input, *bit, *at);
            variables.iter().position(|variable| *variable == wanted).is_some_and(|place| value >> place & 1 == 1)
        }
        Logic::Constant(value) => *value,
        Logic::Not(part) => !value_of(part, variables, value),
        Logic::All(parts) => of_parts(parts) == parts.len(),
        Logic::Any(parts) => of_parts(parts) > 0,
        Logic::Odd(parts) => of_parts(parts) % 2 == 1,
        Logic::Count { of, least, most } => {
            let number = number(of, variables, value).map_or_else(|| of_parts(of), |number| number as usize);
            (*least as usize..=*most as usize).contains(&number)
        }
    }
}

/// Whether no number is greater than what is counted.
fn is_possible(variables: &[Variables], value: u32) -> bool {
    variables.iter().all(|variable| match variable {
        Variables::Pixel(..) => true,
        Variables::OfCount(of, _) => number(of, variables, value).is_none_or(|number| number as usize <= of.len()),
    })
}
