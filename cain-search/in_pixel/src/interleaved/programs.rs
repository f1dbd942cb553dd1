//! The programs of a network, and what is loaded for them.

use cain_analysis::owned::Part;

use crate::registers::WeightPlane;

/// The programs of a network, and the data loaded for them.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) parts: Vec<Part>,
    pub(crate) planes: Vec<WeightPlane>,
    /// The value of a pixel of 1 in a sum of the first convolution, in DN.
    pub(crate) level: i8,
    /// The value of a result of 1 of the second convolution, in DN.
    pub(crate) result_level: i8,
    /// The ends of the parts of the program that counts exactly.
    pub(super) counted: Vec<usize>,
}
