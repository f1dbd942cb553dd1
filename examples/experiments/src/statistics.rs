//! Statistics of program lengths.

use crate::sheet::decimal;

/// Statistics of lengths, some of which may be missing because no program was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Statistics {
    pub(crate) found: usize,
    pub(crate) missing: usize,
    /// The mean of those found.
    pub(crate) mean: Option<f64>,
    pub(crate) least: Option<u32>,
    /// The largest of those found.
    pub(crate) most: Option<u32>,
    /// The lower quartile, the median and the upper quartile, where missing lengths count as longer than all others;
    /// `None` where that leaves no figure.
    pub(crate) quartiles: [Option<f64>; 3],
}

impl Statistics {
    /// The titles of [`Self::cells`].
    pub(crate) const TITLES: [&'static str; 8] =
        ["found", "missing", "mean", "least", "quartile1", "median", "quartile3", "most"];

    /// All figures in the order of the titles.
    pub(crate) fn cells(&self) -> [Option<String>; Self::TITLES.len()] {
        let [lower, median, upper] = self.quartiles.map(decimal);
        let count = |count: usize| Some(count.to_string());
        let length = |length: Option<u32>| length.map(|length| length.to_string());
        [
            count(self.found),
            count(self.missing),
            decimal(self.mean),
            length(self.least),
            lower,
            median,
            upper,
            length(self.most),
        ]
    }

    pub(crate) fn of(lengths: impl IntoIterator<Item = Option<u32>>) -> Self {
        let lengths: Vec<_> = lengths.into_iter().collect();
        let mut found: Vec<u32> = lengths.iter().copied().flatten().collect();
        found.sort_unstable();
        Self {
            found: found.len(),
            missing: lengths.len() - found.len(),
            mean: mean(&found),
            least: found.first().copied(),
            most: found.last().copied(),
            quartiles: [1, 2, 3].map(|quarters| quantile(&found, lengths.len(), quarters)),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are never 2^52 samples")]
fn mean(found: &[u32]) -> Option<f64> {
    let sum: f64 = found.iter().copied().map(f64::from).sum();
    (!found.is_empty()).then(|| sum / found.len() as f64)
}

/// Interpolates linearly between the two lengths next to the quantile in the order of all lengths.
fn quantile(found: &[u32], all: usize, quarters: usize) -> Option<f64> {
    let place = quarters * all.checked_sub(1)?;
    let length = |i: usize| found.get(i).copied().map(f64::from);
    let (below, rest) = (length(place / 4)?, place % 4);
    if rest == 0 {
        return Some(below);
    }
    let share = [0.0, 0.25, 0.5, 0.75].get(rest)?;
    Some(below + share * (length(place / 4 + 1)? - below))
}

#[cfg(test)]
mod tests {
    use super::Statistics;

    #[test]
    fn quartiles_are_interpolated() {
        let of = Statistics::of([4, 1, 3, 2, 7].map(Some));
        assert_eq!((of.found, of.missing, of.mean, of.least, of.most), (5, 0, Some(3.4), Some(1), Some(7)));
        assert_eq!(of.quartiles, [Some(2.0), Some(3.0), Some(4.0)]);
        assert_eq!(Statistics::of([1, 2].map(Some)).quartiles, [Some(1.25), Some(1.5), Some(1.75)]);
        assert_eq!(Statistics::of([Some(8)]).quartiles, [Some(8.0); 3]);
    }

    #[test]
    fn what_is_missing_is_longer_than_all_others() {
        let of = Statistics::of([None, Some(5), None, Some(3), Some(4)]);
        assert_eq!((of.found, of.missing, of.mean, of.most), (3, 2, Some(4.0), Some(5)));
        assert_eq!(of.quartiles, [Some(4.0), Some(5.0), None]);
        assert_eq!(Statistics::of([Some(1), None]).quartiles, [None; 3]);
        assert_eq!(Statistics::of([None, None]).quartiles, [None; 3]);
        assert_eq!(Statistics::of([]).mean, None);
    }
}
