//! Bits that are loaded into a register.

use super::storage::{Constant, Storage};
use crate::Dreg;

/// A digital register with a bit for each PE of a square array. Weights repeat along an array, so that many of its rows are
/// the same; each is held once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneOf<S: Storage> {
    /// The register.
    pub register: Dreg,
    /// For each row from the north, which of the distinct ones it is.
    pub rows: S::List<u8>,
    /// The distinct rows, one after the other, each with 8 PEs per byte: the first PE from the west is the lowest bit.
    pub distinct: S::List<u8>,
}

/// What loading a plane overwrites beside its register: `R0`, without which `R12` cannot be written, and two registers for what
/// has been collected so far.
pub const LOADING: [Dreg; 3] = [Dreg::ALL[0], Dreg::ALL[5], Dreg::ALL[6]];

/// A plane of bits as constant data.
pub type BitPlane = PlaneOf<Constant>;

impl<S: Storage> PlaneOf<S> {
    /// PEs along each side of the array.
    #[must_use]
    pub fn side(&self) -> usize {
        self.rows.as_ref().len()
    }

    /// The bit of a PE.
    ///
    /// # Panics
    ///
    /// If the PE is not on the array.
    #[must_use]
    pub fn bit(&self, row: usize, column: usize) -> bool {
        let bytes = self.side() / 8;
        self.distinct.as_ref()[self.rows.as_ref()[row] as usize * bytes + column / 8] >> (column % 8) & 1 == 1
    }
}
