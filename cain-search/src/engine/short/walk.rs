//! The walk over all programs of a given length.

use std::ops::ControlFlow;

use cain_isa::{Instruction, Reg};

use super::patterns::{Pattern, Patterns, Place};
use crate::engine::goals::Goals;
use crate::engine::image::Image;
use crate::engine::problem::Problem;
use crate::engine::work::CHOICE;

/// A set of cells, as bits.
type Cells = u64;

/// The most places that a pattern has.
const MAX_PLACES: usize = 8;

/// A cell of the machine.
#[derive(Clone, Copy)]
struct Slot {
    /// The register, or `None` for NEWS.
    reg: Option<Reg>,
    is_writable: bool,
    /// The value that it has to hold at the end, if it is an output.
    wanted: Option<Image>,
    /// The value that it holds, if that is known.
    value: Option<Image>,
}

impl Slot {
    /// Whether nothing distinguishes the register from others like it.
    fn is_blank(&self) -> bool {
        self.value.is_none() && self.wanted.is_none() && self.reg.is_some()
    }

    fn is_missing(&self) -> bool {
        self.wanted.is_some() && self.wanted != self.value
    }
}

/// A pattern with the cells chosen for its places.
#[derive(Clone, Copy)]
struct Taken<'a> {
    pattern: &'a Pattern,
    cells: [usize; MAX_PLACES],
}

/// A walk in progress.
pub(super) struct Walk<'a> {
    patterns: &'a Patterns,
    slots: Vec<Slot>,
    path: Vec<Taken<'a>>,
    /// For each instruction none of whose results has been read, the cells that still hold them.
    unread: Vec<Cells>,
    /// The number of control words of the best program found.
    best: Option<u32>,
    take: &'a mut dyn FnMut(u64) -> bool,
    /// The number of choices of cells that have not been charged yet.
    choices: u64,
    offer: &'a mut dyn FnMut(Vec<Instruction>) -> bool,
}

/// An error that says that the budget is used up.
struct Stopped;

impl<'a> Walk<'a> {
    /// A walk that has not begun; `None` if the machine has more cells than a set has bits.
    pub(super) fn new(
        (problem, goals): (&Problem, &Goals),
        patterns: &'a Patterns,
        take: &'a mut dyn FnMut(u64) -> bool,
        offer: &'a mut dyn FnMut(Vec<Instruction>) -> bool,
    ) -> Option<Self> {
        let input = |reg: Reg| problem.inputs.iter().find(|input| input.reg == reg);
        let kept = problem.inputs.iter().filter(|input| input.keep).map(|input| input.reg);
        let slot = |reg: Reg| Slot {
            reg: Some(reg),
            is_writable: problem.writable.contains(&reg),
            wanted: problem.output(goals, reg).map(Image::of),
            value: input(reg).map(|input| Image::of(goals.terms(input.goal))),
        };
        let mut slots: Vec<Slot> = kept.chain(problem.writable.iter().copied()).map(slot).collect();
        if patterns.has_news {
            slots.push(Slot { reg: None, is_writable: true, wanted: None, value: None });
        }
        let fits = slots.len() <= Cells::BITS as usize;
        let places = patterns.list.iter().map(|pattern| pattern.places.len()).max().unwrap_or(0);
        let walk = Self { patterns, slots, path: Vec::new(), unread: Vec::new(), best: None, take, choices: 0, offer };
        (fits && places <= MAX_PLACES).then_some(walk)
    }

    /// Whether a program was found.
    pub(super) fn has_found(&self) -> bool {
        self.best.is_some()
    }

    /// Tries all programs of this length; returns whether the budget lasted.
    pub(super) fn all_of(&mut self, length: u32) -> bool {
        self.arrive(length).is_continue()
    }

    /// Continues from a state after which `left` instructions have to follow.
    fn arrive(&mut self, left: u32) -> ControlFlow<Stopped> {
        let missing = self.slots.iter().filter(|slot| slot.is_missing()).count();
        if left == 0 {
            if missing == 0 {
                self.finish();
            }
            return ControlFlow::Continue(());
        }
        if missing > self.patterns.most_written.saturating_mul(left as usize) {
            return ControlFlow::Continue(());
        }
        if !(self.take)(std::mem::take(&mut self.choices) * CHOICE) {
            return ControlFlow::Break(Stopped);
        }
        for pattern in &self.patterns.list {
            if left > 1 || pattern.written >= missing {
                self.choose(Taken { pattern, cells: [0; MAX_PLACES] }, 0, left)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Chooses a cell for each place, beginning with the given place, in all possible ways.
    fn choose(&mut self, mut taken: Taken<'a>, at: usize, left: u32) -> ControlFlow<Stopped> {
        let Some(place) = taken.pattern.places.get(at) else { return self.follow(taken, left) };
        if left == 1 && !place.is_read && !self.reads_the_rest(&taken, at) {
            return ControlFlow::Continue(());
        }
        let result = place.sum.as_ref().filter(|_| left == 1 && !place.is_read).map(|sum| self.sum(sum, &taken));
        let first = place.alike.map_or(0, |other| taken.cells[other] + 1);
        let mut is_blank_tried = false;
        for cell in first..self.slots.len() {
            self.choices += 1;
            if taken.cells[..at].contains(&cell) || !fits(&self.slots[cell], place, result) {
                continue;
            }
            if self.slots[cell].is_blank() && std::mem::replace(&mut is_blank_tried, true) {
                continue;
            }
            taken.cells[at] = cell;
            self.choose(taken, at + 1, left)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether the places before `at` read everything that is unread and not an output.
    fn reads_the_rest(&self, taken: &Taken<'_>, at: usize) -> bool {
        let read = taken.cells[..at].iter().fold(0, |read, &cell| read | bit(cell));
        self.unread.iter().all(|&made| made & (read | self.outputs()) != 0)
    }

    /// The registers that already hold the output wanted there.
    fn outputs(&self) -> Cells {
        let made = self.slots.iter().enumerate().filter(|(_, slot)| slot.wanted.is_some() && !slot.is_missing());
        made.fold(0, |outputs, (cell, _)| outputs | bit(cell))
    }

    fn sum(&self, sum: &[(usize, Image)], taken: &Taken<'_>) -> Image {
        sum.iter().fold(Image::of(&[]), |total, &(place, factor)| {
            // Only known cells are read.
            self.slots[taken.cells[place]].value.map_or(total, |value| total + value * factor)
        })
    }

    /// Carries out an instruction and continues from there.
    fn follow(&mut self, taken: Taken<'a>, left: u32) -> ControlFlow<Stopped> {
        let places = &taken.pattern.places;
        let cells = || places.iter().zip(taken.cells);
        let read = cells().filter(|(place, _)| place.is_read).fold(0, |read, (_, cell)| read | bit(cell));
        let written =
            cells().filter(|(place, _)| place.sum.is_some()).fold(0, |written, (_, cell)| written | bit(cell));
        let unread: Vec<Cells> =
            self.unread.iter().filter(|made| *made & read == 0).map(|made| made & !written).collect();
        if unread.contains(&0) {
            return ControlFlow::Continue(());
        }
        let results: Vec<(usize, Image)> =
            cells().filter_map(|(place, cell)| Some((cell, self.sum(place.sum.as_ref()?, &taken)))).collect();
        let (slots, before) = (self.slots.clone(), std::mem::replace(&mut self.unread, unread));
        self.unread.push(written);
        for (cell, value) in results {
            self.slots[cell].value = Some(value);
        }
        self.path.push(taken);
        let flow = self.arrive(left - 1);
        self.path.pop();
        (self.slots, self.unread) = (slots, before);
        flow
    }

    /// Offers the current program if it has fewer control words than the best one.
    fn finish(&mut self) {
        let words = self.path.iter().map(|taken| taken.pattern.words).sum();
        if self.best.is_some_and(|best| best <= words) {
            return;
        }
        let line = |taken: &Taken<'_>| taken.pattern.assemble(&taken.cells.map(|cell| self.slots[cell].reg));
        if let Some(listing) = self.path.iter().map(line).collect::<Option<Vec<_>>>()
            && (self.offer)(listing)
        {
            self.best = Some(words);
        }
    }
}

/// Whether a cell can be chosen for a place; `result` is what the last instruction leaves there, which must not be
/// wrong.
fn fits(slot: &Slot, place: &Place, result: Option<Image>) -> bool {
    slot.reg.is_none() == place.is_news
        && (slot.value.is_some() || !place.is_read)
        && (slot.is_writable || place.sum.is_none())
        && (result.is_none() || slot.wanted.is_none() || slot.wanted == result)
}

fn bit(cell: usize) -> Cells {
    1 << cell
}
