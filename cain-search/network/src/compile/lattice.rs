//! Equally spaced values.

use cain_isa::Fraction;

use super::arithmetic::{exact, gcd};

/// Values of the form `offset` + n·`step` for integer n; a single value if the step is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lattice {
    pub(super) offset: Fraction,
    pub(super) step: Fraction,
}

impl Lattice {
    /// The value 0 only.
    pub(super) const NOTHING: Self = Self { offset: Fraction::ZERO, step: Fraction::ZERO };

    /// A single value, if it has few binary digits.
    pub(super) fn of(value: f64) -> Option<Self> {
        Some(Self { offset: exact(value)?, step: Fraction::ZERO })
    }

    pub(super) fn moved(self, by: Fraction) -> Option<Self> {
        Some(Self { offset: self.offset.checked_add(by)?, ..self })
    }

    pub(super) fn times(self, factor: Fraction) -> Option<Self> {
        Some(Self { offset: self.offset.checked_mul(factor)?, step: self.step.checked_mul(factor)?.abs() })
    }

    /// All sums of a value of each.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Some(Self { offset: self.offset.checked_add(other.offset)?, step: common(self.step, other.step)? })
    }

    /// All values of both.
    pub(super) fn with(self, other: Self) -> Option<Self> {
        let apart = self.offset.checked_sub(other.offset)?;
        Some(Self { offset: self.offset, step: common(common(self.step, other.step)?, apart)? })
    }

    /// The values and 0.
    pub(super) fn with_zero(self) -> Option<Self> {
        Self::NOTHING.with(self)
    }

    /// The largest value below `at`, or equal to it unless `inclusive`, and the next one.
    pub(super) fn around(self, at: f64, inclusive: bool) -> Option<(f64, f64)> {
        let (offset, step) = (self.offset.to_f64(), self.step.to_f64());
        if step <= 0.0 {
            return None;
        }
        let place = (at - offset) / step;
        // Values that differ only by rounding count as equal.
        let nearest = place.round();
        let place = if (place - nearest).abs() < 1e-9 { nearest } else { place };
        let below = if inclusive { place.ceil() - 1.0 } else { place.floor() };
        Some((offset + below * step, offset + (below + 1.0) * step))
    }
}

/// The largest step of which both are multiples.
fn common(a: Fraction, b: Fraction) -> Option<Fraction> {
    let denominator = (a.denominator() / gcd(a.denominator(), b.denominator())).checked_mul(b.denominator())?;
    let whole = |step: Fraction| step.checked_mul(Fraction::new(denominator, 1)?).map(Fraction::numerator);
    Fraction::new(gcd(whole(a)?, whole(b)?), denominator)
}

#[cfg(test)]
mod tests {
    use super::Lattice;
    use cain_isa::Fraction;

    fn lattice(offset: i32, step: (i64, i64)) -> Lattice {
        Lattice { offset: Fraction::from(offset), step: Fraction::new(step.0, step.1).unwrap() }
    }

    #[test]
    fn sums_and_unions_of_values_have_a_common_step() {
        let sum = lattice(1, (3, 2)).plus(lattice(2, (1, 1))).unwrap();
        assert_eq!(sum, lattice(3, (1, 2)));
        assert_eq!(lattice(3, (6, 1)).with_zero().unwrap(), lattice(0, (3, 1)));
        assert_eq!(lattice(1, (4, 1)).with(lattice(3, (4, 1))).unwrap(), lattice(1, (2, 1)));
    }

    #[test]
    fn thresholds_lie_between_neighbours() {
        let values = lattice(-3, (2, 1));
        assert_eq!(values.around(0.5, false), Some((-1.0, 1.0)));
        assert_eq!(values.around(1.0, false), Some((1.0, 3.0)));
        assert_eq!(values.around(1.0, true), Some((-1.0, 1.0)));
        assert_eq!(Lattice::NOTHING.around(1.0, true), None);
        // 0.3 is three tenths, though their quotient is a little less in floating point.
        let tenths = lattice(0, (1, 10));
        let near =
            |found: Option<(f64, f64)>, wanted: f64| found.is_some_and(|(below, _)| (below - wanted).abs() < 1e-9);
        assert!(near(tenths.around(0.3, false), 0.3) && near(tenths.around(0.3, true), 0.2));
    }
}
