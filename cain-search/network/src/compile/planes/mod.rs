//! Lowers layers to planes: contents of the array at some time, each made of others.

mod displacement;
mod exact;
mod lowering;
mod number;
mod places;
mod plane;
mod plane_id;
mod readouts;

use super::headroom::{Headroom, MOST_HEADROOM};
use super::stage::Extent;
use crate::MOST_PIXELS;

pub(super) use number::{Exact, Number};
pub(super) use plane::{Around, Kind, Plane, PlaneReadout, Term, Wanted, Wire};
pub(super) use plane_id::PlaneId;

/// All planes of a network, each after those that it is made of, and the read-outs.
#[derive(Debug)]
pub(super) struct Planes {
    pub(super) list: Vec<Plane>,
    pub(super) readouts: Vec<PlaneReadout>,
}

impl Planes {
    /// The number of times each plane is read by others and by read-outs.
    pub(super) fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.list.len()];
        for readout in &self.readouts {
            uses[readout.wire.plane] += 1;
        }
        // Later planes come first, so that planes which are not used do not count as readers.
        for plane in (0..self.list.len()).rev() {
            if uses[plane] > 0 {
                self.list[plane].kind.sources().into_iter().for_each(|source| uses[source] += 1);
            }
        }
        uses
    }
}

impl Planes {
    /// The layer that reads beyond the border of the array around a plane, in some position of a picture of that size.
    pub(super) fn beyond_the_array(&self, readers: &[PlaneId], size: (usize, usize)) -> Option<usize> {
        let leaves = |reader: PlaneId| {
            let Plane { grid, kind, .. } = &self.list[reader];
            let (low, high) = kind.reach();
            let Extent { top, left, bottom, right } = Extent::of(*grid, size, low, high);
            size.0 + top + bottom > MOST_PIXELS || size.1 + left + right > MOST_PIXELS
        };
        readers.iter().find(|&&reader| leaves(reader)).and_then(|&reader| self.list[reader].layer)
    }

    /// The readers of each plane.
    pub(super) fn readers(&self) -> Vec<Vec<PlaneId>> {
        let mut readers = vec![vec![]; self.list.len()];
        for (reader, plane) in self.list.iter().enumerate() {
            plane.kind.sources().into_iter().for_each(|source| readers[source].push(reader));
        }
        readers
    }

    /// The layers of the sums that a plane depends on through other kinds of planes, as far as they may still be scaled
    /// down.
    pub(super) fn may_be_smaller(&self, plane: PlaneId, headroom: &Headroom) -> Vec<usize> {
        let mut layers = vec![];
        let mut open = self.list[plane].kind.sources();
        while let Some(source) = open.pop() {
            match (&self.list[source].kind, self.list[source].layer) {
                (Kind::Linear { .. }, Some(layer)) => layers.push(layer),
                (kind, _) => open.extend(kind.sources()),
            }
        }
        layers.sort_unstable();
        layers.dedup();
        layers.retain(|&layer| headroom[layer] < MOST_HEADROOM);
        layers
    }
}
