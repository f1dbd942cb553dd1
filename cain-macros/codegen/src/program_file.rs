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

/// The filters, and what else there is, beside programs: names, and declarations that could be read.
pub type Beside<'b> = [(&'b str, Option<&'b Item>)];

/// Reads the programs of such a file, which can call the filters beside them, and all mistakes.
#[cfg(feature = "programs")]
#[must_use]
pub fn parse(text: &str, beside: &Beside<'_>) -> (Vec<Item>, Vec<Diagnostic>) {
    // In a macro, the compiler would give all tokens of the text the place of the call.
    proc_macro2::fallback::force();
    let filters: Vec<_> = beside.iter().map(|(name, item)| crate::kinds::vision::callable(name, *item)).collect();
    let read = crate::vision::read(text, &filters);
    let placed = |declared: &crate::vision::Declared| {
        crate::kinds::vision::placed(declared).placed(crate::vision::position).into()
    };
    let parsed = match read {
        Ok(declared) => (declared.iter().map(placed).collect(), Vec::new()),
        Err(problems) => (Vec::new(), problems),
    };
    proc_macro2::fallback::unforce();
    parsed
}

/// Tells that there can be no such files.
#[cfg(not(feature = "programs"))]
#[must_use]
pub fn parse(_: &str, _: &Beside<'_>) -> (Vec<Item>, Vec<Diagnostic>) {
    let place = crate::diagnostic::Position { line: 1, column: 1 };
    (Vec::new(), vec![Diagnostic { place, message: MISSING.to_owned() }])
}

/// What is said where programs are wanted and not possible.
#[cfg(not(feature = "programs"))]
pub(crate) const MISSING: &str =
    "whole programs need the feature `programs` of `cain-runtime` or `cain-build`; add it to your dependency";
