//! Options of filters on analogue registers.

use crate::errors::Errors;
use crate::tree::{Approximate, Place};
use crate::value::{Entry, number, whole};

/// Reads how far weights may be moved.
pub(crate) fn approximate<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Approximate<S>> {
    const NAME: &str = "approximate";
    let expected = S::NOTATION.expected_options("depth = 5, error = 0.05");
    let fields = entry.table(&expected, &["depth", "error", "search"], errors)?;
    let search = match fields.get("search") {
        Some(search) => search.flag(errors)?,
        None => false,
    };
    let flag = S::NOTATION.flag("search");
    let message = match (fields.get("depth"), fields.get("error"), search) {
        (depth, Some(error), true) | (depth @ Some(_), Some(error), false) => {
            let depth = depth.map(|depth| whole(&depth, errors));
            let error = number(&error, errors);
            return Some(Approximate {
                depth: depth.map_or(Some(None), |depth| depth.map(Some))?,
                error: error?,
                search,
            });
        }
        (_, None, true) => {
            let example = S::NOTATION.named_options(NAME, &format!("error = 0.05, {flag}"));
            format!("takes an `error`, as in `{example}`")
        }
        (_, _, false) => {
            let example = S::NOTATION.named_options(NAME, "depth = 5, error = 0.05");
            format!("takes both `depth` and `error`, as in `{example}`, or `error` and `{flag}`")
        }
    };
    entry.wrong(message, errors);
    None
}
