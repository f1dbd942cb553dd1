//! Lines through values with errors and without: by what factor and summand they are corrected best.

/// The factors by which values are multiplied: writes make values smaller, and of larger ones little is left.
const FACTORS: (f64, f64) = (1.0, 8.0);

/// Sums over pairs of values, without errors and as they are expected to be with them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairs {
    count: f64,
    exact: f64,
    expected: f64,
    exact_squares: f64,
    expected_squares: f64,
    products: f64,
}

impl FromIterator<(f64, f64)> for Pairs {
    fn from_iter<T: IntoIterator<Item = (f64, f64)>>(all: T) -> Self {
        let mut pairs = Self::default();
        all.into_iter().for_each(|(exact, expected)| pairs.add(exact, expected));
        pairs
    }
}

impl Pairs {
    /// A value without errors, and as it is expected to be with them.
    pub(super) fn add(&mut self, exact: f64, expected: f64) {
        self.add_weighted(exact, expected, 1.0);
    }

    /// The same, counting as so many.
    pub fn add_weighted(&mut self, exact: f64, expected: f64, weight: f64) {
        self.count += weight;
        self.exact += weight * exact;
        self.expected += weight * expected;
        self.exact_squares += weight * exact * exact;
        self.expected_squares += weight * expected * expected;
        self.products += weight * exact * expected;
    }

    pub(super) fn extend(&mut self, more: Self) {
        self.count += more.count;
        self.exact += more.exact;
        self.expected += more.expected;
        self.exact_squares += more.exact_squares;
        self.expected_squares += more.expected_squares;
        self.products += more.products;
    }

    /// The factor and the summand with which values that also have random errors of this variance are nearest to those
    /// without errors (least squares). `None` without pairs.
    #[must_use]
    pub fn line(self, random: f64) -> Option<(f64, f64)> {
        let factor = self.covariance() / (self.variance() + random);
        let factor = factor.clamp(FACTORS.0, FACTORS.1);
        let summand = (self.exact - factor * self.expected) / self.count;
        (factor.is_finite() && summand.is_finite()).then_some((factor, summand))
    }

    /// The root of the mean square of the errors that are left with that factor and summand.
    #[must_use]
    pub fn left(self, random: f64) -> f64 {
        let Some((factor, _)) = self.line(random) else { return 0.0 };
        let exact = self.exact_squares / self.count - (self.exact / self.count).powi(2);
        let square = exact - 2.0 * factor * self.covariance() + factor * factor * (self.variance() + random);
        square.max(0.0).sqrt()
    }

    /// The mean of what errors add.
    #[must_use]
    pub fn mean_error(self) -> f64 {
        if self.count > 0.0 { (self.expected - self.exact) / self.count } else { 0.0 }
    }

    /// The root of the mean square of what errors add.
    #[must_use]
    pub fn error(self) -> f64 {
        let square = self.exact_squares - 2.0 * self.products + self.expected_squares;
        if self.count > 0.0 { (square / self.count).max(0.0).sqrt() } else { 0.0 }
    }

    fn variance(self) -> f64 {
        self.expected_squares / self.count - (self.expected / self.count).powi(2)
    }

    fn covariance(self) -> f64 {
        self.products / self.count - self.exact / self.count * (self.expected / self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    fn pairs(values: &[(f64, f64)]) -> Pairs {
        let mut pairs = Pairs::default();
        for &(exact, expected) in values {
            pairs.add(exact, expected);
        }
        pairs
    }

    #[test]
    fn lines_undo_gain_and_offset() {
        // Half of the value, and 3 DN.
        let values = [(0.0, 3.0), (40.0, 23.0), (-20.0, -7.0), (8.0, 7.0)];
        let halved = pairs(&values);
        let (factor, summand) = halved.line(0.0).unwrap();
        assert!((factor - 2.0).abs() < 1e-9 && (summand + 6.0).abs() < 1e-9, "{factor} {summand}");
        assert!(halved.left(0.0) < 1e-6);
        // Noise is not made as much larger, and no other factor leaves less.
        let (factor, summand) = halved.line(100.0).unwrap();
        assert!((1.0..1.9).contains(&factor), "{factor}");
        let left = |factor: f64| {
            let error = |(exact, expected): &(f64, f64)| {
                (factor * expected + summand - exact).powi(2) + factor * factor * 100.0
            };
            (values.iter().map(error).sum::<f64>() / 4.0).sqrt()
        };
        assert!((halved.left(100.0) - left(factor)).abs() < 1e-9);
        assert!([0.98, 1.02].iter().all(|other| left(other * factor) > left(factor)));
        let mut both = pairs(&values[..1]);
        both.extend(pairs(&values[1..]));
        assert_eq!(both.line(1.0), halved.line(1.0));
    }

    #[test]
    fn constant_values_are_moved() {
        assert_eq!(pairs(&[(5.0, 2.0), (5.0, 2.0)]).line(1.0), Some((1.0, 3.0)));
        assert_eq!(pairs(&[(5.0, 2.0), (5.0, 2.0)]).line(0.0), None);
        assert_eq!(Pairs::default().line(1.0), None);
    }
}
