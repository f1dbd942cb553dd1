//! The programs of a network, and what is loaded for them.

use cain_isa::Dreg;
use cain_isa::program::owned::Part;

use super::super::registers::WeightPlane;
use super::layout::Homes;

/// The programs of a network, the data loaded for them, and the registers they use.
#[derive(Clone, Debug)]
pub(in super::super) struct Programs {
    pub(in super::super) parts: Vec<Part>,
    pub(in super::super) planes: Vec<WeightPlane>,
    pub(super) homes: Homes,
    /// The registers of the copies of the picture, lowest bit first.
    pub(super) ink: Vec<Dreg>,
    /// The value of a pixel of 1 in a sum, in DN.
    pub(in super::super) level: i8,
}
