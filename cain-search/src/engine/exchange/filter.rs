//! Which values may be in a set.

use super::held::Held;
use crate::engine::image::Image;
use crate::engine::work;

/// A set of values that may seem to contain a few others, too.
pub(super) struct Filter {
    /// Each value has two places in it.
    bits: Vec<u64>,
    mask: u64,
}

/// Bits for each value: it seems to have about one in a thousand others.
const BITS_OF_VALUE: usize = 64;

impl Filter {
    /// For about so many values, in so many bytes at most.
    pub(super) fn new(values: usize, room: usize) -> Self {
        let most = 1 << (8 * room).max(64).ilog2();
        let bits = (values * BITS_OF_VALUE).next_power_of_two().clamp(64, most);
        Self { bits: vec![0; bits / 64], mask: work::units(bits) - 1 }
    }

    #[inline]
    pub(super) fn insert(&mut self, value: Held) {
        for (word, bit) in self.places(value.key()) {
            self.bits[word] |= bit;
        }
    }

    #[inline]
    pub(super) fn may_have(&self, value: Held) -> bool {
        let [first, second] = self.places(value.key());
        let has = |(word, bit): (usize, u64)| self.bits[word] & bit != 0;
        has(first) && has(second)
    }

    #[inline]
    fn places(&self, key: Image) -> [(usize, u64); 2] {
        let place = |bits: usize| (bits / 64, 1 << (bits % 64));
        [place(key.low_bits(self.mask)), place(key.high_bits(self.mask))]
    }
}
