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
        let variance = mean_of(&mut all().map(|pixel| (pixel - mean) * (pixel - mean)));
        let product = |(a, b): (&f32, &f32)| (f64::from(*a) - mean) * (f64::from(*b) - mean);
        let across = mean_of(&mut rows.iter().flat_map(|row| row.iter().zip(row.iter().skip(1))).map(product));
        let down = mean_of(&mut rows.windows(2).flat_map(|pair| pair[0].iter().zip(pair[1])).map(product));
        let correlation = if variance > 0.0 { (across.midpoint(down) / variance).clamp(0.0, 1.0) } else { 0.0 };
        Some(Self { mean, deviation: variance.sqrt(), correlation })
    }
}
