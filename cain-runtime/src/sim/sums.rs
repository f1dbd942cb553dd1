//! Sums over many PEs, in loops that the compiler turns into vector instructions.
//!
//! With the feature `simd` the loops are compiled for more than one generation of processors, and the widest vectors of
//! the current one are used. Every value is computed by the same operations in the same order, so results are the same,
//! bit for bit. A sum is negated after it has been computed, which rounds as if its terms were subtracted from 0.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the wider vectors")]

#[cfg(feature = "simd")]
use fearless_simd::{Level, dispatch};

use super::cells::Errors;
use super::saturate::hard;

/// Minus the sum of a forwarded cell and of the sources beside it, shared between `divisor` destinations.
///
/// The forwarded cell is minus the sum of `forwarded`, if there is one. A value that is shared has none.
pub(super) struct NegatedSums<'a> {
    pub(super) into: &'a mut [f32],
    pub(super) forwarded: Option<&'a [&'a [f32]]>,
    pub(super) beside: &'a [&'a [f32]],
    pub(super) divisor: u8,
    /// What cells make of the sums; `None` if they receive exact values.
    pub(super) received: Option<Received<'a>>,
}

/// What cells make of the sums that are written to them.
#[derive(Clone, Copy)]
pub(super) struct Received<'a> {
    pub(super) forwarded: Errors<'a>,
    pub(super) written: Errors<'a>,
    /// The least and the greatest value that a cell holds.
    pub(super) range: [f32; 2],
}

impl Received<'_> {
    /// What a cell with these errors receives in PE `i` in place of a negated sum.
    #[inline(always)]
    pub(super) fn receive(&self, errors: Errors<'_>, i: usize, sum: f32) -> f32 {
        hard(errors.offsets[i] - sum * errors.factors[i], self.range)
    }
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
        let Self { into, forwarded, beside, divisor, received } = self;
        let Some(Received { forwarded: before, written, range }) = received else {
            return sums(into, forwarded, beside, divisor, |_, sum| 0.0 - sum, |_, sum| 0.0 - sum);
        };
        let len = into.len();
        let (before, written) = (if forwarded.is_some() { before.up_to(len) } else { before }, written.up_to(len));
        let received = Received { forwarded: before, written, range };
        let forward = |i, sum| received.receive(before, i, sum);
        sums(into, forwarded, beside, divisor, forward, |i, sum| received.receive(written, i, sum));
    }
}

/// Computes [`NegatedSums`] in a loop for each number of sources. A forwarded cell has at most one source beside it.
#[inline(always)]
fn sums(
    into: &mut [f32],
    forwarded: Option<&[&[f32]]>,
    beside: &[&[f32]],
    divisor: u8,
    forward: impl Fn(usize, f32) -> f32,
    write: impl Fn(usize, f32) -> f32,
) {
    let Some(forwarded) = forwarded else {
        return match divisor {
            1 => direct(into, beside, write),
            2 => direct(into, beside, |i, sum| write(i, sum * 0.5)),
            _ => {
                let divisor = f32::from(divisor);
                direct(into, beside, |i, sum| write(i, sum / divisor));
            }
        };
    };
    match (forwarded, beside) {
        ([], []) => fill(into, [], |i, []| write(i, forward(i, 0.0))),
        (&[a], []) => fill(into, [a], |i, [a]| write(i, forward(i, a))),
        (&[a, b], []) => fill(into, [a, b], |i, [a, b]| write(i, forward(i, a + b))),
        (&[a, b, c], []) => fill(into, [a, b, c], |i, [a, b, c]| write(i, forward(i, a + b + c))),
        (&[a, b, c, d, ..], []) => fill(into, [a, b, c, d], |i, [a, b, c, d]| write(i, forward(i, a + b + c + d))),
        ([], &[z, ..]) => fill(into, [z], |i, [z]| write(i, forward(i, 0.0) + z)),
        (&[a], &[z, ..]) => fill(into, [a, z], |i, [a, z]| write(i, forward(i, a) + z)),
        (&[a, b], &[z, ..]) => fill(into, [a, b, z], |i, [a, b, z]| write(i, forward(i, a + b) + z)),
        (&[a, b, c], &[z, ..]) => fill(into, [a, b, c, z], |i, [a, b, c, z]| write(i, forward(i, a + b + c) + z)),
        (&[a, b, c, d, ..], &[z, ..]) => {
            fill(into, [a, b, c, d, z], |i, [a, b, c, d, z]| write(i, forward(i, a + b + c + d) + z));
        }
    }
}

/// Computes sums of sources without a forwarded cell.
#[inline(always)]
fn direct(into: &mut [f32], sources: &[&[f32]], write: impl Fn(usize, f32) -> f32) {
    match *sources {
        [] => fill(into, [], |i, []| write(i, 0.0)),
        [a] => fill(into, [a], |i, [a]| write(i, a)),
        [a, b] => fill(into, [a, b], |i, [a, b]| write(i, a + b)),
        [a, b, c] => fill(into, [a, b, c], |i, [a, b, c]| write(i, a + b + c)),
        [a, b, c, d, ..] => fill(into, [a, b, c, d], |i, [a, b, c, d]| write(i, a + b + c + d)),
    }
}

/// Writes to every place the value that follows from the sources there.
#[inline(always)]
fn fill<const N: usize>(into: &mut [f32], sources: [&[f32]; N], value: impl Fn(usize, [f32; N]) -> f32) {
    let sources = sources.map(|source| &source[..into.len()]);
    for (i, into) in into.iter_mut().enumerate() {
        *into = value(i, sources.map(|source| source[i]));
    }
}
