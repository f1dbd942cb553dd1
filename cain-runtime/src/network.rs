//! The numbers that are read of a network, for the layers on the controller.

mod events;

use crate::program::Real;

pub use events::{EventList, Pixel, event_counts, event_lists, event_means};

/// Numbers that were read out, from that place on.
#[must_use]
pub fn reals<const N: usize>(read: &[f32], first: usize) -> [f32; N] {
    let mut numbers = [0.0; N];
    numbers.iter_mut().zip(read.iter().skip(first)).for_each(|(number, &read)| *number = read);
    numbers
}

/// Numbers that were read out, from that place on, as the nearest whole ones: counts.
#[must_use]
pub fn counts<R: Real, const N: usize>(read: &[R], first: usize) -> [i32; N] {
    let mut numbers = [0; N];
    let nearest = |read: R| (read + R::of(if read < R::default() { -0.5 } else { 0.5 })).truncated();
    numbers.iter_mut().zip(read.iter().skip(first)).for_each(|(number, &read)| *number = nearest(read));
    numbers
}

/// Counts in single precision.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts are below 2^24")]
pub fn reals_of<const N: usize>(counts: &[i32; N]) -> [f32; N] {
    counts.map(|count| count as f32)
}
