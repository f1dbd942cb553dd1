//! What was known before a search.

use crate::{Declaration, SearchError, Solution, compare};

/// The program of a search, or that of the book if it is as good.
pub(super) fn better_of(
    declaration: &Declaration,
    found: Result<Solution, SearchError>,
    known: Option<Solution>,
) -> Result<Solution, SearchError> {
    let is_better = |found: &Solution, known: &Solution| {
        compare(declaration, found.program.listing(), known.program.listing()).is_lt()
    };
    match (found, known) {
        (Ok(found), Some(known)) if is_better(&found, &known) => Ok(found),
        (_, Some(known)) => Ok(known),
        (found, None) => found,
    }
}
