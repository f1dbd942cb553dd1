//! Weighted sums of pixels, with the statistics of their values.

use cain_analysis::sorted::{Map, Set};

use super::image::ImageStatistics;

/// A pixel that a value depends on: channel, x, y.
pub(crate) type Place = (u16, i32, i32);

/// A weighted sum of input pixels and a constant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Affine {
    pub(crate) weights: Map<Place, f64>,
    pub(crate) constant: f64,
}

impl Affine {
    /// The pixel of a channel at the PE itself.
    pub(super) fn input(channel: u16) -> Self {
        Self { weights: Map::from([((channel, 0, 0), 1.0)]), constant: 0.0 }
    }

    /// Adds `factor` times `other`, a value of the PE at (x, y) relative to this one.
    pub(super) fn add_scaled(&mut self, other: &Self, factor: f64, (x, y): (i32, i32)) {
        for (&(channel, column, row), weight) in &other.weights {
            *self.weights.get_or_default((channel, column + x, row + y)) += factor * weight;
        }
        self.constant += factor * other.constant;
    }

    pub(super) fn mean(&self, image: &ImageStatistics) -> f64 {
        self.weights.values().sum::<f64>() * image.mean + self.constant
    }

    pub(super) fn mean_square(&self, image: &ImageStatistics) -> f64 {
        let mean = self.mean(image);
        mean * mean + self.variance(image)
    }

    /// The variance of the sum, which rounding cannot make negative.
    pub(super) fn variance(&self, image: &ImageStatistics) -> f64 {
        self.covariance(self, image).max(0.0)
    }

    pub(super) fn covariance(&self, other: &Self, image: &ImageStatistics) -> f64 {
        let channels: Set<u16> = self.weights.keys().map(|place| place.0).collect();
        let sum: f64 = channels.into_iter().map(|channel| self.correlation(other, channel, image.correlation)).sum();
        sum * image.deviation * image.deviation
    }

    /// The sum over all pairs of pixels of one channel of the product of their weights and their correlation.
    ///
    /// The correlations of rows and columns are multiplied, so the weights of `other` can be spread along the rows and
    /// then along the columns. That takes time in proportion to the rows and columns that have weights, not to the
    /// number of pairs.
    fn correlation(&self, other: &Self, channel: u16, neighbours: f64) -> f64 {
        let here = |weights: &Self| -> Vec<(i32, i32, f64)> {
            let of_channel = weights.weights.iter().filter(|(place, _)| place.0 == channel);
            of_channel.map(|(&(_, x, y), &weight)| (x, y, weight)).collect()
        };
        let (own, others) = (here(self), here(other));
        let places = || own.iter().chain(&others);
        let columns = Axis::of(places().map(|place| place.0), neighbours);
        let rows = Axis::of(places().map(|place| place.1), neighbours);
        let width = columns.places.len();
        let mut grid = vec![0.0; width * rows.places.len()];
        let index = |x: i32, y: i32| Some(rows.index(y)? * width + columns.index(x)?);
        for &(x, y, weight) in &others {
            if let Some(cell) = index(x, y).and_then(|index| grid.get_mut(index)) {
                *cell = weight;
            }
        }
        grid.chunks_exact_mut(width.max(1)).for_each(|row| columns.spread(row.iter_mut()));
        (0..width).for_each(|column| rows.spread(grid.iter_mut().skip(column).step_by(width)));
        let products = own.iter().filter_map(|&(x, y, weight)| Some(weight * grid.get(index(x, y)?)?));
        products.sum()
    }
}

/// The rows or columns that have weights.
struct Axis {
    places: Vec<i32>,
    /// The correlation of each row or column with the one before it.
    steps: Vec<f64>,
}

impl Axis {
    fn of(places: impl Iterator<Item = i32>, neighbours: f64) -> Self {
        let places: Vec<i32> = places.collect::<Set<_>>().into_iter().collect();
        let gaps = places.windows(2).map(|pair| pair[0].abs_diff(pair[1]));
        let steps = std::iter::once(0.0).chain(gaps.map(|gap| power(neighbours, gap))).collect();
        Self { places, steps }
    }

    fn index(&self, place: i32) -> Option<usize> {
        self.places.binary_search(&place).ok()
    }

    /// Replaces each weight by the sum of all weights, each multiplied by its correlation with this one.
    fn spread<'w>(&self, weights: impl DoubleEndedIterator<Item = &'w mut f64> + ExactSizeIterator) {
        let mut weights: Vec<&mut f64> = weights.collect();
        let mut after = vec![0.0; weights.len()];
        for i in (1..weights.len()).rev() {
            after[i - 1] = self.steps[i] * (after[i] + *weights[i]);
        }
        let mut sum = 0.0;
        for ((weight, step), after) in weights.iter_mut().zip(&self.steps).zip(after) {
            sum = sum * step + **weight;
            **weight = sum + after;
        }
    }
}

/// `base` to an integer power, by multiplication alone: unlike `powi`, it gives the same result on every machine.
fn power(base: f64, exponent: u32) -> f64 {
    let (mut power, mut square, mut rest) = (1.0, base, exponent);
    while rest > 0 {
        if rest % 2 == 1 {
            power *= square;
        }
        square *= square;
        rest /= 2;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::{Affine, ImageStatistics};

    /// Spreading along rows and columns gives the same as summing over all pairs.
    #[test]
    fn covariance_is_a_sum_over_pairs() {
        let image = ImageStatistics { mean: 3.0, deviation: 2.0, correlation: 0.7 };
        let affine =
            |weights: &[((u16, i32, i32), f64)]| Affine { weights: weights.iter().copied().collect(), constant: 1.0 };
        let a = affine(&[((0, -2, 1), 0.5), ((0, 0, 0), -1.0), ((0, 3, 0), 0.25), ((1, 0, 0), 2.0)]);
        let b = affine(&[((0, 0, 5), 1.5), ((0, 1, 0), 1.0), ((2, 0, 0), 7.0), ((1, 4, -4), 0.5)]);
        for (a, b) in [(&a, &b), (&b, &a), (&a, &a), (&b, &b)] {
            let mut sum = 0.0;
            for (&(channel, x, y), weight) in &a.weights {
                for (&(other_channel, other_x, other_y), other) in &b.weights {
                    if channel == other_channel {
                        let distance = (x - other_x).abs() + (y - other_y).abs();
                        sum += weight * other * image.correlation.powi(distance);
                    }
                }
            }
            let expected = sum * image.deviation * image.deviation;
            assert!((a.covariance(b, &image) - expected).abs() < 1e-9, "{expected}");
        }
        assert!((affine(&[]).covariance(&a, &image)).abs() < 1e-9);
    }
}
