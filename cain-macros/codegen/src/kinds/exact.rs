//! What digital filters and those over super-pixels have in common: they compute on bits, exactly.

use super::{Mistake, Part};

/// Fails if an output stays in registers of an input that is kept, for which no two handles can be.
pub(super) fn check_outputs(kept_output: Option<&str>) -> Result<(), Mistake> {
    let Some(name) = kept_output else { return Ok(()) };
    let message = format!("output `{name}` is held in a register of an input that is kept; use that input instead");
    Err(Mistake::new(Part::Whole, message))
}
