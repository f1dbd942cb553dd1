//! Random numbers that depend only on what they are drawn for.
//!
//! A draw is a hash of the seed, of the purpose it serves and of the number of the PE, so it is the same on every
//! machine, for any number of threads and in any order of evaluation. The hash is the finaliser of `SplitMix64` (Steele,
//! Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014) over a counter with its increment; the
//! normal distribution is the sum of eight bytes, which ends at ±4.9 standard deviations. All steps are exact in
//! integers or single operations of IEEE arithmetic.

use crate::isa::random::SplitMix64;

/// The mean of the sum of eight bytes.
const MEAN: i16 = 1020;
/// The standard deviation of the sum of eight bytes: √(8·(256² − 1)/12).
const DEVIATION: f32 = 209.022_33;

/// The purpose that numbers are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The fixed gain of a cell.
    Gain = 1,
    /// The fixed offset of a cell.
    Offset,
    /// Noise relative to the value written.
    Relative,
    /// Noise in DN.
    Noise,
    /// Noise of a conversion.
    Readout,
    /// A bit that is passed on wrongly.
    Bit,
}

/// The draws for all PEs, for one purpose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws(u64);

impl Draws {
    /// Draws for a purpose, where `number` distinguishes its uses: a cell, or a word and its destination.
    pub(super) const fn new(seed: u64, purpose: Purpose, number: u64) -> Self {
        Self(mix(mix(mix(seed) ^ purpose as u64) ^ number))
    }

    /// Whether this PE is among a share of all PEs, 0 to 1.
    pub(super) fn hits(self, pe: usize, share: f32) -> bool {
        // 24 bits, which `f32` holds exactly.
        let [.., a, b, c] = self.bits(pe).to_le_bytes();
        let place = f32::from(u16::from_le_bytes([b, c])) + f32::from(a) / 256.0;
        place / 65536.0 < share
    }

    /// A number from the standard normal distribution for this PE.
    pub(super) fn normal(self, pe: usize) -> f32 {
        let bits = self.bits(pe);
        // Pairs of bytes are added first, then the multiplication adds up the four 16-bit sums in the uppermost one.
        let pairs = (bits & 0x00ff_00ff_00ff_00ff) + ((bits >> 8) & 0x00ff_00ff_00ff_00ff);
        let sum = (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as i16;
        f32::from(sum - MEAN) / DEVIATION
    }

    const fn bits(self, pe: usize) -> u64 {
        mix(self.0.wrapping_add((pe as u64).wrapping_mul(SplitMix64::INCREMENT)))
    }
}

/// The number that follows a state of `SplitMix64`.
const fn mix(value: u64) -> u64 {
    SplitMix64::finalise(value.wrapping_add(SplitMix64::INCREMENT))
}

#[cfg(test)]
mod tests {
    use super::{Draws, Purpose};

    /// The values themselves are a promise: a seed stands for the same chip on every machine and in every release.
    #[test]
    fn a_seed_means_the_same_everywhere() {
        let draws = Draws::new(7, Purpose::Noise, 3);
        let found = [0, 1, 65_535].map(|pe| draws.normal(pe).to_bits());
        assert_eq!(found, [1_069_445_845, 1_073_057_778, 3_220_099_968]);
    }

    #[test]
    fn draws_are_normal_and_independent() {
        let (a, b) = (Draws::new(1, Purpose::Gain, 0), Draws::new(1, Purpose::Gain, 1));
        let n = 200_000_u32;
        let mut sums = [0.0_f64; 4];
        for pe in 0..n as usize {
            let (x, y) = (f64::from(a.normal(pe)), f64::from(b.normal(pe)));
            let next = f64::from(a.normal(pe + 1));
            for (sum, value) in sums.iter_mut().zip([x, x * x, x * y, x * next]) {
                *sum += value / f64::from(n);
            }
        }
        let [mean, variance, other, next] = sums;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.01, "{mean} {variance}");
        assert!(other.abs() < 0.01 && next.abs() < 0.01, "{other} {next}");
    }
}
