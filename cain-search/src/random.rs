//! Choices that are the same on every machine.

/// A sequence of numbers that looks random (`SplitMix64`, Steele et al. 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence for a round of an output.
    pub(crate) fn of(output: usize, round: u32) -> Self {
        let mut seeds = Self(u64::try_from(output).unwrap_or(u64::MAX));
        let seed = seeds.next().wrapping_add(round.into());
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let chosen = (u128::from(self.next()) * u128::from(count)) >> 64;
        usize::try_from(chosen).unwrap_or(0)
    }

    /// A fraction above 0, up to 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        let bits = u32::try_from(self.next() >> 32).unwrap_or(u32::MAX);
        (f64::from(bits) + 1.0) / (f64::from(u32::MAX) + 1.0)
    }
}
