//! What is left of filters on bits where they are not compiled: the advice to do so.

pub(crate) mod tree;

use crate::errors::Errors;
use crate::tree::{Bits, InputRegister, Place, Spread};
use crate::value::Entry;

/// What to do about a filter on bits.
pub(crate) const MISSING: &str = "filters on bits need the feature `digital` of `cain-runtime` or `cain-build`; add it to \
                                  your dependency";

/// `bits`, which is refused together with what else the filter says of bits.
#[allow(clippy::unnecessary_wraps, reason = "the function with the feature may fail")]
pub(crate) fn bits<S: Place>(
    entry: &Entry<'_, S>,
    _inputs: &[InputRegister<S>],
    _errors: &mut Errors<S>,
) -> Option<Bits<S>> {
    Some(Bits { at: entry.at })
}

/// `superpixel`, likewise.
#[allow(clippy::unnecessary_wraps, reason = "the function with the feature may fail")]
pub(crate) fn super_pixel<S: Place>(entry: &Entry<'_, S>, _errors: &mut Errors<S>) -> Option<Spread<S>> {
    Some(Spread { at: entry.at })
}
