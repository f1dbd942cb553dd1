//! Networks of one convolution: blocks of the array, each with a copy of the picture and its own filter.
//!
//! - *Duplication.* Filters see one bit of a pixel, possibly a different one in each half of the array, or two bits.
//!   Bits are shifted from the middle of the array to its borders in all four quadrants at once, so that no bit moves
//!   by more than half the array along each axis.
//! - *Convolution.* The image moves while the sums stay in place; FLAG selects whether a pixel is added or subtracted.
//!   A weight of −1 is a bit of 1. Sums are negated, so that FLAG after `where` is 1 where `ReLU` has to write 0.
//!   Weights of −1, 0 and 1 have two bits each. Cells of 1 to 16 PEs, as large as necessary, share the weights; each
//!   lies within a block, so no bit of a weight ever crosses a border between blocks.
//! - *Borders.* The margin around the picture is as wide as a filter less one, and empty, so that sums at the border of a
//!   block do not meet the picture of the next. Sums whose pixels lie outside of the array are 0.
//! - *Maxima* are copied to all PEs of their window, one of which holds the weight for a class. That weight comes to the four
//!   PEs of its cell, and the product from there to the window, so that the sum over the array counts it 16 times: its
//!   converter has 8 bits.

mod duplication;
mod layout;
mod program;
mod programs;
mod prove;
mod taps;
#[cfg(test)]
mod tests;

pub(super) use program::MAXIMUM;
pub(super) use programs::Programs;

use cain_analysis::owned::Part;

use super::{CompileError, Declaration, InPixelProofError};

impl Programs {
    /// Lays a network out and makes its programs.
    pub(super) fn of(network: &Declaration) -> Result<Self, CompileError> {
        let homes = layout::homes(network.bits(), &network.machine)?;
        let level = program::level(network)?;
        let (duplication, ink) = duplication::duplication(network)?;
        let pool = program::pool(network).words()?;
        let parts = vec![
            Part::new("duplication", duplication),
            Part::new("convolution", program::convolution(network, &homes, &ink, level)?),
            Part::new("relu", program::relu()?),
            Part::new("max pooling", program::pooling(network, &pool)?),
            Part::new("fully connected", program::fully_connected(network)?),
        ];
        Ok(Self { parts, planes: layout::planes(network, &homes.bits), homes, ink, level })
    }

    /// Proves the programs, for all pictures and all weights.
    pub(super) fn prove(&self, network: &Declaration) -> Result<(), InPixelProofError> {
        prove::network(network, self)
    }
}
