//! Exact rational numbers.

#[cfg(test)]
mod tests;

use core::fmt;
use core::str::FromStr;

/// An exact rational number in lowest terms.
///
/// Weights on the array are sums of halvings (and thirds, through `bus3`), so a plan is compared with its kernel in
/// exact arithmetic. Every operation is checked: `None` means that the result does not fit in `i64`. A fraction of two
/// machine integers needs no big-number crate, which keeps the firmware side of the project free of dependencies.
///
/// ```
/// use cain_isa::Fraction;
///
/// let weight = Fraction::new(6, 16).unwrap();
/// assert_eq!(weight.to_string(), "3/8");
/// assert_eq!(weight.checked_add(Fraction::from(1)).unwrap().to_string(), "11/8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i64,
    /// The denominator, always positive and coprime to the numerator.
    denominator: i64,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Self = Self::whole(0);
    /// One.
    pub const ONE: Self = Self::whole(1);

    const fn whole(value: i64) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    /// `numerator / denominator` in lowest terms; `None` if the denominator is zero or the result
    /// does not fit.
    #[must_use]
    pub const fn new(numerator: i64, denominator: i64) -> Option<Self> {
        Self::reduced(numerator as i128, denominator as i128)
    }

    #[allow(clippy::cast_possible_truncation)] // the range is checked before each cast
    const fn reduced(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let (numerator, denominator) = if denominator > 0 && denominator & (denominator - 1) == 0 {
            // Most denominators are powers of two, and shifts take a fraction of the time of divisions.
            let (halvings, most) = (numerator.trailing_zeros(), denominator.trailing_zeros());
            let halvings = if halvings < most { halvings } else { most };
            (numerator >> halvings, denominator >> halvings)
        } else {
            let sign = if denominator < 0 { -1 } else { 1 };
            let divisor = sign * gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).cast_signed();
            (numerator / divisor, denominator / divisor)
        };
        if numerator > i64::MAX as i128 || numerator <= i64::MIN as i128 || denominator > i64::MAX as i128 {
            return None;
        }
        Some(Self { numerator: numerator as i64, denominator: denominator as i64 })
    }

    /// The numerator in lowest terms; it carries the sign.
    #[must_use]
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator in lowest terms; always positive.
    #[must_use]
    pub const fn denominator(self) -> i64 {
        self.denominator
    }

    /// Whether the fraction is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Whether the denominator is a power of two, so that halvings alone can reach the fraction.
    #[must_use]
    pub const fn is_dyadic(self) -> bool {
        self.denominator & (self.denominator - 1) == 0
    }

    /// The exponent of three in the denominator.
    #[must_use]
    pub const fn thirds(self) -> u32 {
        let (mut rest, mut thirds) = (self.denominator, 0);
        while rest % 3 == 0 {
            rest /= 3;
            thirds += 1;
        }
        thirds
    }

    /// The absolute value.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self { numerator: self.numerator.abs(), denominator: self.denominator }
    }

    /// The sum; `None` if it does not fit.
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        Self::reduced(
            self.numerator as i128 * other.denominator as i128 + other.numerator as i128 * self.denominator as i128,
            self.denominator as i128 * other.denominator as i128,
        )
    }

    /// The difference; `None` if it does not fit.
    #[must_use]
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(other.negated())
    }

    /// The product; `None` if it does not fit.
    #[must_use]
    pub const fn checked_mul(self, other: Self) -> Option<Self> {
        Self::reduced(
            self.numerator as i128 * other.numerator as i128,
            self.denominator as i128 * other.denominator as i128,
        )
    }

    /// The quotient; `None` if the divisor is zero or the result does not fit.
    #[must_use]
    pub const fn checked_div(self, divisor: Self) -> Option<Self> {
        Self::reduced(
            self.numerator as i128 * divisor.denominator as i128,
            self.denominator as i128 * divisor.numerator as i128,
        )
    }

    /// The negative, which always fits because the numerator is never `i64::MIN`.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self { numerator: -self.numerator, denominator: self.denominator }
    }

    /// The nearest floating-point number, for display and for simulation.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // documented as the nearest number
    pub const fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { 1 } else { a }
}

impl Default for Fraction {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<i32> for Fraction {
    fn from(value: i32) -> Self {
        Self::whole(value.into())
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        let left = i128::from(self.numerator) * i128::from(other.denominator);
        let right = i128::from(other.numerator) * i128::from(self.denominator);
        left.cmp(&right)
    }
}

impl fmt::Display for Fraction {
    /// Writes, for example, `3` or `-1/16`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

/// The reason why a text is not a [`Fraction`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseFractionError {
    /// The text is not of the form `3`, `-1/16` or `0.125`.
    Syntax,
    /// The denominator is zero.
    ZeroDenominator,
    /// The number does not fit in 64 bits.
    Overflow,
}

impl fmt::Display for ParseFractionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "expected a number such as `3`, `-1/16` or `0.125`",
            Self::ZeroDenominator => "the denominator is zero",
            Self::Overflow => "the number has more digits than 64 bits hold",
        })
    }
}

impl core::error::Error for ParseFractionError {}

impl FromStr for Fraction {
    type Err = ParseFractionError;

    /// Parses an integer, a fraction `a/b`, or a decimal such as `0.125` or `1.25e-1`, each exactly.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((numerator, denominator)) = text.split_once('/') {
            let numerator = integer(numerator.trim_end())?;
            let denominator = integer(denominator.trim_start())?;
            if denominator == 0 {
                return Err(ParseFractionError::ZeroDenominator);
            }
            return Self::new(numerator, denominator).ok_or(ParseFractionError::Overflow);
        }
        decimal(text)
    }
}

/// Parses `3`, `-0.125` or `1e-5`: digits, multiplied by a power of ten.
fn decimal(text: &str) -> Result<Fraction, ParseFractionError> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(text, power)| (text, Some(power)));
    let magnitude = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
    let (whole, decimals) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let digits = || whole.bytes().chain(decimals.bytes());
    if digits().next().is_none() || !digits().all(|digit| digit.is_ascii_digit()) {
        return Err(ParseFractionError::Syntax);
    }
    let exponent = exponent.map_or(Ok(0), self::exponent)?;
    let zeros = digits().rev().take_while(|digit| *digit == b'0').count();
    let significant = whole.len() + decimals.len() - zeros;
    let number = digits()
        .take(significant)
        .try_fold(0_i128, |number, digit| number.checked_mul(10)?.checked_add(i128::from(digit - b'0')));
    // Zero is zero, whatever the power.
    if number == Some(0) {
        return Ok(Fraction::ZERO);
    }
    let number = number.ok_or(ParseFractionError::Overflow)?;
    let power = i64::try_from(zeros).ok().zip(i64::try_from(decimals.len()).ok());
    let power = power.and_then(|(zeros, decimals)| exponent.checked_add(zeros)?.checked_sub(decimals));
    let power = power.ok_or(ParseFractionError::Overflow)?;
    let tens = u32::try_from(power.unsigned_abs()).ok().and_then(|power| 10_i128.checked_pow(power));
    let tens = tens.ok_or(ParseFractionError::Overflow)?;
    let value = if power < 0 {
        Fraction::reduced(number, tens)
    } else {
        number.checked_mul(tens).and_then(|number| Fraction::reduced(number, 1))
    };
    let value = value.ok_or(ParseFractionError::Overflow)?;
    Ok(if mantissa.starts_with('-') { value.negated() } else { value })
}

/// Parses the exponent of a power of ten; one that does not fit is beyond all fractions anyway.
fn exponent(text: &str) -> Result<i64, ParseFractionError> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(ParseFractionError::Syntax);
    }
    Ok(text.parse().unwrap_or(i64::MAX))
}

fn integer(text: &str) -> Result<i64, ParseFractionError> {
    use core::num::IntErrorKind::{NegOverflow, PosOverflow};
    match text.parse::<i64>() {
        Ok(i64::MIN) => Err(ParseFractionError::Overflow),
        Ok(value) => Ok(value),
        Err(error) if matches!(error.kind(), PosOverflow | NegOverflow) => Err(ParseFractionError::Overflow),
        Err(_) => Err(ParseFractionError::Syntax),
    }
}
