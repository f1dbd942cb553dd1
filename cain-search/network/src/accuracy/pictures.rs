//! Pictures for predictions.

use std::borrow::Cow;

use cain_isa::random::SplitMix64;

use crate::Network;

/// The most pictures, and about how many pixels they have together if they are large.
const PICTURES: usize = 4;
const PIXELS: usize = 1 << 14;

/// The correlation of neighbouring pixels before grey values are cut off at black and white.
const CORRELATION: f64 = 0.9;

/// The standard deviation of grey values before they are cut off.
const DEVIATION: f64 = 85.0;

impl Network {
    /// The pictures for which errors are predicted: its [own](Self::pictures), or else [synthetic ones](synthetic_pictures) of
    /// the size of its input.
    #[must_use]
    pub fn typical_pictures(&self) -> Cow<'_, [Vec<u8>]> {
        if self.pictures.is_empty() {
            Cow::Owned(synthetic_pictures((self.input.height, self.input.width)))
        } else {
            Cow::Borrowed(&self.pictures)
        }
    }
}

/// Pictures in which neighbours are similar, row by row; the same on every machine. There are four, or fewer if they are
/// large.
///
/// Grey values are normal, of mean 127.5 and deviation 85, and cut off at 0 and 255, so that one pixel of fifteen is black
/// and another white. Neighbours have a correlation of 0.9, which is multiplied from column to column and from row to row.
#[must_use]
pub fn synthetic_pictures((height, width): (usize, usize)) -> Vec<Vec<u8>> {
    let count = PIXELS.checked_div(height * width).unwrap_or(1).clamp(1, PICTURES);
    many_synthetic_pictures((height, width), count)
}

/// So many of these pictures, the first of which are always the same.
#[must_use]
pub fn many_synthetic_pictures(size: (usize, usize), count: usize) -> Vec<Vec<u8>> {
    (1..).map(|seed| picture(seed, size)).take(count).collect()
}

fn picture(seed: u64, (height, width): (usize, usize)) -> Vec<u8> {
    let mut random = SplitMix64::new(seed);
    let mut normal = || {
        // The sum of twelve uniform numbers is nearly normal, of variance 1.
        let uniform = |number: u64| f64::from(u16::from_be_bytes([0, 1].map(|i| number.to_be_bytes()[i]))) / 65536.0;
        (0..12).map(|_| uniform(random.next_number())).sum::<f64>() - 6.0
    };
    let fresh = (1.0 - CORRELATION * CORRELATION).sqrt();
    // Each pixel is a part of the one before it and something new, along rows and then along columns.
    let next = |before: Option<f64>, new: f64| before.map_or(new, |before| CORRELATION * before + fresh * new);
    let mut values = vec![0.0; height * width];
    for row in values.chunks_mut(width.max(1)) {
        let mut before = None;
        for value in row {
            *value = next(before, normal());
            before = Some(*value);
        }
    }
    for place in width..values.len() {
        values[place] = next(Some(values[place - width]), values[place]);
    }
    values.into_iter().map(|value| grey(127.5 + DEVIATION * value)).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut off at black and white")]
const fn grey(value: f64) -> u8 {
    (value + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use cain_search::ImageStatistics;

    use super::synthetic_pictures;

    #[test]
    fn pictures_have_the_law_that_is_told() {
        let pictures = synthetic_pictures((90, 90));
        assert_ne!(pictures[0], pictures[1]);
        for picture in pictures {
            let pixels: Vec<f32> = picture.iter().map(|&grey| grey.into()).collect();
            let ImageStatistics { mean, deviation, correlation } = ImageStatistics::of(&pixels, 90).unwrap();
            assert!((mean - 127.5).abs() < 30.0 && (60.0..95.0).contains(&deviation), "{mean} {deviation}");
            assert!((0.83..0.96).contains(&correlation), "{correlation}");
        }
        assert_eq!(synthetic_pictures((28, 28)).len(), 4);
        assert_eq!(synthetic_pictures((0, 3)), [Vec::<u8>::new()]);
    }
}
