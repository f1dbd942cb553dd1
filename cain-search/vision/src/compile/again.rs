//! Planes that are made again instead of being held.

use std::collections::BTreeSet;

use cain_isa::program::Held;
use cain_isa::{Displacement, Fraction};

use super::sums::{LARGEST, planes};
use super::uses::operands;
use super::{CompileError, Compiler, Order};
use crate::declaration::{Declaration, Kind, Operation, Statement, Summand, Value};

/// How many sums may have to be made again for a plane.
const DEPTH: usize = 3;
/// How many planes of any kind may have to be, where that is how sums of many planes are made.
const DEPTH_ANEW: usize = 64;
/// The most planes that are made again for such sums.
const MOST_ANEW: usize = 1024;
/// The fewest planes of such sums; two are held.
const FEWEST: usize = 3;
/// The registers that are free before such a sum reads its next plane.
const FREE: usize = 3;

/// How many planes the sums of a declaration read of which each can be made again, the most first; none of few.
pub(super) fn planes_of_sums(declaration: &Declaration) -> Vec<usize> {
    fn collect(body: &[Statement], made: &mut BTreeSet<Value>, counts: &mut BTreeSet<usize>) {
        for statement in body {
            if let Statement::Define { value, operation } = statement {
                if let Operation::Sum { summands, .. } = operation {
                    counts.insert(planes(summands).into_iter().filter(|plane| made.contains(plane)).count());
                }
                made.insert(*value);
            }
            statement.bodies().into_iter().for_each(|body| collect(body, made, counts));
        }
    }
    let mut counts = BTreeSet::new();
    collect(&declaration.body, &mut BTreeSet::new(), &mut counts);
    counts.into_iter().rev().take_while(|count| *count >= FEWEST).collect()
}

impl Compiler<'_> {
    /// A sum of many planes that can be made again, one after the other: after each, it is given up, so that only one of them has
    /// to be there. `None` for others, and where planes are held.
    pub(super) fn accumulated(
        &mut self,
        value: Value,
        operation: &Operation,
    ) -> Result<Option<Operation>, CompileError> {
        let (Order::Anew(fewest), Operation::Sum { summands, constant, numbers }) = (self.order, operation) else {
            return Ok(None);
        };
        let mut made = planes(summands);
        made.retain(|plane| self.operations.contains_key(plane));
        // Those that are there come first.
        made.sort_by_key(|plane| self.registers.place(*plane).is_none());
        let Some(last) = made.pop().filter(|_| made.len() + 1 >= fewest) else { return Ok(None) };
        for plane in made.iter().chain([&last]) {
            self.keep_sources(*plane);
        }
        let locked = self.locked.clone();
        self.locked.retain(|plane| !made.contains(plane) && *plane != last);
        let mut rest = summands.clone();
        let mut so_far: Option<Summand> = None;
        for plane in made {
            let (own, others) = rest.into_iter().partition(|summand| summand.of == plane);
            rest = others;
            let own: Vec<Summand> = [own, so_far.into_iter().collect()].concat();
            let of = self.temporary(self.range_of_sum(&own), value);
            let sum = Operation::Sum { summands: own, constant: Fraction::ZERO, numbers: Vec::new() };
            self.locking(so_far.map(|so_far| so_far.of), |compiler| compiler.sum(of, &sum))?;
            so_far = Some(Summand { of, weight: Fraction::ONE, at: Displacement::ZERO });
            while self.registers.free(None).len() < FREE && self.give_up(false) {}
            self.anew.count += 1;
            if self.anew.count > MOST_ANEW {
                return Err(self.no_registers(value));
            }
        }
        self.locked = locked;
        rest.extend(so_far);
        Ok(Some(Operation::Sum { summands: rest, constant: *constant, numbers: numbers.clone() }))
    }

    /// Keeps what a plane is made of in the end until nothing reads the plane any more.
    fn keep_sources(&mut self, plane: Value) {
        let (mut open, mut seen) = (vec![plane], BTreeSet::new());
        while let Some(of) = open.pop() {
            if !seen.insert(of) {
                continue;
            }
            if let Some(operation) = self.operations.get(&of) {
                operands(operation, &mut |operand| open.push(operand));
            } else if self.is_plane(of) {
                let readers = self.anew.kept.entry(of).or_insert_with(|| {
                    self.uses.pin(of);
                    BTreeSet::new()
                });
                readers.insert(plane);
            }
        }
    }

    /// Nothing is kept for planes that nothing reads any more.
    pub(super) fn release_sources(&mut self) {
        let is_over = |readers: &BTreeSet<Value>| readers.iter().all(|reader| self.uses.left(*reader) == 0);
        let over: Vec<Value> = self.anew.kept.iter().filter(|(_, of)| is_over(of)).map(|(of, _)| *of).collect();
        for source in over {
            self.anew.kept.remove(&source);
            self.done(source);
        }
    }

    /// Between which levels a sum is.
    fn range_of_sum(&self, summands: &[Summand]) -> Kind {
        let (mut least, mut most) = (0.0, 0.0);
        for summand in summands {
            if let Kind::Levels { low, high } = self.kind(summand.of) {
                let ends = [low, high].map(|end| end * summand.weight.to_f64());
                least += ends[0].min(ends[1]);
                most += ends[0].max(ends[1]);
            }
        }
        Kind::Levels { low: f64::max(least, -LARGEST), high: f64::min(most, LARGEST) }
    }

    /// Gives up a plane of that kind that can be made again, so that there is a register; whether there is one.
    pub(super) fn give_up(&mut self, is_bits: bool) -> bool {
        let depth = if self.is_anew() { DEPTH_ANEW } else { DEPTH };
        let mut best: Option<(usize, Value, Vec<Value>)> = None;
        for (value, held) in self.registers.held() {
            let is_kind = matches!(held, Held::Bit(_)) == is_bits;
            if !is_kind || self.locked.contains(&value) || self.fixed.contains(&value) || self.uses.left(value) == 0 {
                continue;
            }
            let mut again = Vec::new();
            let Some(cost) = self.cost(value, &mut again, depth) else { continue };
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, value, again));
            }
        }
        let Some((_, value, again)) = best else { return false };
        self.registers.forget(value);
        for value in again {
            let operation = self.operations[&value];
            let mut planes = Vec::new();
            operands(operation, &mut |operand| planes.push(operand));
            planes.retain(|plane| self.is_plane(*plane));
            for plane in planes {
                self.uses.pin(plane);
            }
            self.pending.insert(value, operation);
        }
        true
    }

    /// Whether sums of many planes make them again.
    pub(super) const fn is_anew(&self) -> bool {
        matches!(self.order, Order::Anew(_))
    }

    /// Gives up a plane of bits, or brings it into an analogue register; whether there was one.
    pub(super) fn give_up_bit(&mut self) -> Result<bool, CompileError> {
        if self.give_up(true) { Ok(true) } else { self.spill() }
    }

    /// What it costs to make a plane again, of those that are held; the planes that have to be made again for it.
    fn cost(&self, value: Value, again: &mut Vec<Value>, depth: usize) -> Option<usize> {
        let operation = *self.operations.get(&value)?;
        let mut cost = match operation {
            Operation::Pattern(_) => 2,
            Operation::Inside { .. } => 1,
            Operation::Positive(_) => 3,
            Operation::Logic { of, .. } if of.len() <= 2 => 6,
            Operation::Sum { summands, .. } => 4 + 2 * summands.len(),
            Operation::Abs(_) => 6,
            Operation::Max(..) | Operation::Min(..) | Operation::Select { .. } if self.is_anew() => 8,
            Operation::Logic { of, .. } if self.is_anew() => 6 * of.len(),
            _ => return None,
        };
        let mut read = BTreeSet::new();
        operands(operation, &mut |operand| {
            read.insert(operand);
        });
        for plane in read.into_iter().filter(|plane| self.is_plane(*plane)) {
            let is_there = self.registers.place(plane).is_some() || self.pending.contains_key(&plane);
            if !is_there && !again.contains(&plane) {
                let is_sum = matches!(self.operations.get(&plane), Some(Operation::Sum { .. }));
                cost += self.cost(plane, again, depth.checked_sub(1).filter(|_| is_sum || self.is_anew())?)?;
            }
        }
        again.push(value);
        Some(cost)
    }

    /// Does something that needs these planes at once: none of them is given up for another one.
    pub(super) fn locking<T>(
        &mut self,
        values: impl IntoIterator<Item = Value>,
        what: impl FnOnce(&mut Self) -> Result<T, CompileError>,
    ) -> Result<T, CompileError> {
        let before = self.locked.len();
        self.locked.extend(values);
        let done = what(self);
        self.locked.truncate(before);
        done
    }
}
