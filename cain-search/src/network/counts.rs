//! Which numbers on the controller are whole.

use super::declaration::{Network, Operation, Source};

impl Network {
    /// Whether a layer is a read-out of whole numbers: sums of bits that stand for whole numbers.
    #[must_use]
    pub fn is_counted(&self, layer: usize) -> bool {
        let Some(layer) = self.layers.get(layer) else { return false };
        let is_sum = matches!(layer.operation, Operation::Windows { mean: false, .. } | Operation::Plane);
        let [Source::Layer(source)] = *layer.from.as_slice() else { return false };
        let bits = self.bits().ok().and_then(|bits| bits.into_iter().nth(source).flatten());
        let is_whole = |&(below, above): &(f64, f64)| below.fract() == 0.0 && above.fract() == 0.0;
        is_sum && bits.is_some_and(|levels| levels.iter().all(is_whole))
    }
}
