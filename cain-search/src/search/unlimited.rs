//! Searching for programs of any length.

use std::ops::ControlFlow;

use cain_isa::Progress;

use super::exactly::search_exactly;
use super::{interruptible, nearby};
use crate::{Declaration, SearchError, Solution};

/// The search for a valid declaration, whatever the limit on the length.
pub(super) fn search(
    declaration: &Declaration,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    match declaration.options.approximate {
        Some(allowed) => nearby::search_nearby(declaration, allowed, watch),
        None if declaration.options.interruption.is_some() => interruptible::search(declaration, watch),
        None => search_exactly(declaration, watch),
    }
}
