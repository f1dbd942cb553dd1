//! From exact transfers to what the cells of a chip receive.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::ErrorModel;
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
}

/// A cell that is written, with what distinguishes this write of it from others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    cell: Slot,
    /// The share of the exact value that this destination receives.
    share: f32,
    offset: f32,
    /// Which draws of noise belong to it.
    number: u64,
}

impl Write {
    /// The writes of the word with that number.
    pub(super) fn of(bus: &Bus, number: u64, model: &ErrorModel) -> impl Iterator<Item = Self> + use<> {
        let transfers = bus.transfers();
        let (model, count) = (*model, transfers.len());
        transfers.enumerate().map(move |(position, transfer)| {
            let transfer = PlaneTransfer::new(&transfer);
            Self { transfer, destination: Destination::new(transfer.target, (position, count), number, &model) }
        })
    }
}

impl Destination {
    /// One of the `count` destinations of the word with that number.
    pub(super) fn new(cell: Slot, (position, count): (usize, usize), number: u64, model: &ErrorModel) -> Self {
        let share = match (count, position) {
            (2, 0) => 1.0 + model.mismatch,
            (2, 1) => 1.0 - model.mismatch,
            _ => 1.0,
        };
        let offset = count.checked_sub(1).and_then(|i| model.offset.get(i)).copied().unwrap_or(0.0);
        let number = number * Bus::MAX_DESTINATIONS as u64 + position as u64;
        Self { cell, share, offset, number }
    }
}

/// The errors of the array, and which PEs take part.
#[derive(Clone, Copy)]
pub(super) struct Writer<'a> {
    model: &'a ErrorModel,
    /// What cells can hold.
    range: isa::Range,
    /// Whether cells receive the exact value of the transfer.
    is_exact: bool,
    seed: u64,
    patterns: &'a Patterns,
    /// The FLAG of every PE; nothing where it is 1 in all of them.
    flags: Option<&'a [bool]>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        model: &'a ErrorModel,
        range: isa::Range,
        seed: u64,
        patterns: &'a Patterns,
        flags: Option<&'a [bool]>,
    ) -> Self {
        Self { model, range, is_exact: model.writes_exactly(), seed, patterns, flags }
    }

    /// Whether all PEs take part and receive the exact values of transfers.
    pub(super) const fn is_plain(&self) -> bool {
        self.is_exact && self.flags.is_none()
    }

    /// Carries a write out for these rows; `block` is their part of the target, which `planes` may lack.
    pub(super) fn run(&self, write: &Write, planes: &Planes, rows: Range<usize>, block: &mut [f32]) {
        let first = rows.start * planes.width;
        if self.flags.is_none() {
            write.transfer.run(planes, rows, block);
            self.err(&write.destination, first, block);
        } else {
            let mut values = vec![0.0; block.len()];
            write.transfer.run(planes, rows, &mut values);
            self.receive(&write.destination, first, &mut values, block);
        }
    }

    /// Writes exact values into cells, with their errors and where FLAG is 1; `first` is the first PE of the block.
    pub(super) fn receive(&self, destination: &Destination, first: usize, values: &mut [f32], block: &mut [f32]) {
        self.err(destination, first, values);
        let Some(flags) = self.flags else { return block.copy_from_slice(values) };
        for ((cell, value), flag) in block.iter_mut().zip(values).zip(&flags[first..]) {
            *cell = if *flag { *value } else { *cell };
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

/// How one cell deviates, per PE.
#[derive(Clone, Debug)]
struct Pattern {
    gain: Vec<f32>,
    offset: Vec<f32>,
}

impl Patterns {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Draws the pattern of a cell, if the model has patterns and this one is not drawn yet.
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
