//! Finds the numbers on the controller that are integers.

use super::declaration::{Layer, Network, Operation, Source};

impl Network {
    /// Whether a layer is a read-out of integers: sums of bits that stand for integers, or of numbers in bits.
    #[must_use]
    pub fn is_counted(&self, layer: usize) -> bool {
        let Some(layer) = self.layers.get(layer) else { return false };
        let is_sum = matches!(layer.operation, Operation::Windows { mean: false, .. } | Operation::Plane);
        let [Source::Layer(source)] = *layer.from.as_slice() else { return false };
        if self.lists_events(source) {
            return is_sum;
        }
        let bits = self.bits().ok().and_then(|bits| bits.into_iter().nth(source).flatten());
        if self.exact().get(source).is_some_and(Option::is_some) {
            return is_sum;
        }
        let is_whole = |&(below, above): &(f64, f64)| below.fract() == 0.0 && above.fract() == 0.0;
        is_sum && bits.is_some_and(|levels| levels.iter().all(is_whole))
    }

    /// Whether a layer makes lists of pixels.
    #[must_use]
    pub fn lists_events(&self, layer: usize) -> bool {
        self.layers.get(layer).is_some_and(|layer| matches!(layer.operation, Operation::Events { .. }))
    }

    /// Whether a layer is read out of the array, rather than computed from numbers that were.
    #[must_use]
    pub fn is_read_out(&self, layer: usize) -> bool {
        let Some(Layer { from, operation, .. }) = self.layers.get(layer) else { return false };
        let of_events = from.iter().any(|source| matches!(source, Source::Layer(source) if self.lists_events(*source)));
        match operation {
            Operation::Windows { .. } => !of_events,
            Operation::Plane | Operation::Events { .. } => true,
            _ => false,
        }
    }
}
