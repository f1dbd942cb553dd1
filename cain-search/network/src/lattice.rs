//! Equally spaced values.

use cain_isa::Fraction;

use crate::arithmetic::{common, exact};

/// Values of the form `offset` + n·`step` for integer n; a single value if the step is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// One of them.
    pub offset: Fraction,
    /// How far they are apart.
    pub step: Fraction,
}

impl Lattice {
    /// The value 0 only.
    pub const NOTHING: Self = Self { offset: Fraction::ZERO, step: Fraction::ZERO };

    /// A single value, if it has few binary digits; `None`, as below, beyond exact arithmetic.
    #[must_use]
    pub fn of(value: f64) -> Option<Self> {
        Some(Self { offset: exact(value)?, step: Fraction::ZERO })
    }

    pub(crate) fn moved(self, by: Fraction) -> Option<Self> {
        Some(Self { offset: self.offset.checked_add(by)?, ..self })
    }

    /// All products with a factor.
    #[must_use]
    pub fn times(self, factor: Fraction) -> Option<Self> {
        Some(Self { offset: self.offset.checked_mul(factor)?, step: self.step.checked_mul(factor)?.abs() })
    }

    /// All sums of a value of each.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        Some(Self { offset: self.offset.checked_add(other.offset)?, step: common(self.step, other.step)? })
    }

    /// All values of both.
    #[must_use]
    pub fn with(self, other: Self) -> Option<Self> {
        let apart = self.offset.checked_sub(other.offset)?;
        Some(Self { offset: self.offset, step: common(common(self.step, other.step)?, apart)? })
    }

    /// The values and 0.
    pub(crate) fn with_zero(self) -> Option<Self> {
        Self::NOTHING.with(self)
    }

    /// The largest value below `at`, or equal to it unless `inclusive`, and the next one.
    #[must_use]
    pub fn around(self, at: f64, inclusive: bool) -> Option<(f64, f64)> {
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

#[cfg(test)]
mod tests {
    use super::Lattice;
    use cain_isa::Fraction;
    use std::collections::BTreeSet;

    /// Lattices with steps and offsets that are whole, halves, thirds and tenths, and single values.
    fn lattices() -> Vec<Lattice> {
        let fraction = |(numerator, denominator)| Fraction::new(numerator, denominator).unwrap();
        let offsets = [(0, 1), (-3, 1), (1, 2), (7, 10)].map(fraction);
        let steps = [(0, 1), (1, 1), (4, 1), (3, 2), (2, 3), (3, 10)].map(fraction);
        offsets.iter().flat_map(|&offset| steps.iter().map(move |&step| Lattice { offset, step })).collect()
    }

    fn values(lattice: Lattice, most: i32) -> impl Iterator<Item = Fraction> {
        let value = move |n: i32| lattice.offset.checked_add(lattice.step.checked_mul(n.into()).unwrap()).unwrap();
        (-most..=most).map(value)
    }

    fn holds(lattice: Lattice, value: Fraction) -> bool {
        let apart = value.checked_sub(lattice.offset).unwrap();
        if lattice.step.is_zero() {
            apart.is_zero()
        } else {
            apart.checked_div(lattice.step).unwrap().denominator() == 1
        }
    }

    /// Whether all parts are multiples of a step, and of none of its multiples.
    fn is_largest(step: Fraction, parts: [Fraction; 3]) -> bool {
        if step.is_zero() {
            return parts == [Fraction::ZERO; 3];
        }
        let times = parts.map(|part| part.checked_div(step).unwrap());
        let divides = |n: i64| times.iter().all(|part| part.denominator() == 1 && part.numerator() % n == 0);
        divides(1) && !(2..500).any(divides)
    }

    #[test]
    fn sums_and_unions_have_the_largest_common_step() {
        for a in lattices() {
            for b in lattices() {
                let (sum, union) = (a.plus(b).unwrap(), a.with(b).unwrap());
                for one in values(a, 4) {
                    assert!(values(b, 4).all(|other| holds(sum, one.checked_add(other).unwrap())), "{a:?} {b:?}");
                    assert!(holds(union, one), "{a:?} {b:?}");
                }
                assert!(values(b, 4).all(|value| holds(union, value)), "{a:?} {b:?}");
                let apart = a.offset.checked_sub(b.offset).unwrap();
                assert!(is_largest(sum.step, [a.step, b.step, Fraction::ZERO]), "{a:?} {b:?}");
                assert!(is_largest(union.step, [a.step, b.step, apart]), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn values_are_moved_and_scaled() {
        for lattice in lattices() {
            assert_eq!(lattice.with_zero(), Lattice::NOTHING.with(lattice));
            for by in
                [(3, 1), (-1, 2), (0, 1)].map(|(numerator, denominator)| Fraction::new(numerator, denominator).unwrap())
            {
                let (moved, scaled) = (lattice.moved(by).unwrap(), lattice.times(by).unwrap());
                assert!(values(moved, 5).eq(values(lattice, 5).map(|value| value.checked_add(by).unwrap())));
                let products: BTreeSet<_> = values(lattice, 5).map(|value| value.checked_mul(by).unwrap()).collect();
                assert_eq!(values(scaled, 5).collect::<BTreeSet<_>>(), products);
                assert!(scaled.step >= Fraction::ZERO);
            }
        }
        assert_eq!(Lattice::of(0.75), Some(Lattice { offset: Fraction::new(3, 4).unwrap(), step: Fraction::ZERO }));
        assert_eq!(Lattice::of(0.1), None);
    }

    /// Also where a quotient in floating point is a little less than the whole number that it should be, as with 0.3.
    #[test]
    fn thresholds_lie_between_neighbours() {
        for lattice in lattices() {
            for (at, inclusive) in (-40..=40).flat_map(|at| [(at, false), (at, true)]) {
                let at = Fraction::new(at, 20).unwrap();
                let is_below = |value: &Fraction| if inclusive { *value < at } else { *value <= at };
                let found = lattice.around(at.to_f64(), inclusive);
                if lattice.step.is_zero() {
                    assert_eq!(found, None);
                    continue;
                }
                let below = values(lattice, 40).filter(is_below).max().unwrap();
                let above = below.checked_add(lattice.step).unwrap();
                let (low, high) = found.unwrap();
                let is_near = (low - below.to_f64()).abs() < 1e-9 && (high - above.to_f64()).abs() < 1e-9;
                assert!(is_near, "{lattice:?} at {at}, {inclusive}: {found:?}");
            }
        }
    }
}
