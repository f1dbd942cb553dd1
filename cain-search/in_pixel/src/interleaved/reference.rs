//! Computes a network of two convolutions in integers.

use super::Geometry;
use crate::{Declaration, Second};

/// Maps of numbers on a square grid, one after the other, row by row.
struct Maps {
    side: usize,
    values: Vec<i32>,
}

impl Maps {
    /// A value; 0 outside of the grid.
    fn at(&self, map: usize, row: usize, column: usize) -> i32 {
        if row < self.side && column < self.side {
            self.values[(map * self.side + row) * self.side + column]
        } else {
            0
        }
    }

    /// `count` maps on a grid; `value` gives each value from its map, row and column.
    fn new(count: usize, side: usize, value: impl Fn(usize, usize, usize) -> i32) -> Self {
        let places = (0..count).flat_map(|map| (0..side * side).map(move |place| (map, place)));
        Self { side, values: places.map(|(map, place)| value(map, place / side, place % side)).collect() }
    }

    /// The sum of a filter's weights times the values from a place to the east and to the south.
    fn sum(&self, map: usize, filter: &[i8], taps: usize, row: usize, column: usize) -> i32 {
        let terms = filter.iter().enumerate();
        terms.map(|(tap, weight)| i32::from(*weight) * self.at(map, row + tap / taps, column + tap % taps)).sum()
    }
}

/// The number of thresholds that a sum reaches.
fn reached(sum: i32, thresholds: &[u8]) -> i32 {
    thresholds.iter().map(|threshold| i32::from(sum >= i32::from(*threshold))).sum()
}

/// The results of the second convolution, map by map, row by row.
pub(crate) fn features(network: &Declaration, second: &Second, pixels: &[u8]) -> Vec<u32> {
    let geometry = Geometry::of(network, second);
    let (side, picture, margin) = (network.side / network.scale, network.picture, network.margin() / network.scale);
    let pixel = |row: usize, column: usize| {
        let (row, column) = (row.checked_sub(margin)?, column.checked_sub(margin)?);
        (row < picture && column < picture).then_some(*pixels.get(row * picture + column)?)
    };
    let seen = Maps::new(1, side, |_, row, column| network.pixels.seen(pixel(row, column).unwrap_or(0), false).into());
    let [first, last] = &second.thresholds;
    let found = Maps::new(network.filters.len(), side, |filter, row, column| {
        reached(seen.sum(0, &network.filters[filter], network.taps, row, column), first)
    });
    let pool = network.pool;
    let maxima = Maps::new(network.filters.len(), geometry.places(), |map, row, column| {
        let window =
            (0..pool * pool).map(|place| found.at(map, row * pool + place / pool, column * pool + place % pool));
        window.max().unwrap_or(0)
    });
    let maps = geometry.groups() * geometry.groups();
    let made = Maps::new(maps, geometry.places(), |map, row, column| {
        let filters = second.filters[map * network.filters.len()..].iter().take(network.filters.len());
        let sums = filters.enumerate().map(|(from, filter)| maxima.sum(from, filter, second.taps, row, column));
        reached(sums.sum(), last)
    });
    made.values.into_iter().map(|value| u32::try_from(value).unwrap_or(0)).collect()
}
