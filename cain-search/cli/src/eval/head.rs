//! The layer whose numbers give the class.

use std::path::Path;

use cain_codegen::printable::Printable;
use cain_network::{CompiledNetwork, Operation};

/// The layer whose numbers give the class: the first one that no layer reads.
pub(crate) fn head(file: &Path, compiled: &CompiledNetwork) -> Result<usize, String> {
    let network = compiled.network();
    let shapes = network.shapes().map_err(|error| error.to_string())?;
    let is_number = |&layer: &usize| matches!(shapes.get(layer), Some(cain_network::Shape::Numbers(_)));
    network.heads().into_iter().find(is_number).ok_or_else(|| {
        let file = Printable(file.display());
        format!(
            "{file}: network `{}` has no numbers that tell a class, only lists of pixels; end it with numbers, one for each class",
            network.name
        )
    })
}

/// The class that a head gives.
pub(crate) fn class(operation: Option<&Operation>, numbers: &[f64]) -> usize {
    if matches!(operation, Some(Operation::Argmax)) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the place of a number")]
        return numbers.first().map_or(0, |place| *place as usize);
    }
    let first = (0, f64::NEG_INFINITY);
    let larger = |(best, most), (place, &number)| if number > most { (place, number) } else { (best, most) };
    numbers.iter().enumerate().fold(first, larger).0
}
