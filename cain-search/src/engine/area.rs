//! Bounding boxes of terms, and distances between positions.

use cain_isa::Displacement;

use super::terms::{Term, displacement, displacement_of_step};

/// The bounding box of some terms, over all channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) min: Displacement,
    pub(crate) max: Displacement,
}

impl Area {
    /// The bounding box of `terms`; of no terms, the origin alone.
    pub(crate) fn of(terms: &[Term]) -> Self {
        let Some(&(first, _)) = terms.first() else { return Self { min: Displacement::ZERO, max: Displacement::ZERO } };
        let mut area = Self { min: displacement(first), max: displacement(first) };
        for &(key, _) in terms {
            let at = displacement(key);
            area.min = Displacement::new(area.min.x.min(at.x), area.min.y.min(at.y));
            area.max = Displacement::new(area.max.x.max(at.x), area.max.y.max(at.y));
        }
        area
    }

    /// The number of unit steps from the origin to the nearest position in the box.
    pub(crate) fn distance(self) -> u32 {
        let gap = |low: i16, high: i16| u32::from(low.max(-high).max(0).unsigned_abs());
        gap(self.min.x, self.max.x) + gap(self.min.y, self.max.y)
    }

    /// The position in the middle of the box.
    pub(crate) fn centre(self) -> Displacement {
        Displacement::new(i16::midpoint(self.min.x, self.max.x), i16::midpoint(self.min.y, self.max.y))
    }

    /// The smallest box that holds both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            min: Displacement::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Displacement::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// Whether a position lies in the box, whatever its channel.
    pub(crate) fn contains(self, key: u32) -> bool {
        let at = displacement(key);
        (self.min.x..=self.max.x).contains(&at.x) && (self.min.y..=self.max.y).contains(&at.y)
    }
}

/// The distance, in unit steps, between the displacement that `step` encodes and the wanted one.
pub(crate) fn distance(step: u32, wanted: Displacement) -> u32 {
    displacement_of_step(step).distance(wanted)
}
