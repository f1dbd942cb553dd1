//! Arithmetic on fractions.

use cain_isa::Fraction;

/// The least common denominator of fractions; `None` if it overflows.
pub(crate) fn common_denominator(fractions: impl IntoIterator<Item = Fraction>) -> Option<i64> {
    fractions.into_iter().try_fold(1_i64, |common, fraction| {
        // The factor that is missing is the denominator of common/denominator in lowest terms.
        common.checked_mul(Fraction::new(common, fraction.denominator())?.denominator())
    })
}

#[cfg(test)]
mod tests {
    use cain_isa::Fraction;

    use super::common_denominator;

    #[test]
    fn denominators() {
        let of = |denominators: &[i64]| common_denominator(denominators.iter().map(|&d| Fraction::new(1, d).unwrap()));
        assert_eq!([&[][..], &[1, 1], &[2, 3], &[4, 6, 3]].map(of), [1, 1, 6, 12].map(Some));
        assert_eq!(of(&[1 << 62, 3]), None);
    }
}
