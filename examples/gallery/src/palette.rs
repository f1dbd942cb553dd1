//! Chooses the colours of an image.

use cain_runtime::isa::Fraction;
use cain_runtime::pictures::Palette;
use cain_runtime::prove::Polynomial;

/// The palette of a result: grey for those that look like the input, brighter or darker, as their weights have a
/// positive sum; signed for the rest, such as gradients. It is wide enough for nearly all values.
pub(crate) fn palette(weights: Option<&Polynomial>, values: &[f32]) -> Palette {
    let sum =
        |weights: &Polynomial| weights.terms().try_fold(Fraction::ZERO, |sum, (_, weight)| sum.checked_add(weight));
    if weights.and_then(sum) > Some(Fraction::ZERO) { Palette::grey(values) } else { Palette::signed(values) }
}

#[cfg(test)]
mod tests {
    use super::palette;
    use cain_runtime::isa::{Displacement, Fraction};
    use cain_runtime::pictures::Palette;
    use cain_runtime::prove::{Atom, Polynomial};

    #[test]
    fn brightness_is_grey_and_differences_are_signed() {
        let mut weights = Polynomial::input(0);
        assert_eq!(palette(Some(&weights), &[-20.0]), Palette::BYTES);
        let east = Atom { channel: 0, displacement: Displacement::new(1, 0) };
        weights.add_term(east, Fraction::from(-1)).unwrap();
        assert_eq!(palette(Some(&weights), &[-20.0]), Palette::Signed { limit: 32.0 });
        weights.add_term(east, Fraction::from(-1)).unwrap();
        assert_eq!(palette(Some(&weights), &[-20.0]), Palette::Signed { limit: 32.0 });
    }
}
