//! What is left of filters on bits where they are not compiled: the advice to do so.

mod tree;

pub(crate) use tree::{Bits, SuperPixel};

use crate::errors::Errors;
use crate::tree::{InputRegister, Place};
use crate::value::Entry;

/// What to do about a filter on bits.
pub(crate) const MISSING: &str = "filters on bits need the feature `digital` of `cain-runtime` or `cain-build`; add it to \
                                  your dependency";

/// Refuses `bits`.
pub(crate) fn bits<S: Place>(
    entry: &Entry<'_, S>,
    _inputs: &[InputRegister<S>],
    errors: &mut Errors<S>,
) -> Option<Bits<S>> {
    errors.add(entry.at, MISSING);
    None
}

/// Refuses `superpixel`.
pub(crate) fn super_pixel<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<SuperPixel<S>> {
    errors.add(entry.at, MISSING);
    None
}
