//! The analogue cells of all PEs.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use super::SimError;
use crate::isa::Store;

/// The planes of the analogue cells, each in rows from the north.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    pub(super) width: usize,
    pub(super) height: usize,
    /// A row of what is read outside the array, in DN.
    border: Vec<f32>,
    outside: f32,
    list: Vec<PlaneBuffer>,
    /// A plane that belongs to no cell.
    spare: PlaneBuffer,
}

/// The index of a cell in [`Planes`].
pub(super) type Slot = usize;

/// The index of the plane that belongs to no cell.
pub(super) const SPARE: Slot = Slot::MAX;

/// The values of one cell in all PEs; empty while it has not been written and while its plane is lent out.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaneBuffer {
    /// The values of the PEs, after as many unused ones as align them to a cache line.
    values: Vec<f32>,
    start: usize,
}

impl PlaneBuffer {
    /// The number of bytes of a cache line. Vectors that do not cross lines are written twice as fast.
    const LINE: usize = 64;

    const NONE: Self = Self { values: Vec::new(), start: 0 };

    pub(super) fn new(len: usize) -> Self {
        let room = Self::LINE / size_of::<f32>();
        let values = vec![0.0; len + room];
        let start = values.as_ptr().align_offset(Self::LINE).min(room);
        let mut plane = Self { values, start };
        plane.values.truncate(start + len);
        plane
    }

    const fn is_written(&self) -> bool {
        self.values.capacity() > 0
    }

    pub(super) fn values(&self) -> &[f32] {
        &self.values[self.start..]
    }

    pub(super) fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values[self.start..]
    }
}

/// The index of a cell.
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
        Self { width, height, border: Vec::new(), outside: 0.0, list: Vec::new(), spare: PlaneBuffer::NONE }
    }

    /// The number of PEs.
    pub(super) const fn len(&self) -> usize {
        self.width.saturating_mul(self.height)
    }

    pub(super) fn is_written(&self, store: Store) -> bool {
        self.list.get(slot(store)).is_some_and(PlaneBuffer::is_written)
    }

    /// The values of a cell in every PE.
    pub(super) fn read(&self, store: Store) -> Result<&[f32], SimError> {
        match self.list.get(slot(store)) {
            Some(plane) if plane.is_written() => Ok(plane.values()),
            _ => Err(SimError::Unwritten(store)),
        }
    }

    /// The values of a cell in every PE, to be written; its plane is made if there is none.
    pub(super) fn write(&mut self, store: Store) -> &mut [f32] {
        let (slot, len) = (slot(store), self.len());
        if self.list.len() <= slot {
            self.list.resize_with(slot + 1, PlaneBuffer::default);
        }
        self.border.resize(self.width, self.outside);
        if !self.spare.is_written() {
            self.spare = PlaneBuffer::new(len);
        }
        let plane = &mut self.list[slot];
        if !plane.is_written() {
            *plane = PlaneBuffer::new(len);
        }
        plane.values_mut()
    }

    /// What is read outside of the array, in DN.
    pub(super) const fn outside(&self) -> f32 {
        self.outside
    }

    /// A row of PEs that hold [`outside`](Self::outside); it exists as soon as any plane is written.
    pub(super) fn border(&self) -> &[f32] {
        &self.border
    }

    pub(super) fn set_outside(&mut self, level: f32) {
        self.outside = level;
        self.border.fill(level);
    }

    /// The values of a plane, which are empty if it has not been written.
    pub(super) fn values(&self, slot: Slot) -> &[f32] {
        let plane = if slot == SPARE { Some(&self.spare) } else { self.list.get(slot) };
        plane.map_or(&[], PlaneBuffer::values)
    }

    /// Moves everything that is stored in cells of PEs towards `level`, by `distance` at most.
    pub(super) fn drift(&mut self, level: f32, distance: f32) {
        let sources = [slot(Store::Pix), slot(Store::In)];
        for (slot, plane) in self.list.iter_mut().enumerate() {
            if sources.contains(&slot) {
                continue;
            }
            for value in plane.values_mut() {
                *value += (level - *value).clamp(-distance, distance);
            }
        }
    }

    /// Takes a plane out, to write it while others are read; it has to be given back with [`put`](Self::put).
    pub(super) fn take(&mut self, slot: Slot) -> PlaneBuffer {
        self.plane_mut(slot).map(mem::take).unwrap_or_default()
    }

    /// Puts a plane back.
    pub(super) fn put(&mut self, slot: Slot, lent: PlaneBuffer) {
        if let Some(plane) = self.plane_mut(slot) {
            *plane = lent;
        }
    }

    /// Gives every cell in the list the plane next to it.
    pub(super) fn rename(&mut self, planes: &[(Slot, Slot)]) {
        let taken: Vec<_> = planes.iter().map(|&(cell, plane)| (cell, self.take(plane))).collect();
        for (cell, plane) in taken {
            self.put(cell, plane);
        }
    }

    fn plane_mut(&mut self, slot: Slot) -> Option<&mut PlaneBuffer> {
        if slot == SPARE { Some(&mut self.spare) } else { self.list.get_mut(slot) }
    }
}
