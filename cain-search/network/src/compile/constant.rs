//! Constants that a program can make from levels.

/// A sum of two levels, each halved: (`fine` / 2^`between` + `level`) / 2^`halvings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    pub(super) fine: i8,
    pub(super) between: u8,
    pub(super) level: i8,
    pub(super) halvings: u8,
}

/// The most halvings after the last level, and between the levels.
const MOST_HALVINGS: u8 = 6;
/// The levels whose negatives are levels too.
const LEVELS: std::ops::RangeInclusive<f64> = -127.0..=126.0;

impl Constant {
    pub(super) const ZERO: Self = Self { fine: 0, between: 0, level: 0, halvings: 0 };

    /// The nearest level.
    pub(super) fn whole(value: f64) -> Self {
        Self { level: nearest(value), ..Self::ZERO }
    }

    /// A constant that is at most `tolerance` away from the value, or as near as possible, with the fewest words.
    pub(super) fn near(value: f64, tolerance: f64) -> Self {
        let far = |constant: &Self| (constant.value() - value).abs();
        let mut all: Vec<Self> = Self::candidates(value).collect();
        all.sort_by_key(|constant| constant.words());
        let enough = all.iter().find(|constant| far(constant) <= tolerance).copied();
        enough.or_else(|| all.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)))).unwrap_or(Self::whole(value))
    }

    /// The nearest constants for all numbers of halvings.
    fn candidates(value: f64) -> impl Iterator<Item = Self> {
        let of = move |halvings: u8| {
            let scaled = value * power(halvings);
            let coarse = Self { level: nearest(scaled), halvings, ..Self::ZERO };
            let rest = scaled - f64::from(coarse.level);
            let fine = move |between: u8| Self { fine: nearest(rest * power(between)), between, ..coarse };
            let with_fine = (1..=MOST_HALVINGS).map(fine).filter(|constant| constant.fine != 0);
            LEVELS.contains(&scaled).then(|| std::iter::once(coarse).chain(with_fine)).into_iter().flatten()
        };
        (0..=MOST_HALVINGS).flat_map(of)
    }

    /// The number of words that make the constant in a register.
    const fn words(self) -> u8 {
        let fine = if self.fine == 0 { 0 } else { 2 + 2 * self.between };
        2 + 2 * self.halvings + fine
    }

    /// A constant from `least` on and below `end`, near their middle and with the fewest halvings; if there is none,
    /// the one nearest to the middle.
    pub(super) fn between(least: f64, end: f64) -> Self {
        let within = |halvings: u8| {
            let factor = power(halvings);
            let (first, last) = ((least * factor).ceil(), (end * factor).ceil() - 1.0);
            let place = (f64::midpoint(least, end) * factor).round().clamp(first, last.max(first));
            let fits = first <= last && LEVELS.contains(&place);
            fits.then_some(Self { level: nearest(place), halvings, ..Self::ZERO })
        };
        let middle = f64::midpoint(least, end);
        (0..=MOST_HALVINGS).find_map(within).unwrap_or_else(|| Self::near(middle, (end - least) / 4.0))
    }

    pub(super) fn value(self) -> f64 {
        (f64::from(self.fine) / power(self.between) + f64::from(self.level)) / power(self.halvings)
    }

    /// The number of binary digits after the point.
    pub(super) const fn digits(self) -> u8 {
        if self.fine == 0 { self.halvings } else { self.halvings + self.between }
    }

    /// Whether it is a level.
    pub(super) const fn is_whole(self) -> bool {
        self.fine == 0 && self.halvings == 0
    }

    /// The nearest constant that is a level.
    pub(super) fn to_whole(self) -> Self {
        Self::whole(self.value())
    }
}

fn power(halvings: u8) -> f64 {
    2.0_f64.powi(halvings.into())
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn nearest(value: f64) -> i8 {
    value.round().clamp(*LEVELS.start(), *LEVELS.end()) as i8
}

#[cfg(test)]
mod tests {
    use super::Constant;

    #[test]
    fn constants_take_as_few_words_as_they_can() {
        let whole = |level| Constant { level, ..Constant::ZERO };
        assert_eq!(Constant::near(-5.0, 0.0), whole(-5));
        assert_eq!(Constant::near(0.5, 0.0), Constant { halvings: 1, ..whole(1) });
        assert_eq!(Constant::near(-13.25, 0.0), Constant { halvings: 2, ..whole(-53) });
        assert_eq!(Constant::near(-13.25, 0.3), whole(-13));
        // No level exceeds 127, so two are needed.
        assert_eq!(Constant::near(100.25, 0.0), Constant { fine: 1, between: 2, ..whole(100) });
        assert_eq!(Constant::near(1000.0, 0.0), whole(126));
        // Multiples of 1/64 remain if the first level is not halved.
        for value in [3.7, -4.21, 0.017, -99.99] {
            assert!((Constant::near(value, 0.0).value() - value).abs() <= 1.0 / 128.0, "{value}");
        }
    }

    #[test]
    fn thresholds_lie_between_values() {
        let between = |least, end| Constant::between(least, end).value();
        assert!((between(-4.0, 8.0) - 2.0).abs() < 1e-9);
        assert!((between(0.0, 1.0) - 0.0).abs() < 1e-9);
        // This takes two halvings; the middle would take three.
        assert!((between(0.25, 0.5) - 0.25).abs() < 1e-9);
    }
}
