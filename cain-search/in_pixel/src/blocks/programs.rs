//! The programs of a network, and what is loaded for them.

use cain_analysis::owned::Part;
use cain_isa::Dreg;

use super::layout::Homes;
use crate::registers::WeightPlane;

/// The programs of a network, the data loaded for them, and the registers they use.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) parts: Vec<Part>,
    pub(crate) planes: Vec<WeightPlane>,
    pub(super) homes: Homes,
    /// The registers of the copies of the picture, lowest bit first.
    pub(super) ink: Vec<Dreg>,
    /// The value of a pixel of 1 in a sum, in DN.
    pub(crate) level: i8,
}
