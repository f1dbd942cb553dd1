//! Sums over many PEs, in loops that the compiler turns into vector instructions.
//!
//! With the feature `simd` the loops are compiled for more than one generation of processors, and the widest vectors of
//! the current one are used. Every value is computed by the same operations in the same order, so results are the same,
//! bit for bit.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the wider vectors")]

#[cfg(feature = "simd")]
use fearless_simd::{Level, dispatch};

/// Minus the sum of a forwarded cell and of the sources beside it, shared between `divisor` destinations.
///
/// The forwarded cell is minus the sum of `forwarded`; if that is empty, there is no forwarded cell.
pub(super) struct NegatedSums<'a> {
    pub(super) into: &'a mut [f32],
    pub(super) forwarded: &'a [&'a [f32]],
    pub(super) beside: &'a [&'a [f32]],
    pub(super) divisor: u8,
}

impl NegatedSums<'_> {
    /// Computes the sums with the vector instructions of this processor.
    #[cfg(feature = "simd")]
    pub(super) fn vectorised(self) {
        dispatch!(Level::new(), _ => self.run());
    }

    /// Computes the sums with the vector instructions that every processor of the target has.
    #[cfg(not(feature = "simd"))]
    pub(super) fn vectorised(self) {
        self.run();
    }

    #[inline(always)]
    fn run(self) {
        let Self { into, forwarded, beside, divisor } = self;
        match divisor {
            1 => sums(into, forwarded, beside, |sum| sum),
            2 => sums(into, forwarded, beside, |sum| sum * 0.5),
            _ => {
                let divisor = f32::from(divisor);
                sums(into, forwarded, beside, |sum| sum / divisor);
            }
        }
    }
}

/// Computes [`NegatedSums`] in a loop for each number of sources. A forwarded cell has at most one source beside it.
#[inline(always)]
fn sums(into: &mut [f32], forwarded: &[&[f32]], beside: &[&[f32]], share: impl Fn(f32) -> f32) {
    match (forwarded, beside) {
        ([], []) => into.fill(0.0),
        ([], &[a]) => fill(into, [a], |[a]| share(0.0 - a)),
        ([], &[a, b]) => fill(into, [a, b], |[a, b]| share(0.0 - a - b)),
        ([], &[a, b, c]) => fill(into, [a, b, c], |[a, b, c]| share(0.0 - a - b - c)),
        ([], &[a, b, c, d, ..]) => fill(into, [a, b, c, d], |[a, b, c, d]| share(0.0 - a - b - c - d)),
        (&[a], []) => fill(into, [a], |[a]| share(0.0 - (0.0 - a))),
        (&[a, b], []) => fill(into, [a, b], |[a, b]| share(0.0 - (0.0 - a - b))),
        (&[a, b, c], []) => fill(into, [a, b, c], |[a, b, c]| share(0.0 - (0.0 - a - b - c))),
        (&[a, b, c, d, ..], []) => fill(into, [a, b, c, d], |[a, b, c, d]| share(0.0 - (0.0 - a - b - c - d))),
        (&[a], &[z, ..]) => fill(into, [a, z], |[a, z]| share(0.0 - (0.0 - a) - z)),
        (&[a, b], &[z, ..]) => fill(into, [a, b, z], |[a, b, z]| share(0.0 - (0.0 - a - b) - z)),
        (&[a, b, c], &[z, ..]) => fill(into, [a, b, c, z], |[a, b, c, z]| share(0.0 - (0.0 - a - b - c) - z)),
        (&[a, b, c, d, ..], &[z, ..]) => {
            fill(into, [a, b, c, d, z], |[a, b, c, d, z]| share(0.0 - (0.0 - a - b - c - d) - z));
        }
    }
}

/// Writes to every place the value that follows from the sources there.
#[inline(always)]
fn fill<const N: usize>(into: &mut [f32], sources: [&[f32]; N], value: impl Fn([f32; N]) -> f32) {
    let sources = sources.map(|source| &source[..into.len()]);
    for (i, into) in into.iter_mut().enumerate() {
        *into = value(sources.map(|source| source[i]));
    }
}
