//! Exact arithmetic.

use cain_isa::Fraction;

/// Converts a number to a fraction, if it has few binary digits.
#[must_use]
pub fn exact(number: f64) -> Option<Fraction> {
    const MOST_DIGITS: u32 = 24;
    let limit = 2.0_f64.powi(30);
    (0..=MOST_DIGITS).find_map(|digits| {
        let scaled = number * 2.0_f64.powi(digits.cast_signed());
        #[expect(clippy::cast_possible_truncation, reason = "whole and below the limit")]
        let numerator = (scaled.abs() < limit && scaled.fract() == 0.0).then_some(scaled as i64)?;
        Fraction::new(numerator, 1 << digits)
    })
}

/// A fraction with small terms that differs from a number by at most what single precision resolves, 2^-24 of it.
#[must_use]
pub fn near(number: f64) -> Option<Fraction> {
    within(number, 1.0 / 16_777_216.0)
}

/// A fraction with small terms that differs from a number by at most this share of it: a convergent of its continued fraction.
#[must_use]
pub fn within(number: f64, share: f64) -> Option<Fraction> {
    const MOST: f64 = 1_073_741_824.0;
    let mut rest = number.abs();
    let [mut before, mut last] = [(0.0, 1.0), (1.0, 0.0)];
    while rest < MOST {
        let whole = rest.floor();
        let next = (whole * last.0 + before.0, whole * last.1 + before.1);
        if next.0 > MOST || next.1 > MOST {
            return None;
        }
        if (next.0 / next.1 - number.abs()).abs() <= share * number.abs() {
            #[expect(clippy::cast_possible_truncation, reason = "whole and below the limit")]
            return Fraction::new((next.0 * number.signum()) as i64, next.1 as i64);
        }
        (before, last, rest) = (last, next, 1.0 / (rest - whole));
    }
    None
}

/// The largest number of which both are multiples.
#[must_use]
pub fn common(a: Fraction, b: Fraction) -> Option<Fraction> {
    let denominator = (a.denominator() / gcd(a.denominator(), b.denominator())).checked_mul(b.denominator())?;
    let whole = |of: Fraction| of.checked_mul(Fraction::new(denominator, 1)?).map(Fraction::numerator);
    Fraction::new(gcd(whole(a)?, whole(b)?), denominator)
}

/// The factor that turns these ratios into integers without a common divisor; `None` if there is none.
#[must_use]
pub fn primitive(ratios: &[Fraction]) -> Option<Fraction> {
    let all = ratios.iter().try_fold(Fraction::ZERO, |all, ratio| common(all, ratio.abs()))?;
    if all.is_zero() { Some(Fraction::ONE) } else { Fraction::ONE.checked_div(all) }
}

/// The greatest common divisor.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
