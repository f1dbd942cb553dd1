//! Computes how large values become.

use cain_analysis::prove::Atom;
use cain_analysis::sorted::Map;

use super::sums::Signed;
use super::table::{Coding, Entry};
use crate::Declaration;

/// The sums of the positive and of the negative weights of a value.
pub(super) type Extent = [f64; 2];

/// The limit on the gain of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    most: f64,
    /// The range of inputs in the direction in which it is smaller, relative to the other direction.
    opposite: f64,
}

impl Limit {
    /// The limit of a declaration; `None` if there is none.
    pub(super) fn of(declaration: &Declaration) -> Option<Self> {
        let (up, down) = declaration.input_range().extents();
        let opposite = f64::from(up.min(down)) / f64::from(up.max(down).max(1));
        Some(Self { most: declaration.max_gain()?.to_f64(), opposite })
    }

    pub(super) fn allows(self, [positive, negative]: Extent) -> bool {
        positive.max(negative) + self.opposite * positive.min(negative) <= self.most
    }
}

/// The extent of an entry's value.
pub(super) fn of_entry(entry: &Entry, scale: u8) -> Extent {
    of_weights(entry.weights.iter().map(|&(_, weight)| weight_in(weight, scale)))
}

#[expect(clippy::cast_precision_loss, reason = "weights have far fewer digits")]
fn weight_in(weight: i64, scale: u8) -> f64 {
    weight as f64 / (1_u64 << scale) as f64
}

pub(super) fn of_weights(weights: impl Iterator<Item = f64>) -> Extent {
    weights.fold([0.0; 2], |[positive, negative], weight| [positive + weight.max(0.0), negative - weight.min(0.0)])
}

/// A sum that is halved and added to, with its extent.
#[derive(Clone, Debug, Default)]
pub(super) struct Growing {
    weights: Map<Atom, f64>,
}

impl Growing {
    pub(super) fn halve(&mut self) {
        self.weights.values_mut().for_each(|weight| *weight /= 2.0);
    }

    pub(super) fn add(&mut self, entry: &Entry, scale: u8, place: cain_isa::Displacement, negative: bool) {
        for &(atom, weight) in &entry.weights {
            let Some(displacement) = atom.displacement.checked_add(place) else { continue };
            let weight = weight_in(weight, scale);
            let sum = self.weights.get_or_default(Atom { displacement, ..atom });
            *sum += if negative { -weight } else { weight };
        }
    }

    pub(super) fn extent(&self) -> Extent {
        of_weights(self.weights.values().copied())
    }
}

/// The extent of the sum of a row after each plane.
pub(super) fn of_row(terms: &[Signed], coding: &Coding, last_plane: u8) -> Vec<Extent> {
    let mut sum = Growing::default();
    let after = |plane| {
        sum.halve();
        for term in terms.iter().filter(|term| term.multiple.plane == plane) {
            let entry = &coding.entries[usize::from(term.multiple.entry)];
            sum.add(entry, coding.scale, cain_isa::Displacement::ZERO, term.negative);
        }
        sum.extent()
    };
    (0..=last_plane).map(after).collect()
}

/// Whether sums of rows stay within a limit in whatever order they are taken up, where at any moment some rows of a
/// plane have been taken up and the others have not.
pub(super) fn allows(limit: Limit, rows: &[Vec<Extent>], held: Extent) -> bool {
    let planes = rows.first().map_or(0, Vec::len);
    (0..planes).all(|plane| {
        let most = |row: &Vec<Extent>, side: usize| {
            let before = plane.checked_sub(1).map_or(0.0, |before| row[before][side] / 2.0);
            row[plane][side].max(before)
        };
        let is_last = plane + 1 == planes;
        let total = [0, 1].map(|side| {
            let held = if is_last { held[side] } else { 0.0 };
            rows.iter().map(|row| most(row, side)).sum::<f64>() + held
        });
        limit.allows(total)
    })
}
