//! The numbers that are read of a network, for the layers on the controller.

mod events;

pub use events::{EventList, Pixel, event_counts, event_lists, event_means};

/// Numbers that were read out, from that place on, in single precision.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
pub fn reals<const N: usize>(read: &[f64], first: usize) -> [f32; N] {
    let mut numbers = [0.0; N];
    numbers.iter_mut().zip(read.iter().skip(first)).for_each(|(number, &read)| *number = read as f32);
    numbers
}

/// Numbers that were read out, from that place on, as the nearest whole ones: counts.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
pub fn counts<const N: usize>(read: &[f64], first: usize) -> [i32; N] {
    let mut numbers = [0; N];
    numbers.iter_mut().zip(read.iter().skip(first)).for_each(|(number, &read)| *number = (read + half(read)) as i32);
    numbers
}

/// Counts in single precision.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts are below 2^24")]
pub fn reals_of<const N: usize>(counts: &[i32; N]) -> [f32; N] {
    counts.map(|count| count as f32)
}

/// What added to a value lets the whole part be the nearest whole number.
const fn half(value: f64) -> f64 {
    if value < 0.0 { -0.5 } else { 0.5 }
}
