//! Which images may be in a set.

use crate::engine::field::Image;
use crate::engine::work;

/// A set of images that may seem to contain a few others, too.
pub(super) struct Filter {
    /// Each image has two places in it.
    bits: Vec<u64>,
    mask: u64,
}

/// Bits for each image: it seems to have about one in a thousand others.
const BITS_OF_IMAGE: usize = 64;

impl Filter {
    /// For about so many images, in so many bytes at most.
    pub(super) fn new(images: usize, room: usize) -> Self {
        let most = 1 << (8 * room).max(64).ilog2();
        let bits = (images * BITS_OF_IMAGE).next_power_of_two().clamp(64, most);
        Self { bits: vec![0; bits / 64], mask: work::units(bits) - 1 }
    }

    #[inline]
    pub(super) fn insert(&mut self, image: Image) {
        for (word, bit) in self.places(image) {
            self.bits[word] |= bit;
        }
    }

    #[inline]
    pub(super) fn may_have(&self, image: Image) -> bool {
        let [first, second] = self.places(image);
        let has = |(word, bit): (usize, u64)| self.bits[word] & bit != 0;
        has(first) && has(second)
    }

    #[inline]
    fn places(&self, image: Image) -> [(usize, u64); 2] {
        let place = |bits: usize| (bits / 64, 1 << (bits % 64));
        [place(image.low_bits(self.mask)), place(image.high_bits(self.mask))]
    }
}
