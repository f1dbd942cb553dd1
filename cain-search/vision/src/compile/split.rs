//! Sums and functions of more planes than there are registers for: part by part, in the order of their planes.

use std::collections::BTreeSet;
use std::ops::Range;

use cain_digital::Logic;
use cain_isa::{Displacement, Fraction};

use super::bits::FEW;
use super::sums::{LARGEST, planes};
use super::uses::operands;
use super::{CompileError, Compiler, Order};
use crate::declaration::{Kind, Operation, Summand, Value};

/// The registers that making a plane takes beside its own.
const ROOM: usize = 2;

impl Compiler<'_> {
    /// A function of fewer planes that are not made yet, if there is no room for all of them: parts of it are made first.
    pub(super) fn without_many(
        &mut self,
        value: Value,
        function: Logic,
        of: Vec<Value>,
    ) -> Result<(Logic, Vec<Value>), CompileError> {
        let (mut function, mut of) = (function, of);
        while !self.has_room(&function, &of) {
            if let Logic::Count { of: parts, least, most } = &function {
                return self.counted(value, parts, *least, *most, of);
            }
            let Some((parts, join)) = parts_of(&function) else { break };
            let is_large = |part: &Logic| !is_pixel(part) && !self.has_room(part, &of);
            let first = match parts.iter().position(is_large) {
                Some(large) => large..large + 1,
                None => 0..self.first_parts(parts, &of),
            };
            if first == (0..parts.len()) && parts.len() > 1 {
                break;
            }
            (function, of) = self.made_first(value, parts, join, first, of)?;
        }
        Ok((function, of))
    }

    /// Makes a part of a function first for which no program was found, or tells that.
    pub(super) fn split_off(
        &mut self,
        value: Value,
        function: &Logic,
        of: Vec<Value>,
        error: CompileError,
    ) -> Result<(Logic, Vec<Value>), CompileError> {
        if let Logic::Count { of: parts, least, most } = function {
            return self.counted(value, parts, *least, *most, of);
        }
        let is_small = |part: &Logic| matches!(part, Logic::Not(part) if is_pixel(part)) || is_pixel(part);
        let Some((parts, join)) = parts_of(function) else { return Err(error) };
        let first = match parts.iter().position(|part| !is_small(part)) {
            Some(large) => large..large + 1,
            None if parts.len() > 2 => 0..2,
            None => return Err(error),
        };
        self.made_first(value, parts, join, first, of)
    }

    /// Whether there is room for the planes that a function needs and that are not there.
    fn has_room(&self, function: &Logic, of: &[Value]) -> bool {
        let read: BTreeSet<Value> = function.pixels().into_iter().map(|(input, _, _)| of[input]).collect();
        let missing = read.iter().filter(|plane| self.pending.contains_key(plane)).count();
        missing < self.registers.free_bits(None).len().max(FEW)
    }

    /// Makes some parts of a function first, joined as they are in it; the function of what is left, and the planes that it
    /// reads.
    fn made_first(
        &mut self,
        value: Value,
        parts: &[Logic],
        join: Join,
        first: Range<usize>,
        of: Vec<Value>,
    ) -> Result<(Logic, Vec<Value>), CompileError> {
        let others = [&parts[..first.start], &parts[first.end..]].concat();
        let part = if first.len() == 1 { parts[first.start].clone() } else { join(parts[first].to_vec()) };
        let (temporary, planes) = self.made_apart(value, &part, &others, &of)?;
        // The part is read like another plane.
        let function = join([vec![pixel(of.len())], others].concat());
        let all = [of, vec![temporary]].concat();
        let left = [planes, vec![temporary]].concat();
        let function = numbered(&function, &all, &left).ok_or(CompileError::Unproved(Some(value)))?;
        Ok((function, left))
    }

    /// Makes a part of a function as a plane of its own; that plane, and those that the others read.
    fn made_apart(
        &mut self,
        value: Value,
        part: &Logic,
        others: &[Logic],
        of: &[Value],
    ) -> Result<(Value, Vec<Value>), CompileError> {
        let reads =
            |function: &Logic| function.pixels().into_iter().map(|(input, _, _)| of[input]).collect::<BTreeSet<_>>();
        let (own, rest) = (reads(part), others.iter().flat_map(reads).collect::<BTreeSet<_>>());
        for plane in own.intersection(&rest) {
            self.uses.pin(*plane);
        }
        let those = |read: &BTreeSet<Value>| of.iter().copied().filter(|plane| read.contains(plane)).collect();
        let (planes, left): (Vec<Value>, Vec<Value>) = (those(&own), those(&rest));
        let part = numbered(part, of, &planes).ok_or(CompileError::Unproved(Some(value)))?;
        let temporary = self.temporary(Kind::Bits, value);
        let there: Vec<Value> = left.iter().copied().filter(|plane| !self.pending.contains_key(plane)).collect();
        self.locking(there, |compiler| compiler.logic(temporary, &part, &planes))?;
        Ok((temporary, left))
    }

    /// How many parts of a function there is room for.
    fn first_parts(&self, parts: &[Logic], of: &[Value]) -> usize {
        let free = self.registers.free_bits(None).len();
        let mut planes: BTreeSet<Value> = BTreeSet::new();
        let mut count = 0;
        for part in parts {
            let pixels = part.pixels().into_iter().map(|(input, _, _)| of[input]);
            planes.extend(pixels.filter(|plane| self.pending.contains_key(plane)));
            if count >= 2 && planes.len() + ROOM > free {
                break;
            }
            count += 1;
        }
        count
    }

    /// Whether so many parts are 1, which are made one after the other. Bits tell whether one, two and so on were 1 so far.
    fn counted(
        &mut self,
        value: Value,
        parts: &[Logic],
        least: u32,
        most: u32,
        of: Vec<Value>,
    ) -> Result<(Logic, Vec<Value>), CompileError> {
        let [least, above] = [least, most.saturating_add(1)].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        let is_bounded = above <= parts.len();
        let needed = if is_bounded { above } else { least };
        if needed == 0 || least > parts.len() {
            for plane in of {
                self.done(plane);
            }
            return Ok((Logic::Constant(needed == 0), Vec::new()));
        }
        // Those that are read later may be given up meanwhile.
        let locked = self.locked.clone();
        self.locked.retain(|plane| !of.contains(plane));
        let so_far = self.counters(value, parts, needed, &of);
        self.locked = locked;
        let so_far = so_far?;
        let least = least.checked_sub(1).and_then(|place| so_far.get(place).copied());
        let above = if is_bounded { so_far.last().copied() } else { None };
        for known in so_far.into_iter().filter(|known| ![least, above].contains(&Some(*known))) {
            self.done(known);
        }
        Ok(match (least, above) {
            (Some(least), Some(above)) => {
                (Logic::All(vec![pixel(0), Logic::Not(Box::new(pixel(1)))]), vec![least, above])
            }
            (Some(least), None) => (pixel(0), vec![least]),
            (None, Some(above)) => (Logic::Not(Box::new(pixel(0))), vec![above]),
            (None, None) => (Logic::Constant(true), Vec::new()),
        })
    }

    /// Bits that tell whether at least one, two and so on of some parts are 1.
    fn counters(
        &mut self,
        value: Value,
        parts: &[Logic],
        needed: usize,
        of: &[Value],
    ) -> Result<Vec<Value>, CompileError> {
        let mut so_far: Vec<Value> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let part = self.part_of(value, part, &parts[number + 1..], of)?;
            let count = needed.min(number + 1);
            // Read for each of them, and each of those for itself and for the next one.
            (1..count).for_each(|_| self.uses.pin(part));
            for known in &so_far[..count - 1] {
                self.uses.pin(*known);
            }
            let mut next = vec![part; count];
            for place in (0..count).rev() {
                let before = place.checked_sub(1).map(|before| so_far[before]);
                let more = match before {
                    Some(_) => Logic::All(vec![pixel(0), pixel(1)]),
                    None => pixel(0),
                };
                let mut read: Vec<Value> = std::iter::once(part).chain(before).collect();
                let function = match so_far.get(place) {
                    Some(known) => {
                        read.push(*known);
                        Logic::Any(vec![more, pixel(read.len() - 1)])
                    }
                    None => more,
                };
                next[place] = self.temporary(Kind::Bits, value);
                let locked: Vec<Value> =
                    so_far.iter().copied().chain([part]).chain(next[place + 1..].to_vec()).collect();
                self.locking(locked, |compiler| compiler.logic(next[place], &function, &read))?;
            }
            so_far = next;
        }
        Ok(so_far)
    }

    /// A plane that is a part of a function: one that it reads, or a new one.
    fn part_of(&mut self, value: Value, part: &Logic, others: &[Logic], of: &[Value]) -> Result<Value, CompileError> {
        let plane = if is_pixel(part) { part.pixels().first().map(|(input, _, _)| of[*input]) } else { None };
        let is_read_again = |plane: Value| {
            others.iter().any(|other| other.pixels().into_iter().any(|(input, _, _)| of[input] == plane))
        };
        if let Some(plane) = plane {
            if is_read_again(plane) {
                self.uses.pin(plane);
            }
            return Ok(plane);
        }
        Ok(self.made_apart(value, part, others, of)?.0)
    }

    /// The summands that are made for a sum and are not sums themselves, if there is no room for all of them.
    fn late(&self, summands: &[Summand]) -> Vec<Summand> {
        let is_late = |summand: &&Summand| {
            self.uses.left(summand.of) == 1
                && self.pending.get(&summand.of).is_some_and(|operation| !matches!(operation, Operation::Sum { .. }))
                && self.level_of(summand.of).is_none()
        };
        let late: Vec<Summand> = summands.iter().filter(is_late).copied().collect();
        if late.len() < 2 || late.len() + ROOM <= self.registers.free(None).len() { Vec::new() } else { late }
    }

    /// A sum with those put in that nothing else reads, if there is no room for what they are sums of and this is to be tried.
    pub(super) fn put_in(&mut self, operation: &Operation) -> Option<Operation> {
        if self.order != Order::PutIn {
            return None;
        }
        let linear = self.linear_of(operation);
        if linear.joined.is_empty() || self.late(&linear.summands).is_empty() {
            return None;
        }
        for plane in planes(&linear.summands) {
            let once = linear.summands.iter().filter(|summand| summand.of == plane).count();
            let reads = linear.reads.iter().filter(|read| **read == plane).count();
            (once..reads).for_each(|_| self.done(plane));
        }
        for joined in &linear.joined {
            self.pending.remove(joined);
            self.uses.done(*joined);
        }
        Some(Operation::Sum { summands: linear.summands, constant: linear.constant, numbers: linear.numbers })
    }

    /// A sum whose planes are added one after the other as they are made, if there is no room for all of them.
    pub(super) fn summed(&mut self, value: Value, operation: &Operation) -> Result<Option<Operation>, CompileError> {
        let Operation::Sum { summands, constant, numbers } = operation else { return Ok(None) };
        let late = self.late(summands);
        if late.is_empty() {
            return Ok(None);
        }
        let weight = late[0].weight;
        let late: Vec<Summand> = late.into_iter().filter(|summand| summand.weight == weight).collect();
        // Two planes are a sum of which nothing is to be split off.
        if late.len() < 2 || late.len() == summands.len() && late.len() == 2 {
            return Ok(None);
        }
        // As large as it may be, so that little is lost.
        let (low, high) =
            late.iter().fold((0.0, 0.0), |(low, high): (f64, f64), summand| match self.kind(summand.of) {
                Kind::Levels { low: least, high: most } => (low + least, high + most),
                _ => (low, high),
            });
        let mut scale = Fraction::ONE;
        let half = Fraction::new(1, 2).unwrap_or(Fraction::ONE);
        while low.abs().max(high.abs()) * scale.to_f64() > LARGEST && scale > weight.abs() {
            scale = scale.checked_mul(half).ok_or(CompileError::Level(value))?;
        }
        let weight = weight.checked_div(scale).ok_or(CompileError::Level(value))?;
        let scale_of = |of: &Summand| Summand { weight: scale, ..*of };
        let mut so_far: Option<Summand> = None;
        for summand in &late {
            let Some(before) = so_far else {
                so_far = Some(scale_of(summand));
                continue;
            };
            let kind = Kind::Levels { low: low * scale.to_f64(), high: high * scale.to_f64() };
            let temporary = self.temporary(kind, value);
            let sum = Operation::Sum {
                summands: vec![before, scale_of(summand)],
                constant: Fraction::ZERO,
                numbers: Vec::new(),
            };
            let mut planes = Vec::new();
            operands(&sum, &mut |operand| planes.push(operand));
            self.locking(planes, |compiler| compiler.sum(temporary, &sum))?;
            so_far = Some(Summand { of: temporary, weight: Fraction::ONE, at: Displacement::ZERO });
        }
        let mut rest: Vec<Summand> = summands.iter().filter(|summand| !late.contains(summand)).copied().collect();
        rest.extend(so_far.map(|sum| Summand { weight, ..sum }));
        Ok(Some(Operation::Sum { summands: rest, constant: *constant, numbers: numbers.clone() }))
    }
}

/// How parts of a function are joined.
type Join = fn(Vec<Logic>) -> Logic;

/// The parts of a function that are joined in any order.
fn parts_of(function: &Logic) -> Option<(&[Logic], Join)> {
    Some(match function {
        Logic::Not(part) => (std::slice::from_ref(&**part), |mut parts| Logic::Not(Box::new(parts.swap_remove(0)))),
        Logic::All(parts) => (parts, Logic::All),
        Logic::Any(parts) => (parts, Logic::Any),
        Logic::Odd(parts) => (parts, Logic::Odd),
        Logic::Constant(_) | Logic::Pixel { .. } | Logic::Count { .. } => return None,
    })
}

fn pixel(input: usize) -> Logic {
    Logic::pixel(input, Displacement::ZERO)
}

/// Whether a function is a plane, as it is here.
fn is_pixel(function: &Logic) -> bool {
    matches!(function, Logic::Pixel { at, .. } if *at == Displacement::ZERO)
}

/// A function of planes, of which others are given.
fn numbered(function: &Logic, of: &[Value], planes: &[Value]) -> Option<Logic> {
    function.with_pixels(&|input, bit, at| {
        let input = planes.iter().position(|plane| *plane == of[input])?;
        Some(Logic::Pixel { input, bit, at })
    })
}
