//! Exact transfers on blocks of rows, in loops that the compiler turns into vector instructions.
//!
//! A block is treated as one flat list of values: what stands `x` PEs to the east and `y` to the north of a PE is found
//! a fixed distance further on. That is wrong only in the columns from which the array is left, and these are
//! computed again on their own. Rows from which it is left read a row of the border instead.

use core::array;
use core::ops::Range;

use super::planes::{Planes, Slot, slot};
use crate::isa::{Offset, Store, Transfer, Word};

/// A transfer with its cells looked up and its offsets as rows and columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The cell that is written.
    pub(super) target: Slot,
    divisor: u8,
    terms: [Term; Word::MAX_SOURCES],
    term_count: usize,
    /// How far sources lie to the north, south, west and east.
    reach: [usize; 4],
}

/// A source: the cell, and where it is read, in rows to the south and columns to the east.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Term {
    pub(super) source: Slot,
    pub(super) down: isize,
    pub(super) right: isize,
}

impl Step {
    pub(super) fn new(transfer: &Transfer) -> Self {
        Self { target: slot(transfer.store), divisor: transfer.divisor, ..Self::sum(transfer.terms()) }
    }

    /// Minus the sum of some cells, which no cell receives.
    pub(super) fn sum(cells: &[(Store, Offset)]) -> Self {
        let mut terms = [Term::default(); Word::MAX_SOURCES];
        for (term, &(store, offset)) in terms.iter_mut().zip(cells) {
            *term = Term { source: slot(store), down: -isize::from(offset.y), right: isize::from(offset.x) };
        }
        let reach = |distance: fn(&Term) -> isize| {
            terms.iter().map(|term| distance(term).max(0).unsigned_abs()).max().unwrap_or(0)
        };
        let reach = [reach(|t| -t.down), reach(|t| t.down), reach(|t| -t.right), reach(|t| t.right)];
        let term_count = cells.len().min(Word::MAX_SOURCES);
        Self { target: slot(Store::News), divisor: 1, terms, term_count, reach }
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.terms[..self.term_count]
    }

    /// Carries the transfer out for these rows; `block` is their part of the target, which `planes` may lack.
    pub(super) fn run(&self, planes: &Planes, rows: Range<usize>, block: &mut [f32]) {
        let [above, below, ..] = self.reach;
        let start = above.clamp(rows.start, rows.end);
        let end = planes.height.saturating_sub(below).clamp(start, rows.end);
        // Rows from which the array is left go one by one, all others at once.
        let mut part = |part: Range<usize>| {
            let cells = (part.start - rows.start) * planes.width..(part.end - rows.start) * planes.width;
            self.run_part(planes, part.start, &mut block[cells]);
        };
        (rows.start..start).for_each(|row| part(row..row + 1));
        part(start..end);
        (end..rows.end).for_each(|row| part(row..row + 1));
    }

    /// As [`run`](Self::run), from that row on, for rows that all read inside of the array, or for a single one.
    fn run_part(&self, planes: &Planes, row: usize, block: &mut [f32]) {
        if block.is_empty() {
            return;
        }
        let width = planes.width;
        let [_, _, west, east] = self.reach.map(|reach| reach.min(width));
        let inner = west..block.len().saturating_sub(east).max(west);
        let sources: [&[f32]; Word::MAX_SOURCES] = array::from_fn(|i| match self.terms().get(i) {
            Some(term) => match term.first(planes, row, inner.start) {
                Some(first) => &planes.values(term.source)[first..first + inner.len()],
                None => &planes.border()[..inner.len()],
            },
            None => &[],
        });
        negated_sums(&mut block[inner], &sources[..self.term_count], self.divisor);
        for column in (0..west).chain(width - east..width) {
            self.run_column(planes, row, column, &mut block[column..]);
        }
    }

    /// As [`run_part`](Self::run_part), for the PEs of one column; `block` starts with the first of them.
    fn run_column(&self, planes: &Planes, row: usize, column: usize, block: &mut [f32]) {
        let width = planes.width;
        block.iter_mut().step_by(width).for_each(|cell| *cell = 0.0);
        for term in self.terms() {
            let inside = column.checked_add_signed(term.right).is_some_and(|column| column < width);
            let cells = block.iter_mut().step_by(width);
            match term.first(planes, row, column).filter(|_| inside) {
                Some(first) => {
                    let values = planes.values(term.source)[first..].iter().step_by(width);
                    cells.zip(values).for_each(|(cell, value)| *cell -= value);
                }
                None => cells.for_each(|cell| *cell -= planes.outside()),
            }
        }
        let divisor = f32::from(self.divisor);
        block.iter_mut().step_by(width).for_each(|cell| *cell /= divisor);
    }
}

impl Term {
    /// The place of what the PE in that row and column reads, if its row is one of the array.
    fn first(&self, planes: &Planes, row: usize, column: usize) -> Option<usize> {
        let row = row.checked_add_signed(self.down).filter(|row| *row < planes.height)?;
        Some((row * planes.width + column).wrapping_add_signed(self.right))
    }
}

/// Minus the sum of the sources, shared between that many destinations.
fn negated_sums(into: &mut [f32], sources: &[&[f32]], divisor: u8) {
    match divisor {
        1 => sums(into, sources, |sum| sum),
        2 => sums(into, sources, |sum| sum * 0.5),
        _ => {
            let divisor = f32::from(divisor);
            sums(into, sources, |sum| sum / divisor);
        }
    }
}

fn sums(into: &mut [f32], sources: &[&[f32]], share: impl Fn(f32) -> f32) {
    match *sources {
        [] => into.fill(0.0),
        [a] => {
            for (into, a) in into.iter_mut().zip(a) {
                *into = share(0.0 - a);
            }
        }
        [a, b] => {
            for ((into, a), b) in into.iter_mut().zip(a).zip(b) {
                *into = share(0.0 - a - b);
            }
        }
        [a, b, c] => {
            for (((into, a), b), c) in into.iter_mut().zip(a).zip(b).zip(c) {
                *into = share(0.0 - a - b - c);
            }
        }
        [a, b, c, d, ..] => {
            for ((((into, a), b), c), d) in into.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *into = share(0.0 - a - b - c - d);
            }
        }
    }
}
