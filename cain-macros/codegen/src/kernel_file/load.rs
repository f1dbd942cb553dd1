//! Kernel files on disk.

use std::path::Path;

use cain_isa::{ErrorModel, Machine};

use super::Filter;
use super::load_error::{Cause, LoadError, read_text};
use super::parse::{parse, parse_file, parse_machine};
use crate::diagnostic::Diagnostic;
use crate::kinds::Item;
use crate::tree::Overrides;

/// Reads the kernel file at a path.
pub fn load(path: &Path) -> Result<Vec<Filter>, LoadError> {
    read_with(path, parse)
}

/// Like [`load`], for filters of all kinds, networks and automata, and with options that override those in the file.
pub fn load_any(path: &Path, overrides: Overrides) -> Result<Vec<Item>, LoadError> {
    load_in(path, true, overrides)
}

/// Like [`load_any`], but without networks and automata, which are not even read.
pub fn load_filters(path: &Path, overrides: Overrides) -> Result<Vec<Item>, LoadError> {
    load_in(path, false, overrides)
}

fn load_in(path: &Path, is_everything: bool, overrides: Overrides) -> Result<Vec<Item>, LoadError> {
    read_with(path, |text| {
        let (items, problems) = parse_file(path, text, is_everything, overrides);
        if problems.is_empty() { Ok(items) } else { Err(problems) }
    })
}

/// Reads the machine that the kernel file at a path describes, and the errors of its arithmetic. The file need not have
/// filters.
pub fn load_machine(path: &Path) -> Result<(Machine, ErrorModel), LoadError> {
    read_with(path, parse_machine)
}

/// Reads the text of a file, with the file in what is told of mistakes.
fn read_with<T>(path: &Path, parse: impl FnOnce(&str) -> Result<T, Vec<Diagnostic>>) -> Result<T, LoadError> {
    let error = |cause| LoadError::new(path, cause);
    let text = read_text(path).map_err(error)?;
    parse(&text).map_err(|problems| error(Cause::Problems(problems)))
}
