//! Turns exact transfers into what the cells of a chip receive.

use alloc::vec::Vec;
use core::ops::Range;

use super::bits::Bits;
use super::cells::{Cells, Place};
use super::draw::{Draws, Purpose};
use super::planes::Planes;
use super::saturate::saturate;
use super::sums::Received;
use super::transfer::PlaneTransfer;
use super::{ErrorModel, Saturation};
use crate::isa::{self, Bus};

/// A transfer with the errors of its destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) transfer: PlaneTransfer,
    pub(super) destination: Destination,
    /// The errors of the forwarded cell of the transfer, if it has one.
    pub(super) forwarded: Option<Destination>,
    /// The FLAG of its batch that decides where it is carried out; `None` for every PE.
    pub(super) flag: Option<usize>,
}

/// What distinguishes a write from others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    /// The place of the errors of the cell that is written.
    errors: Place,
    /// The number that selects its draws of noise.
    number: u64,
}

impl Destination {
    /// The destination of the word with this number at a position among its destinations, with its errors.
    pub(super) const fn new(errors: Place, position: usize, number: u64) -> Self {
        Self { errors, number: number * Bus::MAX_DESTINATIONS as u64 + position as u64 }
    }
}

/// Adds the errors of an array to writes.
#[derive(Clone, Copy)]
pub(super) struct Writer<'a> {
    model: &'a ErrorModel,
    /// The range of cells.
    range: isa::Range,
    seed: u64,
    cells: &'a Cells,
    errors: Kind,
}

/// How errors are added to exact values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Cells receive exact values.
    None,
    /// A factor, an offset and the ends of a range, together with the transfer.
    Together,
    /// One after the other, after the transfer.
    Apart,
}

impl<'a> Writer<'a> {
    pub(super) fn new(model: &'a ErrorModel, range: isa::Range, seed: u64, cells: &'a Cells) -> Self {
        let errors = if model.writes_exactly() {
            Kind::None
        } else if model.has_noise() || model.saturation == Saturation::Soft {
            Kind::Apart
        } else {
            Kind::Together
        };
        Self { model, range, seed, cells, errors }
    }

    /// Whether a value that is only read once may be computed where it is read.
    pub(super) fn can_forward(&self) -> bool {
        self.errors != Kind::Apart
    }

    /// The number of rows by which writes advance at a time: errors take as much of the cache as values.
    pub(super) const fn rows_at_a_time(&self) -> usize {
        match self.errors {
            Kind::None => 8,
            Kind::Together | Kind::Apart => 4,
        }
    }

    /// Carries out a write for these rows; `block` is their part of the target, which `planes` need not contain.
    pub(super) fn run(
        &self,
        write: &Write,
        flag: Option<&Bits>,
        planes: &Planes,
        rows: Range<usize>,
        block: &mut [f32],
        scratch: &mut Vec<f32>,
    ) {
        let Some(flag) = flag else { return self.fill(write, planes, rows, block) };
        scratch.resize(block.len(), 0.0);
        self.fill(write, planes, rows.clone(), scratch);
        flag.replace(rows, block, scratch);
    }

    /// Computes what the cells of these rows receive.
    fn fill(&self, write: &Write, planes: &Planes, rows: Range<usize>, block: &mut [f32]) {
        let first = rows.start * planes.width;
        match self.errors {
            Kind::None => write.transfer.run(planes, rows, block, None),
            Kind::Together => write.transfer.run(planes, rows, block, Some(&self.received(write))),
            Kind::Apart => {
                write.transfer.run(planes, rows, block, None);
                self.err(&write.destination, first, block);
            }
        }
    }

    /// What the cells of a write make of exact values.
    fn received(&self, write: &Write) -> Received<'a> {
        let errors = |destination: &Destination| self.cells.errors(destination.errors);
        let range = match self.model.saturation {
            Saturation::Hard => [self.range.min, self.range.max].map(f32::from),
            Saturation::None | Saturation::Soft => [f32::NEG_INFINITY, f32::INFINITY],
        };
        let forwarded = write.forwarded.as_ref().map(errors).unwrap_or_default();
        Received { forwarded, written: errors(&write.destination), range }
    }

    /// Writes exact values into the cells of these rows, with their errors and where FLAG is 1.
    pub(super) fn receive(
        &self,
        destination: &Destination,
        flag: Option<&Bits>,
        rows: Range<usize>,
        values: &mut [f32],
        block: &mut [f32],
    ) {
        let width = block.len() / rows.len().max(1);
        self.err(destination, rows.start * width, values);
        match flag {
            Some(flag) => flag.replace(rows, block, values),
            None => block.copy_from_slice(values),
        }
    }

    /// Turns exact values into those that the cells of these PEs receive.
    fn err(&self, destination: &Destination, first: usize, block: &mut [f32]) {
        if self.errors == Kind::None {
            return;
        }
        if self.model.relative_noise > 0.0 {
            let draws = Draws::new(self.seed, Purpose::Relative, destination.number);
            for (pe, value) in (first..).zip(&mut *block) {
                *value *= 1.0 + self.model.relative_noise * draws.normal(pe);
            }
        }
        let errors = self.cells.errors(destination.errors).starting_at(first);
        for ((value, factor), offset) in block.iter_mut().zip(errors.factors).zip(errors.offsets) {
            *value = *value * factor + offset;
        }
        if self.model.noise > 0.0 {
            let draws = Draws::new(self.seed, Purpose::Noise, destination.number);
            for (pe, value) in (first..).zip(&mut *block) {
                *value += self.model.noise * draws.normal(pe);
            }
        }
        saturate(self.model.saturation, block, self.range);
    }
}
