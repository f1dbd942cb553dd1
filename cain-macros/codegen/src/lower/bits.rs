//! How a filter says that it computes on bits, and complaints where one that does not has what only those have.

use crate::errors::Errors;
use crate::tree::{Body, Place, SearchOptions};

/// The name of the instruction set of digital filters.
pub(crate) const DIGITAL: &str = "digital";
/// The name of the instruction set of filters over super-pixels.
pub(crate) const SUPER_PIXELS: &str = "superpixel";

/// The place that says so if a filter is for that instruction set.
pub(crate) fn place<S: Place>(search: &SearchOptions<S>, isa: &str) -> Option<S> {
    search.isa.as_ref().filter(|found| found.value == isa).map(|found| found.at)
}

/// Reports an order of bits in a filter of another kind.
pub(crate) fn refuse_order<S: Place>(body: &Body<S>, errors: &mut Errors<S>) {
    if let Some(super_pixel) = &body.super_pixel {
        let message = format!("only filters over super-pixels have `superpixel`; add {}", S::ON_SUPER_PIXELS);
        errors.add(super_pixel.at, message);
    }
}

/// Reports expressions in a filter of another kind.
pub(crate) fn refuse_expressions<S: Place>(body: &Body<S>, errors: &mut Errors<S>) {
    for expression in body.sums.iter().filter_map(|sum| sum.logic.as_ref()) {
        let message = format!("only digital filters take expressions of bits; add {}", S::DIGITAL);
        errors.add(expression.at, message);
    }
}
