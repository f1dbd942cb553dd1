//! Numbers as texts.

use cain_isa::prove::Polynomial;
use cain_isa::{Fraction, ParseFractionError};
use cain_search::nearest;

/// What no fraction holds exactly is read as a multiple of 1/2^40: far finer than any approximation that may follow, and
/// coarse enough for exact sums.
const BITS: u32 = 40;

/// A number that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// Its value, or one that is near to it.
    pub value: Fraction,
    /// Whether that is the number itself. Otherwise it will do only where weights may be moved anyway.
    pub is_exact: bool,
}

/// Reads a whole number, a fraction, or a decimal with or without an exponent.
///
/// One with more digits than a fraction holds is rounded.
pub fn read(text: &str) -> Result<Read, ParseFractionError> {
    match text.parse() {
        Ok(value) => Ok(Read { value, is_exact: true }),
        Err(ParseFractionError::Overflow) => {
            let value = text.parse().ok().and_then(near).ok_or(ParseFractionError::Overflow)?;
            Ok(Read { value, is_exact: false })
        }
        Err(error) => Err(error),
    }
}

/// The multiple of 1/2^40 that is nearest to a number; none if it does not fit 64 bits.
pub(crate) fn near(number: f64) -> Option<Fraction> {
    let unit = 1_i64 << BITS;
    #[expect(clippy::cast_precision_loss, reason = "a power of two")]
    let scaled = (number * unit as f64).round();
    // Also not for NaN.
    let fits = scaled.abs() < 2.0_f64.powi(62);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 62 bits")]
    let scaled = fits.then_some(scaled as i64)?;
    Fraction::new(scaled, unit)
}

/// A kernel with every weight at the nearest multiple of 1/2^40; none if one does not fit 64 bits.
pub(crate) fn near_kernel(kernel: &Polynomial) -> Option<Polynomial> {
    let mut sum = Polynomial::new();
    for (atom, weight) in kernel.terms() {
        sum.add_term(atom, nearest(weight, BITS)?)?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn long_numbers_are_rounded() {
        for (text, value, is_exact) in [
            ("1e-05", "1/100000", true),
            ("0.30000000000000004", "7500000000000001/25000000000000000", true),
            ("0.50000000000000000000001", "1/2", false),
            ("-0.3333333333333333333333", "-366503875925/1099511627776", false),
            ("1.2345678901234567e-05", "6787109/549755813888", false),
            ("1e-400", "0", false),
        ] {
            let read = read(text).unwrap();
            assert_eq!((read.value.to_string().as_str(), read.is_exact), (value, is_exact), "{text}");
        }
        for text in ["1e300", "99999999999999999999", "1/99999999999999999999", "nan", "inf", "1e", ""] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
