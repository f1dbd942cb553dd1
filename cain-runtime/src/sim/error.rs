//! What the simulator refuses.

use core::fmt;

use crate::isa::Store;

/// Why the simulator cannot do what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimError {
    /// A cell is read that nothing was ever written to.
    Unwritten(Store),
    /// An image does not have one pixel per PE.
    WrongSize {
        /// The number of pixels in the image.
        found: usize,
        /// PEs from west to east.
        width: usize,
        /// PEs from north to south.
        height: usize,
    },
}

impl fmt::Display for SimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritten(Store::Reg(reg)) => {
                write!(f, "register `{reg}` is read before anything is written to it; load an image into it first")
            }
            Self::Unwritten(Store::News) => f.write_str("NEWS is read before anything is written to it"),
            Self::WrongSize { found, width, height } => write!(
                f,
                "the image has {found} pixels, but the array has {width}×{height} PEs; scale the image to that size"
            ),
        }
    }
}

impl core::error::Error for SimError {}
