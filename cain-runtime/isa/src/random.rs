//! Pseudorandom numbers that are the same on every machine and in every release.

/// A sequence of pseudorandom numbers that is the same on every machine (`SplitMix64`, Steele, Lea, Flood: "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
///
/// Cells of an automaton use the highest bit of each number:
///
/// ```
/// use cain_isa::random::SplitMix64;
///
/// let ones = SplitMix64::new(1).take(1000).filter(|number| number >> 63 == 1).count();
/// assert!((450..550).contains(&ones));
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The increment of the state for each number: 2^64 divided by the golden ratio.
    pub const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Spreads a number over all bits.
    #[inline]
    #[must_use]
    pub const fn finalise(number: u64) -> u64 {
        let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The sequence for a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    #[must_use]
    pub const fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::INCREMENT);
        Self::finalise(self.0)
    }

    /// A number below `count`, made of the highest bits of the next number; 0 if `count` is 0.
    #[expect(clippy::cast_possible_truncation, reason = "the product shifted by 64 bits is below `count`")]
    pub const fn below(&mut self, count: usize) -> usize {
        ((self.next_number() as u128 * count as u128) >> 64) as usize
    }

    /// The highest bit of the next number.
    #[must_use]
    pub const fn next_bit(&mut self) -> bool {
        self.next_number() >> 63 == 1
    }
}

impl Iterator for SplitMix64 {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        Some(self.next_number())
    }
}
