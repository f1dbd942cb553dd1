//! Exact transfers on blocks of rows.
//!
//! A block is treated as one flat list of values: the value `x` PEs to the east and `y` to the north of a PE is at a
//! fixed distance from it. That is wrong only in columns from which a read leaves the array, and these are computed
//! again on their own. Rows from which a read leaves the array read a row of the border instead.

use core::ops::Range;

use super::cells::Errors;
use super::planes::{Planes, Slot, slot};
use super::sums::{NegatedSums, Received};
use crate::isa::{Bus, Displacement, Store, Transfer};

/// A transfer whose cells have been looked up and whose displacements are given as rows and columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneTransfer {
    /// The cell that is written.
    pub(super) target: Slot,
    divisor: u8,
    terms: [Term; Self::MAX_TERMS],
    term_count: usize,
    /// A cell that is read without ever being written, if there is one: the first terms are the sources of what it
    /// would hold.
    forwarded: Option<Forwarded>,
    /// How far the transfer reads to the north, south, west and east.
    reach: [usize; 4],
}

/// A source: the cell, and where it is read, in rows to the south and columns to the east.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Term {
    pub(super) source: Slot,
    pub(super) down: isize,
    pub(super) right: isize,
}

/// A forwarded cell: minus the sum of the first terms, read at a displacement like a source.
#[derive(Clone, Copy, Debug)]
struct Forwarded {
    term_count: usize,
    down: isize,
    right: isize,
}

impl PlaneTransfer {
    /// The most terms: the sources of a forwarded cell, and one source beside it.
    const MAX_TERMS: usize = Bus::MAX_SOURCES + 1;

    pub(super) fn new(transfer: &Transfer) -> Self {
        Self { target: slot(transfer.store), divisor: transfer.divisor, ..Self::sum(transfer.terms()) }
    }

    /// Minus the sum of some cells, which is not written to any cell.
    pub(super) fn sum(cells: &[(Store, Displacement)]) -> Self {
        let mut terms = [Term::default(); Self::MAX_TERMS];
        for (term, &(store, displacement)) in terms.iter_mut().zip(cells) {
            *term =
                Term { source: slot(store), down: -isize::from(displacement.y), right: isize::from(displacement.x) };
        }
        let term_count = cells.len().min(Self::MAX_TERMS);
        Self { target: slot(Store::News), divisor: 1, terms, term_count, forwarded: None, reach: [0; 4] }.with_reach()
    }

    pub(super) fn terms(&self) -> &[Term] {
        &self.terms[..self.term_count]
    }

    /// This transfer without the detour through the cell that `before` writes: its value is summed up where it is read.
    ///
    /// The results are the same, bit for bit, if nothing else is written in between. `None` if they would not be: for
    /// values shared between destinations, and for sources whose order affects rounding.
    pub(super) fn forwarding(&self, before: &Self) -> Option<Self> {
        let simple = |transfer: &Self| transfer.divisor == 1 && transfer.forwarded.is_none();
        let position = self.terms().iter().position(|term| term.source == before.target)?;
        if !simple(self) || !simple(before) || self.term_count > 2 {
            return None;
        }
        let Term { down, right, .. } = self.terms[position];
        let mut terms = before.terms;
        for term in &mut terms[..before.term_count] {
            term.down += down;
            term.right += right;
        }
        let mut term_count = before.term_count;
        if self.term_count == 2 {
            let beside = self.terms[1 - position];
            if beside.source == before.target {
                return None;
            }
            terms[term_count] = beside;
            term_count += 1;
        }
        let forwarded = Some(Forwarded { term_count: before.term_count, down, right });
        Some(Self { terms, term_count, forwarded, ..*self }.with_reach())
    }

    /// The same transfer on other planes.
    pub(super) fn renamed(mut self, plane: impl Fn(Slot) -> Slot) -> Self {
        self.target = plane(self.target);
        for term in &mut self.terms[..self.term_count] {
            term.source = plane(term.source);
        }
        self
    }

    fn with_reach(self) -> Self {
        let forwarded = self.forwarded.map_or((0, 0), |cell| (cell.down, cell.right));
        let places = || self.terms().iter().map(|term| (term.down, term.right)).chain([forwarded]);
        let most = |distance: fn((isize, isize)) -> isize| {
            places().map(|place| distance(place).max(0).unsigned_abs()).max().unwrap_or(0)
        };
        let reach =
            [most(|(down, _)| -down), most(|(down, _)| down), most(|(_, right)| -right), most(|(_, right)| right)];
        Self { reach, ..self }
    }

    /// The sources of the forwarded cell, and those that are read beside it.
    fn parts(&self) -> (&[Term], &[Term]) {
        self.terms().split_at(self.forwarded.map_or(0, |cell| cell.term_count))
    }

    /// The same transfer if the forwarded cell lies outside the array, so that its sources do not matter.
    fn with_forwarded_outside(&self) -> Self {
        let (_, beside) = self.parts();
        let mut terms = [Term::default(); Self::MAX_TERMS];
        terms[0] = Term::OUTSIDE;
        terms[1..=beside.len()].copy_from_slice(beside);
        Self { terms, term_count: 1 + beside.len(), forwarded: None, ..*self }
    }

    /// Carries out the transfer for these rows; `block` is their part of the target, which `planes` need not contain.
    pub(super) fn run(&self, planes: &Planes, rows: Range<usize>, block: &mut [f32], received: Option<&Received<'_>>) {
        let [above, below, ..] = self.reach;
        let start = above.clamp(rows.start, rows.end);
        let end = planes.height.saturating_sub(below).clamp(start, rows.end);
        let mut row = rows.start;
        while row < rows.end {
            // Rows from which a read leaves the array are handled one by one, all others at once.
            let next = if (start..end).contains(&row) { end } else { row + 1 };
            let cells = (row - rows.start) * planes.width..(next - rows.start) * planes.width;
            let is_outside = |cell: Forwarded| inside(row, cell.down, planes.height).is_none();
            let outside;
            let transfer = if self.forwarded.is_some_and(is_outside) {
                outside = self.with_forwarded_outside();
                &outside
            } else {
                self
            };
            transfer.run_part(planes, row, &mut block[cells], received);
            row = next;
        }
    }

    /// Carries out the transfer from this row on, for rows that read only inside the array, or for a single row.
    fn run_part(&self, planes: &Planes, row: usize, block: &mut [f32], received: Option<&Received<'_>>) {
        let width = planes.width;
        if width == 0 {
            return;
        }
        let [above, below, west, east] = self.reach;
        let (west, east) = (west.min(width), east.min(width));
        let inner = west..(width - east).max(west);
        if !inner.is_empty() {
            // The ends of rows are computed again below. Where they read within the planes, this takes fewer loops than
            // leaving them out.
            let first = if row > above { 0 } else { west };
            let is_last = row + block.len() / width + below >= planes.height;
            let last = block.len() - if is_last { east } else { 0 };
            self.run_flat(planes, row, first, &mut block[first..last], received);
        }
        for column in (0..inner.start).chain(inner.end..width) {
            self.run_column(planes, row, column, &mut block[column..], received);
        }
    }

    /// Carries out the transfer for consecutive PEs from this one on. The results are wrong where a read leaves the
    /// array to the west or the east.
    fn run_flat(&self, planes: &Planes, row: usize, column: usize, block: &mut [f32], received: Option<&Received<'_>>) {
        let mut sources: [&[f32]; Self::MAX_TERMS] = [&[]; Self::MAX_TERMS];
        for (source, term) in sources.iter_mut().zip(self.terms()) {
            *source = match term.first(planes, row, column) {
                Some(first) => &planes.values(term.source)[first..first + block.len()],
                None => &planes.border()[..block.len()],
            };
        }
        let (forwarded, beside) = sources[..self.term_count].split_at(self.parts().0.len());
        let forwarded = self.forwarded.map(|_| forwarded);
        let received = received.map(|received| self.received_from(received, planes, (row, column)));
        NegatedSums { into: block, forwarded, beside, divisor: self.divisor, received }.vectorised();
    }

    /// Carries out the transfer for the PEs of one column; `block` starts with the first of them.
    fn run_column(
        &self,
        planes: &Planes,
        row: usize,
        column: usize,
        block: &mut [f32],
        received: Option<&Received<'_>>,
    ) {
        let width = planes.width;
        if self.forwarded.is_some_and(|cell| inside(column, cell.right, width).is_none()) {
            return self.with_forwarded_outside().run_column(planes, row, column, block, received);
        }
        let mut sources: [Option<&[f32]>; Self::MAX_TERMS] = [None; Self::MAX_TERMS];
        for (source, term) in sources.iter_mut().zip(self.terms()) {
            if inside(column, term.right, width).is_some() {
                *source = term.first(planes, row, column).map(|first| &planes.values(term.source)[first..]);
            }
        }
        let (forwarded, beside) = sources[..self.term_count].split_at(self.parts().0.len());
        let divisor = f32::from(self.divisor);
        let received = received.map(|received| self.received_from(received, planes, (row, column)));
        for (pe, cell) in (0..).step_by(width).zip(block.iter_mut().step_by(width)) {
            let sum = |sources: &[Option<&[f32]>]| {
                sources
                    .iter()
                    .map(|source| source.map_or(planes.outside(), |values| values[pe]))
                    .fold(0.0, |a, b| a + b)
            };
            let receive = |of: fn(Received<'_>) -> Errors<'_>, sum: f32| match received {
                Some(received) => received.receive(of(received), pe, sum),
                None => 0.0 - sum,
            };
            let before = self.forwarded.map_or(0.0, |_| receive(|received| received.forwarded, sum(forwarded)));
            *cell = receive(|received| received.written, (before + sum(beside)) / divisor);
        }
    }

    /// What cells make of sums, from the PE in this row and column on.
    fn received_from<'a>(&self, of_all: &Received<'a>, planes: &Planes, (row, column): (usize, usize)) -> Received<'a> {
        let first = row * planes.width + column;
        let forwarded = self.forwarded.map(|cell| {
            of_all.forwarded.starting_at(first.wrapping_add_signed(cell.down * planes.width.cast_signed() + cell.right))
        });
        Received { forwarded: forwarded.unwrap_or_default(), written: of_all.written.starting_at(first), ..*of_all }
    }
}

impl Term {
    /// A term that lies outside any array.
    const OUTSIDE: Self = Self { source: 0, down: isize::MAX, right: 0 };

    /// The index of what the PE in this row and column reads, if it is in a row of the array.
    fn first(&self, planes: &Planes, row: usize, column: usize) -> Option<usize> {
        let row = inside(row, self.down, planes.height)?;
        Some((row * planes.width + column).wrapping_add_signed(self.right))
    }
}

/// The row or column at this distance, if it exists.
fn inside(place: usize, distance: isize, count: usize) -> Option<usize> {
    place.checked_add_signed(distance).filter(|place| *place < count)
}
