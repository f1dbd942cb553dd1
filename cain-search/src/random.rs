//! Random choices that are the same on every machine.

use cain_isa::random::SplitMix64;

/// A sequence of pseudorandom numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// The sequence for one round of an output.
    pub(crate) fn of(output: usize, round: u32) -> Self {
        let mut seeds = Self::new(u64::try_from(output).unwrap_or(u64::MAX));
        Self::new(seeds.next().wrapping_add(round.into()))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_number()
    }

    /// A number below `count`, which must not be 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }

    /// A fraction above 0, up to 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        let bits = u32::try_from(self.next() >> 32).unwrap_or(u32::MAX);
        (f64::from(bits) + 1.0) / (f64::from(u32::MAX) + 1.0)
    }
}
