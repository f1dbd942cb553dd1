//! What the cells of an array make of the values that are written to them, apart from noise.

use alloc::vec::Vec;

use super::ErrorModel;
use super::draw::{Draws, Purpose};
use super::planes::{PlaneBuffer, Slot};

/// The errors of the cells written so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells(Vec<(Kind, PlaneBuffer)>);

/// What a plane of errors depends on: the cell, if cells have patterns of their own, the purpose of its draws, and the bits of
/// the share or the offset that the cell receives.
type Kind = (Option<Slot>, Purpose, u32);

/// The places of a cell's factors and offsets in the list of planes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place([usize; 2]);

/// The errors of a cell in consecutive PEs: what is written is multiplied by a factor, and an offset is added.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Errors<'a> {
    pub(super) factors: &'a [f32],
    pub(super) offsets: &'a [f32],
}

impl Errors<'_> {
    /// Those of the PEs from this one on.
    pub(super) fn starting_at(self, first: usize) -> Self {
        Self { factors: &self.factors[first..], offsets: &self.offsets[first..] }
    }

    /// Those of the first `len` PEs.
    pub(super) fn up_to(self, len: usize) -> Self {
        Self { factors: &self.factors[..len], offsets: &self.offsets[..len] }
    }
}

impl Cells {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// The place of the errors of a cell at this position among so many destinations; they are drawn if they have not been.
    pub(super) fn place(
        &mut self,
        cell: Slot,
        (position, count): (usize, usize),
        model: &ErrorModel,
        seed: u64,
        pes: usize,
    ) -> Place {
        if model.writes_exactly() {
            return Place::default();
        }
        let (share, offset) = (model.share(position, count), model.offset_of(count));
        let has_pattern = model.has_fixed_pattern();
        let mut plane = |purpose, of: f32, deviation: f32, received: &dyn Fn(f32) -> f32| {
            let kind = (has_pattern.then_some(cell), purpose, of.to_bits());
            if let Some(place) = self.0.iter().position(|(known, _)| *known == kind) {
                return place;
            }
            let mut plane = PlaneBuffer::new(pes);
            if has_pattern {
                let draws = Draws::new(seed, purpose, cell as u64);
                for (pe, value) in plane.values_mut().iter_mut().enumerate() {
                    *value = received(deviation * draws.normal(pe));
                }
            } else {
                plane.values_mut().fill(received(0.0));
            }
            self.0.push((kind, plane));
            self.0.len() - 1
        };
        let factors = plane(Purpose::Gain, share, model.fixed_gain, &|fixed| share * (model.gain + fixed));
        let offsets = plane(Purpose::Offset, offset, model.fixed_offset, &|fixed| offset + fixed);
        Place([factors, offsets])
    }

    /// The errors at this place, in all PEs; none if cells receive exact values.
    pub(super) fn errors(&self, Place(planes): Place) -> Errors<'_> {
        let [factors, offsets] = planes.map(|plane| self.0.get(plane).map_or(&[][..], |(_, plane)| plane.values()));
        Errors { factors, offsets }
    }
}
