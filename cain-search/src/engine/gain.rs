//! The largest peak gain that a value may have.

use cain_isa::Fraction;

/// A bound on the gain of values, which is the sum of their absolute weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GainLimit {
    max_gain: Option<Fraction>,
    /// The weight 1 in the units of the problem.
    whole: i32,
}

impl GainLimit {
    /// The bound for values in units of which `whole` are 1, if there is one.
    pub(crate) fn new(max_gain: Option<Fraction>, whole: i32) -> Self {
        Self { max_gain, whole }
    }

    /// The largest sum of absolute coefficients of a value in units finer than those of the problem by 2^`finer`.
    ///
    /// Such a sum n is an integer, so that `n / (whole · 2^finer) ≤ max_gain` holds if and only if n is at most
    /// `⌊max_gain · whole · 2^finer⌋`. Rounding before the units are made finer would rule out values that are allowed:
    /// with a limit of 3/2, one of the gain 3/2 in units of 1.
    pub(crate) fn norm(self, finer: u32) -> u64 {
        let Some(max_gain) = self.max_gain else { return u64::MAX };
        let ones = 1_i128.checked_shl(finer).and_then(|units| units.checked_mul(self.whole.into()));
        let sum = ones.and_then(|ones| ones.checked_mul(max_gain.numerator().into()));
        sum.map_or(u64::MAX, |sum| u64::try_from(sum / i128::from(max_gain.denominator())).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::Fraction;

    use super::GainLimit;

    /// A sum is allowed if and only if it is not larger than the limit, in whatever units.
    #[test]
    fn exact_in_all_units() {
        for (numerator, denominator) in [(1, 1), (3, 2), (5, 3), (7, 4), (9, 8), (1001, 1000)] {
            let max_gain = Fraction::new(numerator, denominator).unwrap();
            for whole in [1, 2, 3, 12, 1 << 28] {
                for finer in 0..=30 {
                    let norm = GainLimit::new(Some(max_gain), whole).norm(finer);
                    let is_allowed = |norm: u64| {
                        let ones = i128::from(whole) << finer;
                        i128::from(norm) * i128::from(denominator) <= i128::from(numerator) * ones
                    };
                    assert!(is_allowed(norm) && !is_allowed(norm + 1), "{max_gain} {whole} {finer}");
                }
            }
        }
    }

    #[test]
    fn no_limit() {
        assert_eq!(GainLimit::new(None, 1).norm(30), u64::MAX);
        assert_eq!(GainLimit::new(Fraction::new(i64::MAX, 1), 1 << 28).norm(30), u64::MAX);
    }
}
