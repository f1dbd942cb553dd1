//! Palettes: colours for values.

use std::fmt;
use std::prelude::v1::*;

use super::byte;

/// A colour: red, green and blue.
pub type Colour = [u8; 3];

/// A mapping from values in DN to colours; NaN is magenta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Palette {
    /// From black at `from` to white at `to`; values beyond are black or white.
    Grey {
        /// The value that is black.
        from: f32,
        /// The value that is white.
        to: f32,
    },
    /// From black at 0, through blue to nearly white at −`limit`, and through orange to nearly white at `limit`.
    Signed {
        /// The magnitude at which the colours end.
        limit: f32,
    },
}

impl Palette {
    /// The palette that shows an image as the bytes it was loaded from.
    pub const BYTES: Self = Self::Grey { from: -128.0, to: 127.0 };

    /// A grey palette over the chip's range or, if more than one value in 20 lies beyond, over a range that is larger
    /// by a power of two.
    #[must_use]
    pub fn grey(values: &[f32]) -> Self {
        let limit = limit(values);
        if limit <= 128.0 { Self::BYTES } else { Self::Grey { from: -limit, to: limit } }
    }

    /// A signed palette up to the power of two that at most one value in 20 exceeds.
    #[must_use]
    pub fn signed(values: &[f32]) -> Self {
        Self::Signed { limit: limit(values) }
    }

    /// A signed palette as wide as this one, for differences between planes shown in this palette.
    #[must_use]
    pub const fn for_difference(self) -> Self {
        match self {
            Self::Grey { from, to } => Self::Signed { limit: from.abs().max(to.abs()) },
            Self::Signed { .. } => self,
        }
    }

    /// The colour of a value.
    #[must_use]
    pub fn colour(self, value: f32) -> Colour {
        if value.is_nan() {
            return NO_NUMBER;
        }
        match self {
            // Computed in halves, because the difference may exceed the largest number.
            Self::Grey { from, to } => {
                let (value, from, to) = (0.5 * value, 0.5 * from, 0.5 * to);
                [byte((value - from) * (255.0 / (to - from))); 3]
            }
            Self::Signed { limit } => diverging(value / limit),
        }
    }
}

impl fmt::Display for Palette {
    /// Writes the range, such as `-64 to 64 DN`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grey { from, to } => write!(f, "{from} to {to} DN"),
            Self::Signed { limit } => write!(f, "-{limit} to {limit} DN"),
        }
    }
}

/// The colour of NaN.
const NO_NUMBER: Colour = [255, 0, 255];

/// The least power of two that at most one finite value in 20 exceeds, or the largest power of two if there is none.
fn limit(values: &[f32]) -> f32 {
    let mut sizes: Vec<f32> = values.iter().map(|value| value.abs()).filter(|size| size.is_finite()).collect();
    let mut limit = 1.0;
    let Some(enough) = sizes.len().checked_sub(1 + sizes.len() / 20) else { return limit };
    let (_, size, _) = sizes.select_nth_unstable_by(enough, f32::total_cmp);
    while *size > limit && limit < LARGEST {
        limit *= 2.0;
    }
    limit
}

/// The largest power of two: 2^127.
const LARGEST: f32 = f32::from_bits(0x7F00_0000);

/// The colour for a value from −1 to 1.
fn diverging(value: f32) -> Colour {
    const BELOW: [[f32; 3]; 3] = [[12.0, 14.0, 18.0], [34.0, 112.0, 196.0], [196.0, 236.0, 255.0]];
    const ABOVE: [[f32; 3]; 3] = [[12.0, 14.0, 18.0], [214.0, 92.0, 24.0], [255.0, 240.0, 190.0]];
    let [zero, half, full] = if value < 0.0 { BELOW } else { ABOVE };
    let position = 2.0 * value.abs().min(1.0);
    let (from, to, t) = if position < 1.0 { (zero, half, position) } else { (half, full, position - 1.0) };
    [0, 1, 2].map(|channel: usize| byte(from[channel] + (to[channel] - from[channel]) * t))
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, Palette, limit};
    use std::prelude::v1::*;

    #[test]
    fn bytes_are_shown_as_they_came() {
        for (value, grey) in [(-128.0, 0), (-1.0, 127), (0.0, 128), (127.0, 255), (1000.0, 255), (-1000.0, 0)] {
            assert_eq!(Palette::BYTES.colour(value), [grey; 3]);
        }
    }

    #[test]
    fn signs_have_colours() {
        let palette = Palette::Signed { limit: 8.0 };
        let [below, zero, above] = [-4.0, 0.0, 4.0].map(|value| palette.colour(value));
        assert!(below[2] > below[0] && above[0] > above[2] && zero.iter().all(|part| *part < 20));
        assert_eq!(palette.colour(9.0), palette.colour(8.0));
        assert_eq!(palette.to_string(), "-8 to 8 DN");
    }

    #[test]
    fn ranges_are_powers_of_two() {
        let mut values = vec![60.0; 1000];
        values[..50].fill(-900.0);
        assert_eq!(Palette::signed(&values), Palette::Signed { limit: 64.0 });
        assert_eq!(Palette::grey(&values), Palette::BYTES);
        values[50] = 900.0;
        assert_eq!(Palette::signed(&values), Palette::Signed { limit: 1024.0 });
        assert_eq!(Palette::grey(&values), Palette::Grey { from: -1024.0, to: 1024.0 });
        assert!((limit(&[]) - 1.0).abs() < f32::EPSILON);
    }

    #[test]
    fn what_is_no_number_or_too_large_has_a_colour_of_its_own() {
        let mut values = vec![60.0; 10];
        values.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        assert_eq!(Palette::signed(&values), Palette::Signed { limit: 64.0 });
        for palette in [Palette::BYTES, Palette::signed(&values), Palette::grey(&[f32::MAX, f32::MIN])] {
            assert_eq!(palette.colour(f32::NAN), [255, 0, 255]);
            assert_ne!(palette.colour(f32::INFINITY), palette.colour(0.0));
            assert_eq!(palette.colour(f32::INFINITY), palette.colour(f32::MAX));
            assert_eq!(palette.colour(f32::NEG_INFINITY), palette.colour(f32::MIN));
            assert_ne!(palette.colour(f32::MAX), palette.colour(f32::MIN));
        }
        assert_eq!(Palette::signed(&[f32::MAX]), Palette::Signed { limit: LARGEST });
        assert_eq!(Palette::signed(&[f32::NAN]), Palette::signed(&[]));
    }

    #[test]
    fn halves_between_bytes_are_rounded_up() {
        for grey in 128..255_u8 {
            assert_eq!(Palette::BYTES.colour(f32::from(grey) - 127.5), [grey + 1; 3]);
        }
    }

    #[test]
    fn differences_are_as_wide_as_what_differs() {
        assert_eq!(Palette::BYTES.for_difference(), Palette::Signed { limit: 128.0 });
        assert_eq!(Palette::Grey { from: -4.0, to: 512.0 }.for_difference(), Palette::Signed { limit: 512.0 });
        assert_eq!(Palette::Signed { limit: 2.0 }.for_difference(), Palette::Signed { limit: 2.0 });
    }
}
