//! Random kernels.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// The kernels of one sample, an endless sequence: 3×3 weights, each of 0/8, 1/8, .. 8/8 with the same probability (Eq.
/// 21 of Stow et al. 2022).
///
/// They follow from the seed and the number of the sample by the `ChaCha` cipher alone, so that neither the machine nor
/// the release of a library changes them.
pub(crate) struct RandomKernels(ChaCha12Rng);

impl RandomKernels {
    pub(crate) fn of_sample(seed: u64, sample: u32) -> Self {
        let mut key = [0; 32];
        for (byte, of_seed) in key.iter_mut().zip(seed.to_le_bytes()) {
            *byte = of_seed;
        }
        let mut stream = ChaCha12Rng::from_seed(key);
        stream.set_stream(sample.into());
        Self(stream)
    }

    /// A weight of a layer, in 64ths: nearly normal with a deviation of 9, at most 15.
    ///
    /// It is a sum of twelve uniform numbers, which needs no arithmetic that depends on the machine.
    pub(crate) fn layer_weight(&mut self) -> i64 {
        let sum: i64 = (0..12).map(|_| i64::from(self.0.next_u32() >> 16)).sum();
        let deviation = 9 * (sum - 6 * 0xffff);
        (deviation + 0x8000).div_euclid(0x1_0000).clamp(-15, 15)
    }

    /// A number below `count`; all are practically equally likely.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        let product = u64::from(self.0.next_u32()) * u64::from(count);
        u32::try_from(product >> 32).unwrap_or(0)
    }

    /// A random element of an array.
    pub(crate) fn one_of<T: Copy + Default, const N: usize>(&mut self, all: [T; N]) -> T {
        let number = self.below(u32::try_from(N).unwrap_or(u32::MAX));
        all.get(number as usize).copied().unwrap_or_default()
    }

    /// A weight in eighths.
    fn weight(&mut self) -> u32 {
        loop {
            // Of four random bits, values above 8 are discarded, so that all others stay equally likely.
            let bits = self.0.next_u32() >> 28;
            if bits <= 8 {
                return bits;
            }
        }
    }
}

impl Iterator for RandomKernels {
    type Item = Polynomial;

    fn next(&mut self) -> Option<Polynomial> {
        let mut kernel = Polynomial::new();
        for y in [1, 0, -1] {
            for x in [-1, 0, 1] {
                let weight = Fraction::new(self.weight().into(), 8)?;
                kernel.add_term(Atom { channel: 0, displacement: Displacement::new(x, y) }, weight)?;
            }
        }
        Some(kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::RandomKernels;
    use cain_search::Matrix;

    /// Changing these would make new figures incomparable with older ones.
    #[test]
    fn kernels_of_a_seed_are_fixed() {
        let first = |seed, sample| {
            let kernels = RandomKernels::of_sample(seed, sample).take(2);
            kernels.map(|kernel| Matrix::of(&kernel, 0).unwrap().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(first(1, 1), ["1/8 [1 4 8; 3 6 8; 4 5 6]", "1/8 [1 8 1; 3 1 7; 5 3 0]"]);
        let others = [first(1, 2), first(2, 1)];
        assert!(others.iter().all(|other| *other != first(1, 1)), "{others:?}");
    }

    #[test]
    fn weights_are_equally_likely() {
        let mut kernels = RandomKernels::of_sample(1, 1);
        let mut counts = [0_u32; 16];
        for _ in 0..9_000 {
            counts[kernels.weight() as usize] += 1;
        }
        assert!(counts[..9].iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(counts[..9].iter().sum::<u32>(), 9_000);
    }
}
