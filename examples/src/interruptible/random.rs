//! Random numbers.

use cain_runtime::isa::random::SplitMix64;

/// Random requests, images and weights.
pub(crate) struct Random(pub(crate) SplitMix64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0.next_number() % limit.max(1)
    }

    /// Grey values of a moderate range, for a square array.
    pub(crate) fn plane(&mut self, side: usize) -> Vec<f32> {
        (0..side * side).map(|_| f32::from(u8::try_from(self.below(64)).unwrap_or(0)) - 32.0).collect()
    }
}
