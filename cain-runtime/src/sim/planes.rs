//! The analogue cells of all PEs.

use alloc::vec::Vec;
use core::mem;

use super::SimError;
use crate::isa::Store;

/// A plane per analogue cell, each in rows from the north.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    pub(super) width: usize,
    pub(super) height: usize,
    /// What is read from a row outside of the array, in DN.
    border: Vec<f32>,
    outside: f32,
    list: Vec<Plane>,
}

/// The place of a cell in [`Planes`].
pub(super) type Slot = usize;

#[derive(Clone, Debug, Default)]
struct Plane {
    /// One value per PE, or none while the cell is not written and while its plane is lent out.
    values: Vec<f32>,
    written: bool,
}

/// The place of a cell.
pub(super) fn slot(store: Store) -> Slot {
    match store {
        Store::News => 0,
        Store::Pix => 1,
        Store::In => 2,
        Store::Reg(reg) => 3 + usize::from(reg.index()),
    }
}

impl Planes {
    pub(super) const fn new(width: usize, height: usize) -> Self {
        Self { width, height, border: Vec::new(), outside: 0.0, list: Vec::new() }
    }

    /// The number of PEs.
    pub(super) const fn len(&self) -> usize {
        self.width.saturating_mul(self.height)
    }

    pub(super) fn is_written(&self, store: Store) -> bool {
        self.list.get(slot(store)).is_some_and(|plane| plane.written)
    }

    /// What a cell holds in every PE.
    pub(super) fn read(&self, store: Store) -> Result<&[f32], SimError> {
        match self.list.get(slot(store)) {
            Some(plane) if plane.written => Ok(&plane.values),
            _ => Err(SimError::Unwritten(store)),
        }
    }

    /// What a cell is given in every PE; the plane is made where there is none.
    pub(super) fn write(&mut self, store: Store) -> &mut [f32] {
        let (slot, len) = (slot(store), self.len());
        if self.list.len() <= slot {
            self.list.resize_with(slot + 1, Plane::default);
        }
        let plane = &mut self.list[slot];
        plane.values.resize(len, 0.0);
        self.border.resize(self.width, self.outside);
        plane.written = true;
        &mut plane.values
    }

    /// What is read outside of the array, in DN.
    pub(super) const fn outside(&self) -> f32 {
        self.outside
    }

    /// [`outside`](Self::outside) for a row of PEs; there is one as soon as any plane is written.
    pub(super) fn border(&self) -> &[f32] {
        &self.border
    }

    pub(super) fn set_outside(&mut self, level: f32) {
        self.outside = level;
        self.border.fill(level);
    }

    /// A plane that has been written, and nothing for others.
    pub(super) fn values(&self, slot: Slot) -> &[f32] {
        self.list.get(slot).map_or(&[], |plane| &plane.values)
    }

    /// Moves everything that is stored in cells of PEs towards `level`, by `distance` at most.
    pub(super) fn drift(&mut self, level: f32, distance: f32) {
        let sources = [slot(Store::Pix), slot(Store::In)];
        for (slot, plane) in self.list.iter_mut().enumerate() {
            if sources.contains(&slot) {
                continue;
            }
            for value in &mut plane.values {
                *value += (level - *value).clamp(-distance, distance);
            }
        }
    }

    /// Takes a plane out, to write it while others are read; give it back with [`put`](Self::put).
    pub(super) fn take(&mut self, slot: Slot) -> Vec<f32> {
        self.list.get_mut(slot).map(|plane| mem::take(&mut plane.values)).unwrap_or_default()
    }

    /// Puts a plane back.
    pub(super) fn put(&mut self, slot: Slot, values: Vec<f32>) {
        if let Some(plane) = self.list.get_mut(slot) {
            plane.values = values;
        }
    }
}
