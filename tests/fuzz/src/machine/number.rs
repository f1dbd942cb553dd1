//! Exact numbers.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    over: i128,
    under: i128,
}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self { over: 0, under: 1 };
    /// One.
    pub const ONE: Self = Self { over: 1, under: 1 };

    /// A quotient.
    ///
    /// # Panics
    ///
    /// If the divisor is zero.
    #[must_use]
    pub fn new(over: i128, under: i128) -> Self {
        assert_ne!(under, 0, "the divisor of a number");
        let (mut a, mut b) = (over.abs(), under.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a.max(1) * under.signum();
        Self { over: over / divisor, under: under / divisor }
    }

    /// The sum; `None` if it has too many digits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let over = self.over.checked_mul(other.under)?.checked_add(other.over.checked_mul(self.under)?)?;
        Some(Self::new(over, self.under.checked_mul(other.under)?))
    }

    /// The product; `None` if it has too many digits.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        Some(Self::new(self.over.checked_mul(other.over)?, self.under.checked_mul(other.under)?))
    }

    /// The absolute value.
    #[must_use]
    pub fn magnitude(self) -> Self {
        Self { over: self.over.abs(), ..self }
    }

    /// Compares two numbers; `None` if that takes too many digits.
    #[must_use]
    pub fn compare(self, other: Self) -> Option<Ordering> {
        Some(self.over.checked_mul(other.under)?.cmp(&other.over.checked_mul(self.under)?))
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.over == 0
    }

    /// The numerator.
    #[must_use]
    pub fn over(self) -> i128 {
        self.over
    }

    /// The denominator.
    #[must_use]
    pub fn under(self) -> i128 {
        self.under
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.over)?;
        if self.under == 1 { Ok(()) } else { write!(f, "/{}", self.under) }
    }
}
