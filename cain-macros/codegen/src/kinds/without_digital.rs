//! What is left of filters on bits where they are not compiled: the advice to do so.

pub(crate) mod tree;

use crate::errors::Errors;
use crate::tree::{Bits, InputRegister, Place, Spread};
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
pub(crate) fn super_pixel<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Spread<S>> {
    errors.add(entry.at, MISSING);
    None
}
