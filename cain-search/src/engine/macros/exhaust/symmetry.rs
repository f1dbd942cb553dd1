//! Rotations and reflections that leave a query unchanged.

use cain_isa::Displacement;

use super::super::forms::Forms;
use crate::engine::terms::{self, Term};

/// A rotation or reflection of the plane, given by where it takes one step east and one step north.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Symmetry {
    east: Displacement,
    north: Displacement,
}

impl Symmetry {
    /// All symmetries but the identity that leave the instruction set, the known and the wanted values unchanged.
    pub(super) fn of(forms: &Forms, known: &[Vec<Term>], wanted: &[Vec<Term>]) -> Vec<Self> {
        let axes = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(x, y)| Displacement::new(x, y));
        let all = axes.iter().flat_map(|&east| axes.map(|north| Self { east, north }));
        let keeps = |symmetry: &Self, values: &[Vec<Term>]| values.iter().all(|v| values.contains(&symmetry.apply(v)));
        let keeps_forms = |symmetry: &Self| {
            forms.iter().all(|form| {
                let displacement = symmetry.moved(form.displacement);
                forms.shaped(form.shape).any(|(_, other)| other.displacement == displacement)
            })
        };
        let identity = Self { east: axes[0], north: axes[1] };
        all.filter(|symmetry| (symmetry.east.x == 0) != (symmetry.north.x == 0) && *symmetry != identity)
            .filter(|symmetry| keeps_forms(symmetry) && keeps(symmetry, known) && keeps(symmetry, wanted))
            .collect()
    }

    /// The value, rotated or reflected.
    pub(super) fn apply(self, value: &[Term]) -> Vec<Term> {
        let place = |key| {
            let channel = u16::try_from(terms::channel(key)).unwrap_or(0);
            terms::key(channel, self.moved(terms::displacement(key)))
        };
        let mut moved: Vec<Term> = value.iter().map(|&(key, weight)| (place(key), weight)).collect();
        moved.sort_unstable();
        moved
    }

    fn moved(self, Displacement { x, y }: Displacement) -> Displacement {
        Displacement::new(self.east.x * x + self.north.x * y, self.east.y * x + self.north.y * y)
    }
}
