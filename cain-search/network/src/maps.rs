//! Maps of numbers.

use super::declaration::Window;
use super::geometry::Reach;

/// Maps of the same size.
#[derive(Clone, Debug, PartialEq)]
pub struct Maps {
    pub(super) channels: usize,
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) values: Vec<f64>,
}

impl Maps {
    pub(super) fn new((channels, height, width): (usize, usize, usize)) -> Self {
        Self { channels, height, width, values: Vec::with_capacity(channels * height * width) }
    }

    /// The number of maps.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// A value, if the place is within the maps.
    #[must_use]
    pub fn at(&self, channel: usize, row: isize, column: isize) -> Option<f64> {
        let row = usize::try_from(row).ok().filter(|row| *row < self.height)?;
        let column = usize::try_from(column).ok().filter(|column| *column < self.width)?;
        self.values.get((channel * self.height + row) * self.width + column).copied()
    }

    /// The values of a channel, row by row.
    #[must_use]
    pub fn channel(&self, channel: usize) -> &[f64] {
        let area = self.height * self.width;
        &self.values[channel * area..(channel + 1) * area]
    }

    /// Maps with other values, which depend on the channel and the value.
    pub(super) fn map(&self, of: impl Fn(usize, f64) -> f64) -> Self {
        let area = self.height * self.width;
        let values = self.values.iter().enumerate().map(|(i, &value)| of(i / area, value)).collect();
        Self { values, ..*self }
    }

    /// The values that an output reads in one channel; `None` in the padding.
    pub(super) fn read(
        &self,
        reach: &Reach,
        channel: usize,
        row: usize,
        column: usize,
    ) -> impl Iterator<Item = Option<f64>> {
        reach.pixels(row, column).map(move |(y, x)| self.at(channel, y, x))
    }

    pub(super) fn window(&self, channel: usize, window: &Window, mean: bool) -> f64 {
        let rows = window.top..window.top + window.height;
        let row = |row: usize| {
            let start = (channel * self.height + row) * self.width + window.left;
            &self.values[start..start + window.width]
        };
        let sum: f64 = rows.flat_map(row).sum();
        if mean { sum / number(window.area()) } else { sum }
    }
}

/// Converts a count to a number; all counts here are far below 2^53.
#[allow(clippy::cast_precision_loss)]
pub(super) const fn number(count: usize) -> f64 {
    count as f64
}
