//! The largest networks.

use std::ops::RangeInclusive;

use cain_isa::Fraction;

/// The most rows and columns of a picture: those of the array.
pub const MOST_PIXELS: usize = 256;
/// The largest magnitude of a level of the picture, in DN: registers hold a little more, so that there is a level beyond all
/// values.
pub const MOST_LEVEL: f64 = 126.0;
/// One over the smallest share of what they could be that the [largest sums](crate::Network::largest_sums) may have.
pub const SMALLEST_SHARE: i64 = 64;
/// The shares that the largest sums may have.
#[must_use]
pub fn shares_of_largest_sums() -> RangeInclusive<Fraction> {
    Fraction::new(1, SMALLEST_SHARE).unwrap_or(Fraction::ONE)..=Fraction::ONE
}
/// The most layers of a network.
pub const MOST_LAYERS: usize = 4096;
/// The most channels of maps.
pub const MOST_CHANNELS: usize = 256;
/// The most values that all layers together may make of a picture.
pub const MOST_VALUES: usize = 1 << 26;
/// The most pixels of a list: those that a buffer of the controller holds.
pub const MOST_EVENTS: usize = 2048;
/// The most numbers of a layer on the controller.
pub const MOST_NUMBERS: usize = 1 << 20;
