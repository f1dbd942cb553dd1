//! Planes that are made again instead of being held.

use std::collections::BTreeSet;

use cain_isa::program::Held;

use super::uses::operands;
use super::{CompileError, Compiler};
use crate::declaration::{Operation, Value};

/// How many sums may have to be made again for a plane.
const DEPTH: usize = 3;

impl Compiler<'_> {
    /// Gives up a plane of that kind that can be made again, so that there is a register; whether there is one.
    pub(super) fn give_up(&mut self, is_bits: bool) -> bool {
        let mut best: Option<(usize, Value, Vec<Value>)> = None;
        for (value, held) in self.registers.held() {
            let is_kind = matches!(held, Held::Bit(_)) == is_bits;
            if !is_kind || self.locked.contains(&value) || self.fixed.contains(&value) || self.uses.left(value) == 0 {
                continue;
            }
            let mut again = Vec::new();
            let Some(cost) = self.cost(value, &mut again, DEPTH) else { continue };
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
                cost += self.cost(plane, again, depth.checked_sub(1).filter(|_| is_sum)?)?;
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
