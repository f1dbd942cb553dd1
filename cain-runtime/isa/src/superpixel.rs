//! Where numbers are whose bits are spread over blocks of PEs.

use crate::{Dreg, Reg};

/// Where the bits of a number are in each block. Numbers are in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its name in the declaration.
    pub name: &'static str,
    /// The register.
    pub register: Dreg,
    /// Columns of a block.
    pub width: u8,
    /// Rows of a block.
    pub height: u8,
    /// Row from the north and column from the west of each bit in its block, lowest first.
    pub places: &'static [(u8, u8)],
    /// The analogue register that it is converted from or to, if it is.
    pub analogue: Option<Reg>,
}
