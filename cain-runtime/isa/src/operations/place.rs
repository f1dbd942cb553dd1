//! Where operands are taken from.

use crate::{Cell, Direction, Displacement};

/// The place from which an operand is taken, relative to a PE: the PE itself, or a PE up to two steps away, which costs
/// nothing extra.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The PE itself.
    Here,
    /// The neighbour in this direction.
    At(Direction),
    /// The PE reached by a step in the first direction and then one in the second.
    Beyond(Direction, Direction),
}

impl Place {
    /// The place as a displacement.
    #[must_use]
    pub fn displacement(self) -> Displacement {
        match self {
            Self::Here => Displacement::ZERO,
            Self::At(first) => first.displacement(),
            Self::Beyond(first, second) => first.displacement() + second.displacement(),
        }
    }

    /// The cell that a word has to write so that NEWS arrives from this place.
    pub(super) const fn pushed(self) -> Cell {
        match self {
            Self::Here => Cell::News,
            Self::At(first) | Self::Beyond(first, _) => Cell::Port(first.opposite()),
        }
    }

    /// The cell that then holds what came from this place.
    pub(super) const fn seen(self) -> Cell {
        match self {
            Self::Here | Self::At(_) => Cell::News,
            Self::Beyond(_, second) => Cell::Port(second),
        }
    }

    /// The farthest place in this direction, up to `distance` PEs away, that one pair of words reaches.
    pub(super) const fn towards(direction: Direction, distance: u16) -> Self {
        match distance {
            0 => Self::Here,
            1 => Self::At(direction),
            _ => Self::Beyond(direction, direction),
        }
    }

    /// The distance in PEs.
    pub(super) const fn distance(self) -> u16 {
        match self {
            Self::Here => 0,
            Self::At(_) => 1,
            Self::Beyond(..) => 2,
        }
    }
}
