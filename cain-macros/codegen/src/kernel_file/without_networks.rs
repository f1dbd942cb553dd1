//! What is left of networks, automata and programs where they are not compiled: the advice to do so.

use std::path::Path;

use super::document::{Document, OTHERS};
use super::mark::Mark;
use crate::errors::Errors;
use crate::kinds::Item;
use crate::lower::machine::Described;
use crate::program_file;

/// Reports what a document declares beside its filters.
pub(super) fn all(
    _text: &str,
    document: &Document,
    _machine: Described,
    _folder: &Path,
    errors: &mut Errors<Mark>,
) -> Vec<Item> {
    for entry in OTHERS.iter().filter_map(|table| document.table(table)) {
        let message = "networks and automata need the feature `networks` of `cain-runtime` or `cain-build`; add it to your \
                       dependency";
        errors.add(entry.at, message);
    }
    if let Some(program) = document.program() {
        errors.add(program.at, program_file::MISSING);
    }
    Vec::new()
}
