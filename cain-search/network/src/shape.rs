//! The shapes of what layers make.

use core::fmt;

use cain_isa::program::EventRead;

/// The shape of a layer's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Maps on the array.
    Maps {
        /// The number of maps.
        channels: usize,
        /// The number of rows in each.
        height: usize,
        /// The number of columns in each.
        width: usize,
        /// Whether they can be held in bits; see [`Network::bits`](super::Network::bits).
        bits: bool,
    },
    /// Numbers on the controller.
    Numbers(usize),
    /// Lists of pixels on the controller, each as many numbers as an [`EventRead`] makes.
    Events {
        /// The number of lists.
        channels: usize,
        /// The rows of the maps whose pixels they list.
        height: usize,
        /// The columns of these maps.
        width: usize,
        /// The most pixels of a list.
        capacity: usize,
    },
}

impl Shape {
    /// The number of values.
    #[must_use]
    pub const fn values(self) -> usize {
        match self {
            Self::Maps { channels, height, width, .. } => channels * height * width,
            Self::Numbers(numbers) => numbers,
            Self::Events { channels, capacity, .. } => channels * EventRead::numbers(capacity),
        }
    }
}

impl fmt::Display for Shape {
    /// Formats like `3 maps of 26×26 pixels`, `10 numbers`, `3 lists of up to 100 pixels`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: usize| if count == 1 { "" } else { "s" };
        match *self {
            Self::Maps { channels, height, width, .. } => {
                write!(f, "{channels} map{} of {height}×{width} pixels", s(channels))
            }
            Self::Numbers(count) => write!(f, "{count} number{}", s(count)),
            Self::Events { channels, capacity, .. } => {
                write!(f, "{channels} list{} of up to {capacity} pixel{}", s(channels), s(capacity))
            }
        }
    }
}
