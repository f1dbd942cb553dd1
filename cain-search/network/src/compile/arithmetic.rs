//! Exact arithmetic.

use cain_isa::Fraction;

/// Converts a number to a fraction, if it has few binary digits.
pub(super) fn exact(number: f64) -> Option<Fraction> {
    const MOST_DIGITS: u32 = 24;
    let limit = 2.0_f64.powi(30);
    (0..=MOST_DIGITS).find_map(|digits| {
        let scaled = number * 2.0_f64.powi(digits.cast_signed());
        #[expect(clippy::cast_possible_truncation, reason = "whole and below the limit")]
        let numerator = (scaled.abs() < limit && scaled.fract() == 0.0).then_some(scaled as i64)?;
        Fraction::new(numerator, 1 << digits)
    })
}

/// The greatest common divisor.
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
