//! Limits on the gain of values.

use cain_isa::{Fraction, Range};

use super::terms::Term;
use crate::Declaration;

/// A limit on the [gain](cain_analysis::prove::Polynomial::gain) of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GainLimit {
    max_gain: Option<Fraction>,
    inputs: Range,
    /// The weight 1 in the units of the problem.
    whole: i32,
}

/// A limit on values, in certain units.
///
/// If positive weights add up to p and negative ones to −n, and inputs range from −d to u, the largest magnitude of a
/// value is `max(p, n) · max(u, d) + min(p, n) · min(u, d)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GainBound {
    /// The largest such magnitude that is allowed; `u64::MAX` if there is no limit.
    most: u64,
    /// `max(u, d)` and `min(u, d)`, with common factors removed: both 1 for inputs that reach equally far on both
    /// sides.
    extents: [u64; 2],
}

impl GainLimit {
    /// The limit of a declaration, for values in units of 1/`whole`.
    pub(crate) fn of(declaration: &Declaration, whole: i32) -> Self {
        Self { max_gain: declaration.max_gain(), inputs: declaration.input_range(), whole }
    }

    /// The limit for values in units that are finer than those of the problem by a factor of 2^`finer`.
    ///
    /// A magnitude m is an integer, so `m / (whole · 2^finer · max(u, d)) ≤ max_gain` holds if and only if m is at most
    /// `⌊max_gain · whole · 2^finer · max(u, d)⌋`. Rounding before the units are made finer would rule out values that
    /// are allowed: with a limit of 3/2, a value of gain 3/2 in units of 1.
    pub(crate) fn bound(self, finer: u32) -> GainBound {
        let extents = self.extents();
        let most = self.max_gain.and_then(|max_gain| {
            let ones = 1_i128.checked_shl(finer)?.checked_mul(self.whole.into())?.checked_mul(extents[0].into())?;
            let most = ones.checked_mul(max_gain.numerator().into())? / i128::from(max_gain.denominator());
            u64::try_from(most).ok()
        });
        GainBound { most: most.unwrap_or(u64::MAX), extents }
    }

    fn extents(self) -> [u64; 2] {
        let (up, down) = self.inputs.extents();
        let larger = up.max(down).max(1);
        let Some(ratio) = Fraction::new(up.min(down).into(), larger.into()) else { return [1, 1] };
        [ratio.denominator().unsigned_abs(), ratio.numerator().unsigned_abs()]
    }
}

impl GainBound {
    /// Whether a value is within the limit.
    pub(crate) fn allows(&self, value: &[Term]) -> bool {
        if self.most == u64::MAX {
            return true;
        }
        let (mut positive, mut negative) = (0_u64, 0_u64);
        for &(_, weight) in value {
            *(if weight > 0 { &mut positive } else { &mut negative }) += u64::from(weight.unsigned_abs());
        }
        let [larger, smaller] = self.extents;
        // A magnitude that does not fit in 64 bits is beyond every limit.
        let most = positive.max(negative).saturating_mul(larger);
        most.saturating_add(positive.min(negative).saturating_mul(smaller)) <= self.most
    }
}

#[cfg(test)]
impl GainLimit {
    /// A limit for inputs of either sign, in units of 1/`whole`.
    pub(crate) fn at_most(max_gain: Option<Fraction>, whole: i32) -> Self {
        Self { max_gain, inputs: Range::SCAMP5, whole }
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::{Fraction, Range};

    use super::GainLimit;
    use crate::engine::terms::Term;

    fn value(positive: i32, negative: i32) -> Vec<Term> {
        [(1, positive), (2, -negative)].into_iter().filter(|term| term.1 != 0).collect()
    }

    /// A value is allowed if and only if its gain is within the limit, in whatever units.
    #[test]
    fn exact_in_all_units() {
        for (numerator, denominator) in [(1, 1), (3, 2), (5, 3), (7, 4), (9, 8), (1001, 1000)] {
            let max_gain = Fraction::new(numerator, denominator).unwrap();
            for whole in [1, 2, 3, 12, 1 << 20] {
                for finer in 0..=8 {
                    let bound = GainLimit::at_most(Some(max_gain), whole).bound(finer);
                    let sum = i32::try_from((i64::from(whole) << finer) * numerator / denominator).unwrap();
                    assert!(bound.allows(&value(sum / 2, sum - sum / 2)), "{max_gain} {whole} {finer}");
                    assert!(!bound.allows(&value(sum / 2, sum - sum / 2 + 1)), "{max_gain} {whole} {finer}");
                }
            }
        }
    }

    /// The engine and the prover agree on the gains of values.
    #[test]
    fn as_the_prover() {
        let ranges = [(-128, 127), (0, 127), (-128, 0), (-20, 100), (-100, 20), (-30, 30), (5, 9)];
        for (min, max) in ranges {
            let inputs = Range { min, max };
            for positive in 0..20 {
                for negative in 0..20 {
                    let gain = inputs.gain(Fraction::from(positive), Fraction::from(negative)).unwrap();
                    for limit in [(1, 1), (5, 2), (7, 1), (41, 3)] {
                        let max_gain = Fraction::new(limit.0, limit.1);
                        let bound = GainLimit { max_gain, inputs, whole: 4 }.bound(2);
                        let is_allowed = bound.allows(&value(16 * positive, 16 * negative));
                        assert_eq!(is_allowed, gain <= max_gain.unwrap(), "{inputs} {positive} {negative} {limit:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_limit() {
        let large = value(i32::MAX, i32::MAX);
        assert!(GainLimit::at_most(None, 1).bound(30).allows(&large));
        assert!(GainLimit::at_most(Fraction::new(i64::MAX, 1), 1 << 28).bound(30).allows(&large));
        assert!(!GainLimit::at_most(Some(Fraction::ONE), 1).bound(30).allows(&large));
    }
}
