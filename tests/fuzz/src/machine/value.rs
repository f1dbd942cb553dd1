//! The contents of cells.

use std::collections::BTreeMap;

use super::Number;

/// A sum of input pixels: the weight of each by channel and displacement, x to the east and y to the north.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    weights: BTreeMap<(u16, i32, i32), Number>,
    /// The number of constant transfer errors it contains.
    pub(super) error: Option<Number>,
}

impl Value {
    /// The value 0 without an error.
    #[must_use]
    pub fn zero() -> Self {
        Self { weights: BTreeMap::new(), error: Some(Number::ZERO) }
    }

    /// The image of a channel.
    #[must_use]
    pub fn input(channel: u16) -> Self {
        Self { weights: BTreeMap::from([((channel, 0, 0), Number::ONE)]), error: Some(Number::ZERO) }
    }

    /// The non-zero weights.
    pub fn weights(&self) -> impl Iterator<Item = ((u16, i32, i32), Number)> + '_ {
        self.weights.iter().map(|(place, weight)| (*place, *weight))
    }

    /// Adds to the weight of a pixel; `None` if it has too many digits.
    pub fn add(&mut self, place: (u16, i32, i32), weight: Number) -> Option<()> {
        let sum = self.weights.get(&place).copied().unwrap_or(Number::ZERO).plus(weight)?;
        if sum.is_zero() {
            self.weights.remove(&place);
        } else {
            self.weights.insert(place, sum);
        }
        Some(())
    }

    /// Adds a multiple of another value, moved to the east and to the north.
    pub(super) fn add_moved(&mut self, other: &Self, factor: Number, (x, y): (i32, i32)) -> Option<()> {
        for ((channel, east, north), weight) in other.weights() {
            self.add((channel, east + x, north + y), weight.times(factor)?)?;
        }
        self.error = self.error.zip(other.error).and_then(|(sum, error)| sum.plus(error.times(factor)?));
        Some(())
    }

    /// The value as seen from a PE at a distance to the east and to the north.
    pub(super) fn seen_from(&self, (x, y): (i32, i32)) -> Self {
        let weights = self.weights().map(|((channel, east, north), weight)| ((channel, east - x, north - y), weight));
        Self { weights: weights.collect(), error: self.error }
    }

    /// The largest magnitude that it can have, relative to that of a pixel, for pixels from 0 up to the first of these
    /// numbers and down to minus the second.
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

    /// Whether both are the same sum of pixels, apart from their errors.
    #[must_use]
    pub fn computes(&self, other: &Self) -> bool {
        self.weights == other.weights
    }

    /// The number of constant transfer errors it contains; `None` if that has too many digits.
    #[must_use]
    pub fn error(&self) -> Option<Number> {
        self.error
    }
}
