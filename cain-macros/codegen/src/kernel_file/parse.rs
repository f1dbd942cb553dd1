//! From the text of a kernel file to what it declares.

use std::path::Path;

use cain_isa::{ErrorModel, Machine};

use super::document::Document;
use super::mark::{Mark, diagnostics};
use super::{Filter, kernels};
use crate::diagnostic::Diagnostic;
use crate::errors::Errors;
use crate::kinds::Item;
use crate::lower::machine::Described;
use crate::names;
#[cfg(feature = "networks")]
use crate::program_file::KernelFile;
use crate::program_file::{self, Around};
use crate::text_file::folder_of;
use crate::tree::Overrides;

/// Reads a kernel file: its filters, or all mistakes, in the order of the file.
pub fn parse(text: &str) -> Result<Vec<Filter>, Vec<Diagnostic>> {
    parse_for(text, Overrides::default())
}

/// Like [`parse`], but with options that override those in the file. They determine which weights and gains are allowed.
pub fn parse_for(text: &str, overrides: Overrides) -> Result<Vec<Filter>, Vec<Diagnostic>> {
    let (items, mut problems) = parse_recoverable(text, None, overrides);
    let mut filters = Vec::new();
    for item in items {
        match item.kernel() {
            Some(filter) => filters.push(filter.clone()),
            None => problems.push(item.diagnostic(
                "expected a filter on analogue registers; others are taken by `cain compile`, `cain show`, `cain pin`, \
                 `cain generate` and builds only",
            )),
        }
    }
    problems.sort_by_key(|problem| problem.place);
    if problems.is_empty() { Ok(filters) } else { Err(problems) }
}

/// Reads as much of a kernel file as possible, and all mistakes; with its path not only its filters, with files beside it.
fn parse_recoverable(text: &str, path: Option<&Path>, overrides: Overrides) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut errors = Errors::default();
    let items = read(text, overrides, path, &mut errors);
    let mut problems = diagnostics(text, errors);
    problems.extend(kernels::same_names(&items));
    problems.sort_by_key(|problem| problem.place);
    (items, problems)
}

/// Reads as much as possible of a file whose name tells whether it is a kernel file or has whole programs, and all mistakes; only
/// its filters unless everything is wanted.
pub(crate) fn parse_file(
    path: &Path,
    text: &str,
    is_everything: bool,
    overrides: Overrides,
) -> (Vec<Item>, Vec<Diagnostic>) {
    match (program_file::is_one(path), is_everything) {
        (false, _) => parse_recoverable(text, Some(path).filter(|_| is_everything), overrides),
        (true, false) => (Vec::new(), Vec::new()),
        (true, true) => program_file::parse(text, Around { folder: folder_of(path), kernel_file: None }),
    }
}

/// Like [`parse_for`], for whatever a text declares, whether it is that of a kernel file or of a file of programs. Files beside it
/// are looked for in the current folder.
pub fn parse_any(text: &str, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    if has_programs(text) && !is_with_programs(text) {
        let (items, problems) = program_file::parse(text, Around { folder: Path::new(""), kernel_file: None });
        return if problems.is_empty() { Ok(items) } else { Err(problems) };
    }
    parse_in(text, Some(Path::new("")), overrides)
}

/// Like [`parse_any`], but without networks and automata, which are not even read.
pub fn parse_filters(text: &str, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    parse_in(text, None, overrides)
}

/// Whether a text declares whole programs, or is a kernel file that names a file that does.
#[must_use]
pub fn has_programs(text: &str) -> bool {
    let begins = |line: &str| {
        let (before, name) = line.split_once("program ")?;
        let is_visible = before.trim().is_empty() || before.trim_start().starts_with("pub");
        Some(is_visible && name.trim_start().starts_with(|first: char| first == '_' || first.is_alphabetic()))
    };
    text.lines().any(|line| begins(line).unwrap_or_default()) || is_with_programs(text)
}

/// Whether a text is that of a kernel file with programs; one that cannot be read is if it has such a key.
fn is_with_programs(text: &str) -> bool {
    let is_key = |line: &str| {
        let behind = line.trim_start().strip_prefix("program");
        behind.is_some_and(|behind| behind.trim_start().starts_with('='))
    };
    let document = Document::parse(text, &mut Errors::default());
    document.map_or_else(|| text.lines().any(is_key), |document| document.program().is_some())
}

/// Reads filters of all kinds, and with the path of the file also what else is declared, with files beside it.
fn parse_in(text: &str, path: Option<&Path>, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    let (items, problems) = parse_recoverable(text, path, overrides);
    if problems.is_empty() { Ok(items) } else { Err(problems) }
}

/// The machine that a kernel file describes and the errors of its arithmetic, those of SCAMP-5 by default. The filters are
/// not checked.
pub fn parse_machine(text: &str) -> Result<(Machine, ErrorModel), Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let document = Document::parse(text, &mut errors);
    let described = document.map_or(Described::SCAMP5, |document| document.described(&mut errors));
    if errors.is_empty() { Ok((described.machine, described.errors)) } else { Err(diagnostics(text, errors)) }
}

/// The filter, or what else these are, of that name, or a message that there is none.
pub fn find<'f, F>(what: &str, all: &'f [F], name: &str, name_of: impl Fn(&F) -> &str) -> Result<&'f F, String> {
    all.iter().find(|known| name_of(known) == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(name_of).collect();
        names::unknown(what, name, &known)
    })
}

/// What can become functions: filters whose header is right, and with the path of the file what else is declared, with files
/// beside it.
fn read(text: &str, overrides: Overrides, path: Option<&Path>, errors: &mut Errors<Mark>) -> Vec<Item> {
    let Some(document) = Document::parse(text, errors) else { return Vec::new() };
    let folder = path.map(folder_of);
    let items = kernels::all(text, &document, overrides, folder, errors);
    #[cfg(feature = "networks")]
    if let (Some(path), Some(entry)) = (path, document.program()) {
        // Mistakes in its description have been reported.
        let machine = document.described(&mut Errors::default());
        let beside = &beside(&document, &items);
        let around = Around { folder: folder_of(path), kernel_file: Some(KernelFile { path, machine, beside }) };
        let programs = super::programs::all(text, &entry, around, errors);
        return items.into_iter().chain(programs).collect();
    }
    items
}

/// Everything that programs have beside them: what could be read, and the names of what could not.
#[cfg(feature = "networks")]
fn beside<'b>(document: &'b Document, items: &'b [Item]) -> Vec<(&'b str, Option<&'b Item>)> {
    let read = items.iter().map(|item| (item.name(), Some(item)));
    let unread = document.names().into_iter().filter(|name| items.iter().all(|item| item.name() != *name));
    read.chain(unread.map(|name| (name, None))).collect()
}
