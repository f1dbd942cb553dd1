//! A compact test for membership in a set of values, and what passes it.

use super::held::Held;
use crate::engine::image::Image;

/// A set of values (a Bloom filter). It finds every value that was inserted, and a few others.
pub(crate) struct Filter {
    /// The bits of the filter; each value sets two of them.
    bits: Vec<u64>,
    /// The binary logarithm of the number of bits.
    log_bits: u32,
    /// The number of values that were inserted.
    pub(super) inserted: u64,
}

/// The values that pass a filter, out of those that are looked up.
pub(crate) struct Sieve<'f> {
    filter: &'f Filter,
    pub(super) passed: Vec<Held>,
    /// The number of values that were looked up.
    pub(super) looked_up: u64,
}

/// The number of bits for each value, with which about one in a thousand other values seems to be in the set.
const BITS_OF_VALUE: usize = 64;

impl Filter {
    /// A filter for about `values` values, in at most `room` bytes.
    pub(super) fn new(values: usize, room: usize) -> Self {
        let most = 1 << (8 * room).max(64).ilog2();
        let bits = (values * BITS_OF_VALUE).next_power_of_two().clamp(64, most);
        Self { bits: vec![0; bits / 64], log_bits: bits.ilog2(), inserted: 0 }
    }

    #[inline]
    pub(crate) fn insert(&mut self, value: Held) {
        self.inserted += 1;
        let [first, second] = self.places(value.key());
        self.bits[first.0] |= first.1;
        self.bits[second.0] |= second.1;
    }

    #[inline]
    fn may_have(&self, value: Held) -> bool {
        let [first, second] = self.places(value.key());
        self.bits[first.0] & first.1 != 0 && self.bits[second.0] & second.1 != 0
    }

    #[inline]
    fn places(&self, key: Image) -> [(usize, u64); 2] {
        let place = |bits: usize| (bits / 64, 1 << (bits % 64));
        [place(key.low_bits((1 << self.log_bits) - 1)), place(key.high_bits(self.log_bits))]
    }
}

impl<'f> Sieve<'f> {
    pub(super) fn new(filter: &'f Filter) -> Self {
        Self { filter, passed: Vec::new(), looked_up: 0 }
    }

    /// Looks a value up, and keeps it if it passes.
    #[inline]
    pub(crate) fn look_up(&mut self, value: Held) {
        self.looked_up += 1;
        if self.filter.may_have(value) {
            self.passed.push(value);
        }
    }
}
