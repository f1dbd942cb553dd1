//! Scales of plots.

use std::iter;
use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;

/// A linear scale with its ticks.
#[derive(Clone)]
pub(crate) struct Scale {
    range: Range<f64>,
    ticks: Vec<Tick>,
}

/// A labelled place on a scale.
#[derive(Clone)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) text: String,
}

impl Scale {
    /// A scale from slightly before the first to slightly after the last of these ticks, which are in ascending order.
    pub(crate) fn around(ticks: Vec<Tick>) -> Self {
        let end = |tick: Option<&Tick>| tick.map_or(0.0, |tick| tick.at);
        let (first, last) = (end(ticks.first()), end(ticks.last()));
        let space = if last > first { 0.06 * (last - first) } else { 1.0 };
        Self { range: first - space..last + space, ticks }
    }

    /// A scale with a tick for each of 1, 2, .. up to a number.
    pub(crate) fn counting(most: u8) -> Self {
        Self::around((1..=most).map(|number| Tick { at: number.into(), text: number.to_string() }).collect())
    }

    /// A scale with round ticks for these lengths, from 0 on unless the lengths lie close together.
    pub(crate) fn of_lengths(lengths: impl Iterator<Item = f64> + Clone) -> Self {
        let most = lengths.clone().fold(1.0, f64::max);
        let least = lengths.fold(most, f64::min);
        let lowest = if least > most / 2.0 { least } else { 0.0 };
        let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        let step = steps.into_iter().find(|step| (most - lowest) / step <= 9.0).unwrap_or(200.0);
        let first = ((lowest / step).ceil() - 1.0).max(0.0) * step;
        let last = ((most / step).floor() + 1.0) * step;
        let places = iter::successors(Some(first), |tick| Some(tick + step)).take_while(|tick| *tick <= last);
        Self { range: first..last, ticks: places.map(|at| Tick { at, text: format!("{at:.0}") }).collect() }
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.range.clone()).map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    /// The text of the tick at a value.
    fn format_ext(&self, value: &f64) -> String {
        let nearest = self.ticks.iter().min_by(|a, b| (a.at - value).abs().total_cmp(&(b.at - value).abs()));
        nearest.map(|tick| tick.text.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;
    use plotters::coord::ranged1d::{Ranged as _, ValueFormatter as _};
    use std::iter;

    fn texts(scale: &Scale) -> Vec<String> {
        scale.key_points(5).iter().map(|at| scale.format_ext(at)).collect()
    }

    #[test]
    fn lengths_get_round_ticks() {
        let of = |least: f64, most: f64| texts(&Scale::of_lengths([least, most].into_iter()));
        assert_eq!(of(9.5, 13.2), ["9", "10", "11", "12", "13", "14"]);
        assert_eq!(of(110.0, 600.0), ["0", "100", "200", "300", "400", "500", "600", "700"]);
        assert_eq!(of(9.0, 63.6), ["0", "10", "20", "30", "40", "50", "60", "70"]);
        assert_eq!(of(1e4, 1e4), ["9999", "10000", "10001"]);
        assert_eq!(texts(&Scale::of_lengths(iter::empty())), ["0", "1", "2"]);
    }

    #[test]
    fn ticks_lie_within() {
        let scale = Scale::counting(4);
        assert_eq!(texts(&scale), ["1", "2", "3", "4"]);
        assert!(scale.key_points(5).iter().all(|at| scale.range().contains(at)));
        assert!(Scale::counting(1).range().contains(&1.0));
    }
}
