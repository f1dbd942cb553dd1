//! The text of numbers.

use std::fmt;

use cain_isa::{Fraction, ParseFractionError, Range};

/// Numbers that no fraction holds are rounded to multiples of 1/2^40: far finer than any approximation that may follow, and
/// coarse enough for exact sums.
pub(crate) const BITS: u32 = 40;
/// Multiples of 1/2^40 below this fit 64 bits, with a bit to spare.
const MOST: u32 = 1 << 22;
/// The largest fractions are below 2^63.
const LIMIT: f64 = 9_223_372_036_854_775_808.0;

/// The value of a number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The number itself, or the nearest multiple of 1/2^40.
    pub value: Fraction,
    /// Whether it is the number itself. If not, it may be used only where approximation is allowed.
    pub is_exact: bool,
}

/// Why a text has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It is not a number, or not one that can be held.
    Fraction(ParseFractionError),
    /// No fraction holds a number of this size.
    TooLarge,
    /// It has more digits than a fraction holds, and is too large to be rounded.
    TooLong,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fraction(error) => error.fmt(f),
            Self::TooLarge => write!(f, "the number is too large: the largest are {}; write a smaller one", i64::MAX),
            Self::TooLong => write!(
                f,
                "the number has more digits than 64 bits hold, and only numbers below {MOST} can be rounded; write fewer"
            ),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a whole number, a fraction, or a decimal with or without an exponent.
///
/// A decimal with more digits than a fraction holds is rounded.
pub fn read(text: &str) -> Result<Read, ReadError> {
    match text.parse() {
        Ok(value) => Ok(Read { value, is_exact: true }),
        Err(ParseFractionError::Overflow) => match text.parse().map(|number: f64| (number, near(number))) {
            Ok((_, Some(value))) => Ok(Read { value, is_exact: false }),
            Ok((number, None)) if number.abs() < LIMIT => Err(ReadError::TooLong),
            Ok(_) => Err(ReadError::TooLarge),
            Err(_) => Err(ReadError::Fraction(ParseFractionError::Overflow)),
        },
        Err(error) => Err(ReadError::Fraction(error)),
    }
}

/// The message about a number that was rounded to this value although it has to be exact.
pub(crate) fn inexact(text: &str, rounded: Fraction) -> String {
    // A fraction that is not 0 is at least one over the largest whole number.
    let is_small = rounded == Fraction::ZERO || text.parse().is_ok_and(|number: f64| number.abs() < 1.0 / LIMIT);
    if is_small {
        "the number is too small: fractions of 64-bit integers do not hold it; write `0`, or a larger one".to_owned()
    } else {
        format!("{}; write fewer", ParseFractionError::Overflow)
    }
}

/// A range of values, both ends included, from a text such as `-128..127`; or what is wrong with the text.
pub fn input_range(text: &str) -> Result<Range, String> {
    let (min, max) = text.split_once("..").ok_or("expected a range such as `-128..127`")?;
    let level = |text: &str| {
        let level = text.trim().parse();
        level.map_err(|_| format!("expected a whole number of DN of at most 16 bits, found `{}`", text.trim()))
    };
    let input = Range { min: level(min)?, max: level(max.strip_prefix('=').unwrap_or(max))? };
    Ok(input)
}

/// The message about a number that should be whole; a decimal with an exponent may be, but is written differently.
pub(crate) fn not_whole(text: &str) -> String {
    let whole = text.parse::<Fraction>().ok().filter(|number| number.denominator() == 1 && *number >= Fraction::ZERO);
    match whole {
        Some(number) => format!("expected a whole number; write `{}`", grouped(number.numerator())),
        None => "expected a whole number".to_owned(),
    }
}

/// Digits in groups of three.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let group = |(index, digit): (usize, char)| {
        let starts = index > 0 && (digits.len() - index).is_multiple_of(3);
        starts.then_some('_').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(group).collect()
}

/// The multiple of 1/2^40 that is nearest to a number; `None` if it does not fit 64 bits.
pub(crate) fn near(number: f64) -> Option<Fraction> {
    let unit = 1_i64 << BITS;
    #[expect(clippy::cast_precision_loss, reason = "a power of two")]
    let scaled = (number * unit as f64).round();
    // False for NaN too.
    let fits = number.abs() < f64::from(MOST);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 62 bits")]
    let scaled = fits.then_some(scaled as i64)?;
    Fraction::new(scaled, unit)
}

#[cfg(test)]
mod tests {
    use super::{ReadError, inexact, read};

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
        for text in ["1/99999999999999999999", "nan", "inf", "1e", ""] {
            assert!(matches!(read(text), Err(ReadError::Fraction(_))), "{text}");
        }
    }

    #[test]
    fn large_numbers_are_not_rounded() {
        assert!(read("4194303.9999999999999999999").is_err(), "that is 4194304 in floating point");
        assert!(read("-4194303.1234567890123456789").is_ok_and(|read| !read.is_exact));
        for text in ["1e300", "-1e300", "1e400", "99999999999999999999"] {
            assert_eq!(read(text), Err(ReadError::TooLarge), "{text}");
        }
        assert_eq!(read("4194304.1234567890123456789"), Err(ReadError::TooLong));
    }

    #[test]
    fn small_numbers_are_told_from_long_ones() {
        for text in ["1e-30", "-2.5e-20", "0.00000000000000000000001"] {
            let number = read(text).unwrap();
            assert!(inexact(text, number.value).starts_with("the number is too small"), "{text}");
        }
        for text in ["1.2345678901234567e-05", "0.50000000000000000000001"] {
            let number = read(text).unwrap();
            assert!(inexact(text, number.value).starts_with("the number has more digits"), "{text}");
        }
    }
}
