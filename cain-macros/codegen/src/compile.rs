//! From a declaration to a proved program.

use cain_search::{Declaration, SearchError, Solution, search, verify};

use crate::errors::Errors;
use crate::filter::{Body, Header};

/// Searches, and proves what was found: no other program leaves this crate.
pub(crate) fn compile(declaration: &Declaration) -> Result<Solution, SearchError> {
    let solution = search(declaration)?;
    let report = verify(declaration, &solution.listing)?;
    Ok(Solution { report, ..solution })
}

/// Puts an error on the option that it is about, otherwise on the kernel's name.
pub(crate) fn blame<S: Copy>(error: &SearchError, header: &Header<S>, body: &Body<S>, errors: &mut Errors<S>) {
    let option = match error {
        SearchError::Budget { .. } => body.search.nodes.as_ref().map(|nodes| nodes.at),
        _ => None,
    };
    errors.add(option.unwrap_or(header.name.at), error);
}
