//! Registers that have the same use in both layouts.

use cain_isa::{Dreg, Reg};

/// The register into which a picture is taken.
pub(crate) const PICTURE: Reg = Reg::A;
/// Sums of the first convolution.
pub(crate) const SUM: Reg = Reg::B;
/// A register of `DNEWS`; each of these joins a PE with its partner in a cell of 2×2 PEs.
pub(crate) const SOUTH: Dreg = Dreg::ALL[1];
pub(crate) const WEST: Dreg = Dreg::ALL[2];
pub(crate) const NORTH: Dreg = Dreg::ALL[3];
pub(crate) const EAST: Dreg = Dreg::ALL[4];
/// The registers in which no plane is kept.
pub(crate) const SCRATCH: [Dreg; 3] = [Dreg::ALL[0], Dreg::ALL[5], Dreg::ALL[6]];
/// The registers that mark weights of the dense layer that are not 1, and those that are not −1.
pub(crate) const DENSE: [Dreg; 2] = [Dreg::ALL[7], Dreg::ALL[8]];

/// A digital register that is loaded before the first picture, with a bit for each PE, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightPlane {
    /// The register.
    pub register: Dreg,
    /// Its bits.
    pub bits: Vec<bool>,
}

/// Converts a number of PEs, rows or columns to the type of selectors.
pub(crate) fn narrow(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
