//! Writing bits into a register of the array.

use crate::io::{ArrayIo, IoError};
use crate::isa::program::{LOADING, PlaneOf, Selection, Storage};
use crate::isa::{Bit, Dreg, Logic, Operation, Word, WordError};

const GATE: Dreg = LOADING[0];
const COLLECTED: [Dreg; 2] = [LOADING[1], LOADING[2]];

/// Writes a plane into its register, with the row and column selectors.
///
/// They address all PEs at once that agree in some bits of their row and column. The plane is cut into such sets within which
/// all bits are the same, and those of its rarer bit are selected one after the other. Overwrites `R0`, `R5` and `R6`, which
/// the plane cannot be written into.
pub fn load<A: ArrayIo + ?Sized, S: Storage>(array: &mut A, plane: &PlaneOf<S>) -> Result<(), A::Error> {
    let (size, side) = (array.size(), plane.side());
    if (size.width, size.height) != (side, side) || !side.is_power_of_two() || side < 8 {
        return Err(IoError::NoAddresses(size).into());
    }
    if plane.register == GATE || COLLECTED.contains(&plane.register) {
        return Err(IoError::Reserved(plane.register).into());
    }
    let ones = pes(plane, Selection::ALL).filter(|&(row, column)| plane.bit(row, column)).count();
    let rarer = 2 * ones <= plane.side() * plane.side();
    let [first, ..] = COLLECTED;
    array.issue(word(Operation::Set, GATE, &[])?)?;
    array.issue(word(Operation::Clr, first, &[])?)?;
    let mut collecting = Collecting { array, plane, rarer, collected: COLLECTED };
    collecting.cut(Selection::ALL, 0)?;
    let [collected, _] = collecting.collected;
    let copy = if rarer { Operation::Or } else { Operation::Nor };
    array.issue(word(copy, plane.register, &[collected.into()])?)
}

/// A plane of which the rarer bit is being collected.
struct Collecting<'a, A: ?Sized, S: Storage> {
    array: &'a mut A,
    plane: &'a PlaneOf<S>,
    rarer: bool,
    /// What has been collected, and the other register.
    collected: [Dreg; 2],
}

impl<A: ArrayIo + ?Sized, S: Storage> Collecting<'_, A, S> {
    /// Collects what is in a set of PEs, which is cut at the first bit of an address, from that one on, that matters.
    fn cut(&mut self, set: Selection, from: u8) -> Result<(), A::Error> {
        let bits = 2 * self.plane.side().trailing_zeros();
        let Some(bit) = (u32::from(from)..bits).find(|&bit| self.matters(set, bit)) else {
            return self.add(set);
        };
        let next = u8::try_from(bit + 1).unwrap_or(u8::MAX);
        halves(set, bit).into_iter().try_for_each(|half| self.cut(half, next))
    }

    /// Whether PEs of the set differ that are the same but for that bit of their address.
    fn matters(&self, set: Selection, bit: u32) -> bool {
        let [zero, one] = halves(set, bit);
        let mut others = pes(self.plane, one);
        pes(self.plane, zero).any(|(row, column)| {
            others.next().is_some_and(|(r, c)| self.plane.bit(row, column) != self.plane.bit(r, c))
        })
    }

    /// Adds a set of equal bits.
    fn add(&mut self, set: Selection) -> Result<(), A::Error> {
        if pes(self.plane, set).any(|(row, column)| self.plane.bit(row, column) == self.rarer) {
            let [before, after] = self.collected;
            let pattern = super::address::pattern(self.array.size(), set)?;
            self.array.select_pattern(pattern)?;
            self.array.issue(word(Operation::Or, after, &[before.into(), Bit::Select])?)?;
            self.collected = [after, before];
        }
        Ok(())
    }
}

/// The parts of a set in which a bit of the address is 0, and 1: the lowest bit of the row, then that of the column, then the
/// next one of the row.
fn halves(set: Selection, bit: u32) -> [Selection; 2] {
    let one = 1 << (bit / 2);
    if bit.is_multiple_of(2) {
        let zero = Selection { free_row_bits: set.free_row_bits & !one, row: set.row & !one, ..set };
        [zero, Selection { row: zero.row | one, ..zero }]
    } else {
        let zero = Selection { free_column_bits: set.free_column_bits & !one, column: set.column & !one, ..set };
        [zero, Selection { column: zero.column | one, ..zero }]
    }
}

/// Rows and columns of the PEs of a set.
fn pes<S: Storage>(plane: &PlaneOf<S>, set: Selection) -> impl Iterator<Item = (usize, usize)> + use<S> {
    let side = plane.side();
    numbers(side, set.row, set.free_row_bits)
        .flat_map(move |row| numbers(side, set.column, set.free_column_bits).map(move |column| (row, column)))
}

/// The numbers below a power of two that agree with one in all bits that are not free, in ascending order.
fn numbers(side: usize, fixed: u16, free: u16) -> impl Iterator<Item = usize> {
    let (fixed, free) = (usize::from(fixed & !free), usize::from(free) & (side - 1));
    let next = move |&last: &usize| Some((last | !free).wrapping_add(1) & free).filter(|&next| next > 0);
    core::iter::successors(Some(0), next).map(move |part| fixed | part)
}

fn word(operation: Operation, target: Dreg, sources: &[Bit]) -> Result<Word, IoError> {
    let logic: Result<Logic, WordError> = Logic::new(operation, &[target], sources);
    Ok(logic?.into())
}
