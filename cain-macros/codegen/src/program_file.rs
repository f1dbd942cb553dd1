//! Files of whole programs: `NAME.cain`.

use std::ffi::OsStr;
use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::kinds::Item;

/// The ending of their names.
pub const EXTENSION: &str = "cain";

/// Whether a file is one, by its name.
#[must_use]
pub fn is_one(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(EXTENSION))
}

/// Reads the programs of such a file, and all mistakes.
#[cfg(feature = "programs")]
#[must_use]
pub fn parse(text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    match crate::vision::read(text) {
        Ok(declared) => {
            let place = crate::vision::position;
            (
                declared.iter().map(|declared| crate::kinds::vision::placed(declared).placed(place).into()).collect(),
                vec![],
            )
        }
        Err(problems) => (Vec::new(), problems),
    }
}

/// Tells that there can be no such files.
#[cfg(not(feature = "programs"))]
#[must_use]
pub fn parse(_: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let place = crate::diagnostic::Position { line: 1, column: 1 };
    (Vec::new(), vec![Diagnostic { place, message: MISSING.to_owned() }])
}

/// What is said where programs are wanted and not possible.
#[cfg(not(feature = "programs"))]
pub(crate) const MISSING: &str =
    "whole programs need the feature `programs` of `cain-runtime`; add it to your dependency";
