//! Constants that a program can make from levels.

/// A level that is halved so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    pub(super) level: i8,
    pub(super) halvings: u8,
}

/// The most halvings of a level: constants are at most 1/32 DN from what is wanted.
const MOST_HALVINGS: u8 = 4;
/// The values of levels that have a negative as well.
const LEVELS: std::ops::RangeInclusive<f64> = -127.0..=126.0;

impl Constant {
    pub(super) const ZERO: Self = Self { level: 0, halvings: 0 };

    /// The nearest level.
    pub(super) fn whole(value: f64) -> Self {
        Self { level: nearest(value), halvings: 0 }
    }

    /// The value that is nearest to that, with no more halvings than necessary.
    pub(super) fn near(value: f64) -> Self {
        let at = |halvings: u8| (halvings, value * f64::from(1_u16 << halvings));
        let possible = (0..=MOST_HALVINGS).map(at).filter(|(_, scaled)| LEVELS.contains(scaled));
        let error = |(halvings, scaled): &(u8, f64)| (scaled - scaled.round()).abs() / f64::from(1_u16 << halvings);
        let best = possible.min_by(|a, b| error(a).total_cmp(&error(b)));
        best.map_or(Self::whole(value), |(halvings, scaled)| Self { level: nearest(scaled), halvings })
    }

    /// A value from `least` on and below `end`, near their middle and with as few halvings as possible; the nearest to the
    /// middle if there is none.
    pub(super) fn between(least: f64, end: f64) -> Self {
        let within = |halvings: u8| {
            let factor = f64::from(1_u16 << halvings);
            let (first, last) = ((least * factor).ceil(), (end * factor).ceil() - 1.0);
            let place = (f64::midpoint(least, end) * factor).round().clamp(first, last.max(first));
            let fits = first <= last && LEVELS.contains(&place);
            fits.then_some(Self { level: nearest(place), halvings })
        };
        (0..=MOST_HALVINGS).find_map(within).unwrap_or_else(|| Self::near(f64::midpoint(least, end)))
    }

    pub(super) const fn negated(self) -> Self {
        Self { level: self.level.saturating_neg(), ..self }
    }

    pub(super) fn value(self) -> f64 {
        f64::from(self.level) / f64::from(1_u16 << self.halvings)
    }

    /// The nearest constant that takes no halving.
    pub(super) fn without_halvings(self) -> Self {
        Self::whole(self.value())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn nearest(value: f64) -> i8 {
    value.round().clamp(*LEVELS.start(), *LEVELS.end()) as i8
}

#[cfg(test)]
mod tests {
    use super::Constant;

    #[test]
    fn constants_are_as_near_as_halvings_get() {
        let near = |value| {
            let Constant { level, halvings } = Constant::near(value);
            (level, halvings)
        };
        assert_eq!(near(-5.0), (-5, 0));
        assert_eq!(near(0.5), (1, 1));
        assert_eq!(near(-13.25), (-53, 2));
        assert_eq!(near(100.3), (100, 0));
        assert_eq!(near(1000.0), (126, 0));
    }

    #[test]
    fn thresholds_lie_between_values() {
        let between = |least, end| Constant::between(least, end).value();
        assert!((between(-4.0, 8.0) - 2.0).abs() < 1e-9);
        assert!((between(0.0, 1.0) - 0.0).abs() < 1e-9);
        assert!((between(0.25, 0.5) - 0.375).abs() < 1e-9);
    }
}
