//! Turns exact transfers into what the cells of a chip receive.

use alloc::vec::Vec;
use core::ops::Range;

use super::ErrorModel;
use super::bits::Bits;
use super::draw::{Draws, Purpose};
use super::planes::{Planes, Slot};
use super::saturate::saturate;
use super::transfer::PlaneTransfer;
use crate::isa::{self, Bus};

/// A transfer with the errors of its destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) transfer: PlaneTransfer,
    pub(super) destination: Destination,
    /// The FLAG of its batch that decides where it is carried out; `None` for every PE.
    pub(super) flag: Option<usize>,
}

/// A cell that is written, with what distinguishes this write from others to the same cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    cell: Slot,
    /// The share of the exact value that this destination receives.
    share: f32,
    offset: f32,
    /// The number that selects its draws of noise.
    number: u64,
}

impl Write {
    /// The writes of the word with this FLAG and number.
    pub(super) fn of(
        bus: &Bus,
        flag: Option<usize>,
        number: u64,
        model: &ErrorModel,
    ) -> impl Iterator<Item = Self> + use<> {
        let transfers = bus.transfers();
        let (model, count) = (*model, transfers.len());
        transfers.enumerate().map(move |(position, transfer)| {
            let transfer = PlaneTransfer::new(&transfer);
            Self { transfer, destination: Destination::new(transfer.target, (position, count), number, &model), flag }
        })
    }
}

impl Destination {
    /// One of the `count` destinations of the word with this number.
    pub(super) fn new(cell: Slot, (position, count): (usize, usize), number: u64, model: &ErrorModel) -> Self {
        let number = number * Bus::MAX_DESTINATIONS as u64 + position as u64;
        Self { cell, share: model.share(position, count), offset: model.offset_of(count), number }
    }
}

/// Adds the errors of an array to writes.
#[derive(Clone, Copy)]
pub(super) struct Writer<'a> {
    model: &'a ErrorModel,
    /// The range of cells.
    range: isa::Range,
    /// Whether cells receive the exact values of transfers.
    is_exact: bool,
    seed: u64,
    patterns: &'a Patterns,
}

impl<'a> Writer<'a> {
    pub(super) fn new(model: &'a ErrorModel, range: isa::Range, seed: u64, patterns: &'a Patterns) -> Self {
        Self { model, range, is_exact: model.writes_exactly(), seed, patterns }
    }

    /// Whether cells receive the exact values of transfers.
    pub(super) const fn is_exact(&self) -> bool {
        self.is_exact
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
        if flag.is_none() {
            let first = rows.start * planes.width;
            write.transfer.run(planes, rows, block);
            self.err(&write.destination, first, block);
        } else {
            scratch.resize(block.len(), 0.0);
            write.transfer.run(planes, rows.clone(), scratch);
            self.receive(&write.destination, flag, rows, scratch, block);
        }
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
        if self.is_exact {
            return;
        }
        if self.model.relative_noise > 0.0 {
            let draws = Draws::new(self.seed, Purpose::Relative, destination.number);
            for (pe, value) in (first..).zip(&mut *block) {
                *value *= 1.0 + self.model.relative_noise * draws.normal(pe);
            }
        }
        self.gain_and_offset(destination, first, block);
        if self.model.noise > 0.0 {
            let draws = Draws::new(self.seed, Purpose::Noise, destination.number);
            for (pe, value) in (first..).zip(&mut *block) {
                *value += self.model.noise * draws.normal(pe);
            }
        }
        saturate(self.model.saturation, block, self.range);
    }

    fn gain_and_offset(&self, destination: &Destination, first: usize, block: &mut [f32]) {
        let (share, gain, offset) = (destination.share, self.model.gain, destination.offset);
        let Some(pattern) = self.patterns.of(destination.cell) else {
            let gain = share * gain;
            for value in block {
                *value = *value * gain + offset;
            }
            return;
        };
        for ((value, fixed_gain), fixed_offset) in
            block.iter_mut().zip(&pattern.gain[first..]).zip(&pattern.offset[first..])
        {
            *value = *value * (share * (gain + fixed_gain)) + (offset + fixed_offset);
        }
    }
}

/// The fixed patterns of the cells written so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns(Vec<Option<Pattern>>);

/// The deviations of one cell, per PE.
#[derive(Clone, Debug)]
struct Pattern {
    gain: Vec<f32>,
    offset: Vec<f32>,
}

impl Patterns {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Draws the pattern of a cell, if the model has patterns and this one has not been drawn.
    pub(super) fn draw(&mut self, target: Slot, model: &ErrorModel, seed: u64, len: usize) {
        if !model.has_fixed_pattern() || self.of(target).is_some() {
            return;
        }
        let plane = |purpose, deviation: f32| {
            let draws = Draws::new(seed, purpose, target as u64);
            (0..len).map(|pe| deviation * draws.normal(pe)).collect()
        };
        if self.0.len() <= target {
            self.0.resize(target + 1, None);
        }
        self.0[target] = Some(Pattern {
            gain: plane(Purpose::Gain, model.fixed_gain),
            offset: plane(Purpose::Offset, model.fixed_offset),
        });
    }

    fn of(&self, target: Slot) -> Option<&Pattern> {
        self.0.get(target).and_then(Option::as_ref)
    }
}
