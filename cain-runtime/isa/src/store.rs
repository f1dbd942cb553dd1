//! Storage cells, and the cells of words that stand for them.

use crate::{Cell, Displacement, Reg};

/// A storage cell of a PE: a register, its NEWS, or one of the read-only cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Store {
    /// An analogue register.
    Reg(Reg),
    /// The PE's own NEWS.
    News,
    /// The photo-sensor.
    Pix,
    /// The level from the controller, the same in every PE.
    In,
}

impl Cell {
    /// The storage behind the cell for a PE at this displacement, and the displacement of its owner.
    pub(crate) fn seen_from(self, writer: Displacement) -> (Store, Displacement) {
        match self {
            Self::Reg(reg) => (Store::Reg(reg), writer),
            Self::News => (Store::News, writer),
            Self::Port(direction) => (Store::News, writer + direction.displacement()),
            Self::Pix => (Store::Pix, writer),
            Self::In => (Store::In, writer),
        }
    }
}
