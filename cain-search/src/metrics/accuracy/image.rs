//! Statistics of images.

/// Statistics of the images that a program gets, for each input channel. Channels are taken to be independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageStatistics {
    /// The mean of all pixels, in DN.
    pub mean: f64,
    /// The standard deviation of all pixels, in DN.
    pub deviation: f64,
    /// The correlation of neighbouring pixels. That of pixels x columns and y rows apart is its (x + y)-th power.
    pub correlation: f64,
}

impl ImageStatistics {
    /// A natural image that fills the range of the chip: a mean of 0 DN, a standard deviation of 50 DN, and a
    /// correlation of 0.95, which is usual for neighbouring pixels of photographs.
    pub const NATURAL: Self = Self { mean: 0.0, deviation: 50.0, correlation: 0.95 };

    /// The statistics of an image, given row by row from the north with `width` pixels in a row; `None` if it has no
    /// row.
    ///
    /// The correlation is the mean of that between horizontal neighbours and that between vertical ones.
    #[must_use]
    pub fn of(pixels: &[f32], width: usize) -> Option<Self> {
        let rows: Vec<&[f32]> = pixels.chunks_exact(width.max(1)).collect();
        if rows.is_empty() || width == 0 {
            return None;
        }
        let mean_of = |values: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
            if count > 0.0 { sum / count } else { 0.0 }
        };
        let all = || rows.iter().flat_map(|row| row.iter()).map(|&pixel| f64::from(pixel));
        let mean = mean_of(&mut all());
        let variance = mean_of(&mut all().map(|pixel| pixel - mean).map(|difference| difference * difference));
        let product = |(a, b): (&f32, &f32)| (f64::from(*a) - mean) * (f64::from(*b) - mean);
        let across = mean_of(&mut rows.iter().flat_map(|row| row.iter().zip(row.iter().skip(1))).map(product));
        let down = mean_of(&mut rows.windows(2).flat_map(|pair| pair[0].iter().zip(pair[1])).map(product));
        let correlation = if variance > 0.0 { (across.midpoint(down) / variance).clamp(0.0, 1.0) } else { 0.0 };
        Some(Self { mean, deviation: variance.sqrt(), correlation })
    }
}

#[cfg(test)]
mod tests {
    use super::ImageStatistics;

    /// The figures are worked out by hand.
    #[test]
    fn statistics_of_small_images() {
        let of = |pixels: &[f32], width| {
            let found = ImageStatistics::of(pixels, width)?;
            Some((found.mean, found.deviation * found.deviation, found.correlation))
        };
        let is_near = |found: Option<(f64, f64, f64)>, wanted: (f64, f64, f64)| {
            let (mean, variance, correlation) = found.unwrap();
            [(mean, wanted.0), (variance, wanted.1), (correlation, wanted.2)].iter().all(|(a, b)| (a - b).abs() < 1e-12)
        };
        // Products of neighbours: 2, -1, -1, 2 in rows, and 2, -1, 2 in columns. A part of a row is left out.
        assert!(is_near(of(&[0.0, 1.0, 3.0, 1.0, 3.0, 4.0, 90.0], 3), (2.0, 2.0, 0.375)));
        // Without neighbours in columns, or in rows.
        for width in [4, 1] {
            assert!(is_near(of(&[0.0, 0.0, 3.0, 3.0], width), (1.5, 2.25, 0.75 / 2.0 / 2.25)));
        }
        // Neighbours are as unlike as can be, or all pixels are the same.
        assert!(is_near(of(&[0.0, 2.0, 2.0, 0.0], 2), (1.0, 1.0, 0.0)));
        assert!(is_near(of(&[7.0; 4], 2), (7.0, 0.0, 0.0)));
        assert_eq!((of(&[], 3), of(&[1.0], 3), of(&[1.0], 0)), (None, None, None));
    }
}
