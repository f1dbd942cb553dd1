//! What a cell holds.

use std::collections::BTreeMap;

use super::Number;

/// A sum of input pixels: the weight of each by channel and displacement, x to the east and y to the north.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    weights: BTreeMap<(u16, i32, i32), Number>,
    /// How often it holds the constant error of a transfer.
    pub(super) error: Option<Number>,
}

impl Value {
    /// Nothing, and no error.
    #[must_use]
    pub fn zero() -> Self {
        Self { weights: BTreeMap::new(), error: Some(Number::ZERO) }
    }

    /// The image of a channel.
    #[must_use]
    pub fn input(channel: u16) -> Self {
        Self { weights: BTreeMap::from([((channel, 0, 0), Number::ONE)]), error: Some(Number::ZERO) }
    }

    /// The weights that are not zero.
    pub fn weights(&self) -> impl Iterator<Item = ((u16, i32, i32), Number)> + '_ {
        self.weights.iter().map(|(place, weight)| (*place, *weight))
    }

    /// Adds to the weight of a pixel; none if it has too many digits.
    pub fn add(&mut self, place: (u16, i32, i32), weight: Number) -> Option<()> {
        let sum = self.weights.get(&place).copied().unwrap_or(Number::ZERO).plus(weight)?;
        if sum.is_zero() {
            self.weights.remove(&place);
        } else {
            self.weights.insert(place, sum);
        }
        Some(())
    }

    /// Adds a multiple of another value, which is that much to the east and to the north.
    pub(super) fn add_moved(&mut self, other: &Self, factor: Number, (x, y): (i32, i32)) -> Option<()> {
        for ((channel, east, north), weight) in other.weights() {
            self.add((channel, east + x, north + y), weight.times(factor)?)?;
        }
        self.error = self.error.zip(other.error).and_then(|(sum, error)| sum.plus(error.times(factor)?));
        Some(())
    }

    /// The same, seen from a PE so far to the east and to the north.
    pub(super) fn seen_from(&self, (x, y): (i32, i32)) -> Self {
        let weights = self.weights().map(|((channel, east, north), weight)| ((channel, east - x, north - y), weight));
        Self { weights: weights.collect(), error: self.error }
    }

    /// The largest magnitude that it can have, relative to the largest magnitude of a pixel, for pixels that go from 0 up to
    /// the first of these numbers and down to minus the second.
    #[must_use]
    pub fn gain_for(&self, (up, down): (i128, i128)) -> Option<Number> {
        let (mut high, mut low) = (Number::ZERO, Number::ZERO);
        for (_, weight) in self.weights() {
            let is_positive = weight.compare(Number::ZERO)?.is_gt();
            let (above, below) = if is_positive { (up, down) } else { (down, up) };
            high = high.plus(weight.magnitude().times(Number::new(above, 1))?)?;
            low = low.plus(weight.magnitude().times(Number::new(below, 1))?)?;
        }
        let most = if high.compare(low)?.is_gt() { high } else { low };
        most.times(Number::new(1, up.max(down)))
    }

    /// Whether both are the same sum of pixels, whatever their errors are.
    #[must_use]
    pub fn computes(&self, other: &Self) -> bool {
        self.weights == other.weights
    }

    /// How often it holds the constant error of a transfer; none if that has too many digits.
    #[must_use]
    pub fn error(&self) -> Option<Number> {
        self.error
    }
}
