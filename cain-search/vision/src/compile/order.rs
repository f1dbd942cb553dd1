//! The order in which planes are made that are needed together.

use std::collections::BTreeMap;

use super::uses::operands;
use super::{CompileError, Compiler};
use crate::declaration::Value;

/// Orders in which planes are made. Where registers do not suffice in one of them, they may in the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// First those that need the most others at once, whether these are there or not.
    Needs,
    /// First those that need the most others that are not there.
    Missing,
    /// As they are declared.
    Declared,
    /// As with [`Needs`](Self::Needs), but that of this number last.
    Last(usize),
    /// As with [`Needs`](Self::Needs), but that of this number first.
    First(usize),
    /// As with [`Needs`](Self::Needs), and sums that nothing else reads are put into those that read them, where there is no
    /// room for all that they are made of.
    PutIn,
    /// As with [`Needs`](Self::Needs), and sums of so many planes or more make each of them again.
    Anew(usize),
}

/// How many planes are tried as the last one, and as the first one.
const TRIED: usize = 6;

impl Order {
    /// All of them for so many planes, in the order in which they are tried.
    pub(super) fn all(planes: usize) -> impl Iterator<Item = Self> {
        let tried = planes.min(TRIED);
        let ends = (0..tried).map(Self::Last).chain((0..tried).map(Self::First));
        [Self::Needs, Self::Missing, Self::Declared].into_iter().chain(ends).chain([Self::PutIn])
    }
}

impl Compiler<'_> {
    /// Makes planes: first those for which the most others are needed at once, so that as few as possible wait meanwhile.
    pub(super) fn make_all(&mut self, planes: &[Value]) -> Result<(), CompileError> {
        if self.order == Order::Declared {
            return planes.iter().try_for_each(|plane| self.make(*plane));
        }
        let mut known = BTreeMap::new();
        let mut ordered: Vec<(usize, Value)> =
            planes.iter().map(|plane| (self.need(*plane, &mut known), *plane)).collect();
        let number = |plane: Value| planes.iter().position(|known| *known == plane);
        ordered.sort_by_key(|(need, plane)| {
            let is_moved = match self.order {
                Order::First(first) => number(*plane) != Some(first),
                Order::Last(last) => number(*plane) == Some(last),
                _ => false,
            };
            (is_moved, std::cmp::Reverse(*need))
        });
        ordered.into_iter().try_for_each(|(_, plane)| self.make(plane))
    }

    /// How many registers it takes to make a plane, its own included: of planes that wait for each other, each that is made
    /// later has one less.
    fn need(&self, value: Value, known: &mut BTreeMap<Value, usize>) -> usize {
        if let Some(need) = known.get(&value) {
            return *need;
        }
        let Some(operation) = self.pending.get(&value) else { return 0 };
        let mut read = Vec::new();
        operands(operation, &mut |operand| read.push(operand));
        read.sort_unstable();
        read.dedup();
        let mut needs: Vec<usize> = read.into_iter().map(|operand| self.need(operand, known)).collect();
        if self.order == Order::Missing {
            needs.retain(|need| *need > 0);
        }
        needs.sort_unstable_by(|a, b| b.cmp(a));
        let need = needs.iter().enumerate().map(|(before, need)| need + before).max().unwrap_or_default().max(1);
        known.insert(value, need);
        need
    }
}
