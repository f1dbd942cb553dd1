//! A compact test for membership in a set of values.

use super::held::Held;
use crate::engine::image::Image;
use crate::engine::work;

/// A set of values (a Bloom filter). It finds every value that was inserted, and a few others.
pub(super) struct Filter {
    /// The bits of the filter; each value sets two of them.
    bits: Vec<u64>,
    mask: u64,
}

/// The number of bits for each value, with which about one in a thousand other values seems to be in the set.
const BITS_OF_VALUE: usize = 64;

impl Filter {
    /// A filter for about `values` values, in at most `room` bytes.
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
