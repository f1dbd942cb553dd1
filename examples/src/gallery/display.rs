//! Values in DN as colours.

use image::{Rgb, RgbImage};

use crate::convolve::Kernel;

/// How values are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// Black to white for −limit to limit.
    Grey(f32),
    /// Blue through black to orange for −limit to limit.
    Signed(f32),
}

impl Scale {
    /// The input of the array as it is.
    pub(crate) const INPUT: Self = Self::Grey(128.0);

    /// Grey for an output that keeps the brightness, otherwise signed; wide enough for nearly all values.
    pub(crate) fn for_output(kernel: &Kernel, values: &[f32]) -> Self {
        let limit = limit(values);
        if (kernel.sum() - 1.0).abs() < 0.1 { Self::Grey(limit.max(128.0)) } else { Self::Signed(limit) }
    }

    /// The scale of differences: as wide as that of what is compared.
    pub(crate) fn for_difference(self) -> Self {
        let (Self::Grey(limit) | Self::Signed(limit)) = self;
        Self::Signed(limit)
    }

    /// The picture of values in rows of `width`.
    pub(crate) fn picture(self, values: &[f32], width: u32) -> RgbImage {
        let height = u32::try_from(values.len()).unwrap_or(u32::MAX).checked_div(width).unwrap_or(0);
        let mut picture = RgbImage::new(width, height);
        for (pixel, &value) in picture.pixels_mut().zip(values) {
            *pixel = self.color(value);
        }
        picture
    }

    pub(crate) fn color(self, value: f32) -> Rgb<u8> {
        match self {
            Self::Grey(limit) => Rgb([byte(value / limit * 128.0 + 128.0); 3]),
            Self::Signed(limit) => diverging(value / limit),
        }
    }

    /// The scale in words, such as `-64 to 64 DN`.
    pub(crate) fn label(self) -> String {
        let (Self::Grey(limit) | Self::Signed(limit)) = self;
        format!("-{limit} to {limit} DN")
    }
}

/// The power of two that at most one value in 20 exceeds.
fn limit(values: &[f32]) -> f32 {
    let mut sizes: Vec<f32> = values.iter().map(|value| value.abs()).collect();
    sizes.sort_by(f32::total_cmp);
    let enough = sizes.len().saturating_sub(1 + sizes.len() / 20);
    let mut limit = 1.0;
    while sizes.get(enough).is_some_and(|size| *size > limit) {
        limit *= 2.0;
    }
    limit
}

/// Black at 0, blue to white below, orange to white above; for −1 to 1.
fn diverging(value: f32) -> Rgb<u8> {
    const BELOW: [[f32; 3]; 3] = [[12.0, 14.0, 18.0], [34.0, 112.0, 196.0], [196.0, 236.0, 255.0]];
    const ABOVE: [[f32; 3]; 3] = [[12.0, 14.0, 18.0], [214.0, 92.0, 24.0], [255.0, 240.0, 190.0]];
    let [zero, half, full] = if value < 0.0 { BELOW } else { ABOVE };
    let position = 2.0 * value.abs().min(1.0);
    let (from, to, t) = if position < 1.0 { (zero, half, position) } else { (half, full, position - 1.0) };
    Rgb([0, 1, 2].map(|channel: usize| byte(from[channel] + (to[channel] - from[channel]) * t)))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates, as it should")]
fn byte(value: f32) -> u8 {
    value.round() as u8
}

#[cfg(test)]
mod tests {
    use super::{Scale, limit};
    use image::Rgb;

    #[test]
    fn bytes_are_shown_as_they_came() {
        for value in [-128.0, -1.0, 0.0, 127.0] {
            let Rgb([red, _, _]) = Scale::INPUT.color(value);
            assert!((f32::from(red) - 128.0 - value).abs() < 1e-6);
        }
        assert_eq!(Scale::INPUT.color(1000.0), Rgb([255; 3]));
        assert_eq!(Scale::INPUT.color(-1000.0), Rgb([0; 3]));
    }

    #[test]
    fn a_few_outliers_do_not_widen_the_scale() {
        let mut values = vec![60.0; 1000];
        assert!((limit(&values) - 64.0).abs() < 1e-6);
        values[0] = 900.0;
        assert!((limit(&values) - 64.0).abs() < 1e-6);
        assert!((limit(&[]) - 1.0).abs() < 1e-6);
    }
}
