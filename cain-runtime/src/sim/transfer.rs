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
        Self { target: slot(Store::News), divisor: 1, terms, term_count: cells.len().min(Word::MAX_SOURCES) }
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.terms[..self.term_count]
    }

    /// Carries the transfer out for these rows; `block` is their part of the target, which `planes` may lack.
    pub(super) fn run(&self, planes: &Planes, rows: Range<usize>, block: &mut [f32]) {
        let inside = self.rows_inside(planes.height);
        let (start, end) = (inside.start.clamp(rows.start, rows.end), inside.end.clamp(rows.start, rows.end));
        // Rows from which the array is left go one by one, all others at once.
        let above = (rows.start..start).map(|row| row..row + 1);
        let below = (end.max(start)..rows.end).map(|row| row..row + 1);
        for part in above.chain([start..end.max(start)]).chain(below) {
            let cells = (part.start - rows.start) * planes.width..(part.end - rows.start) * planes.width;
            self.run_part(planes, part, &mut block[cells]);
        }
    }

    /// The rows for which all sources lie in rows of the array.
    fn rows_inside(&self, height: usize) -> Range<usize> {
        let above = reach(self.terms(), |term| -term.down);
        let below = reach(self.terms(), |term| term.down);
        above.min(height)..height.saturating_sub(below)
    }

    /// As [`run`](Self::run), for rows that all read inside of the array, or for a single one.
    fn run_part(&self, planes: &Planes, rows: Range<usize>, block: &mut [f32]) {
        if block.is_empty() {
            return;
        }
        let west = reach(self.terms(), |term| -term.right).min(planes.width);
        let east = reach(self.terms(), |term| term.right).min(planes.width);
        let inner = west..block.len().saturating_sub(east).max(west);
        let first = rows.start * planes.width;
        let sources: [&[f32]; Word::MAX_SOURCES] = array::from_fn(|i| match self.terms().get(i) {
            Some(term) => term.cells(planes, rows.start, first + inner.start, inner.len()),
            None => &[],
        });
        negated_sums(&mut block[inner], &sources[..self.term_count], self.divisor);
        if west + east == 0 {
            return;
        }
        for (row, cells) in rows.zip(block.chunks_exact_mut(planes.width)) {
            for column in (0..west).chain(planes.width - east..planes.width) {
                cells[column] = self.value(planes, row, column);
            }
        }
    }

    /// The transfer in one PE.
    fn value(&self, planes: &Planes, row: usize, column: usize) -> f32 {
        let term = |term: &Term| {
            let row = row.checked_add_signed(term.down).filter(|row| *row < planes.height);
            let column = column.checked_add_signed(term.right).filter(|column| *column < planes.width);
            match (row, column) {
                (Some(row), Some(column)) => planes.values(term.source)[row * planes.width + column],
                _ => planes.outside(),
            }
        };
        let sum = self.terms().iter().map(term).fold(0.0, |sum, value| sum - value);
        sum / f32::from(self.divisor)
    }
}

impl Term {
    /// The values that PEs read, from the PE with the number `first` on; its row decides for all.
    fn cells<'a>(&self, planes: &'a Planes, row: usize, first: usize, len: usize) -> &'a [f32] {
        if row.checked_add_signed(self.down).is_none_or(|row| row >= planes.height) {
            return &planes.border()[..len];
        }
        let first = first.wrapping_add_signed(self.down * planes.width.cast_signed() + self.right);
        &planes.values(self.source)[first..first + len]
    }
}

/// How far any source lies in that direction.
fn reach(terms: &[Term], distance: impl Fn(&Term) -> isize) -> usize {
    terms.iter().map(|term| distance(term).max(0).unsigned_abs()).max().unwrap_or(0)
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
