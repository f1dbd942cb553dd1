//! The networks and automata of a kernel file.

use std::path::Path;

use super::document::Document;
use super::load_error::{Cause, LoadError, read_text};
use super::mark::{Mark, diagnostics};
use super::{DeclaredAutomaton, DeclaredInPixel, DeclaredNetwork};
use crate::diagnostic::{Diagnostic, Positions};
use crate::errors::Errors;
use crate::kinds::beside::{Beside, in_folder};
use crate::kinds::{self, Item, Table};
use crate::lower::machine::Described;
use crate::text_file::folder_of;

const NETWORK: &str = "`[network.NAME]` with `input = { size = [28, 28], levels = \"-60..60\" }`";

/// What reads a file with weights, or says why it cannot be read.
type ReadFile<'r> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'r;

/// Reads the networks of a kernel file, or all mistakes, in the order of the file. Its filters are not checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_networks(text: &str, read: &mut ReadFile<'_>) -> Result<Vec<DeclaredNetwork>, Vec<Diagnostic>> {
    let networks = parse(text, read, |document, file| {
        if document.table("network").is_none() {
            file.errors.add(Mark::default(), format_args!("the file has no network; add {NETWORK}"));
        }
        file.items(document, "network")
    })?;
    Ok(networks
        .into_iter()
        .filter_map(|item| if let Item::Network(network) = item { Some(*network) } else { None })
        .collect())
}

/// Reads the in-pixel networks of a kernel file, or all mistakes, in the order of the file. Nothing else in the file is
/// checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_in_pixel(text: &str, read: &mut ReadFile<'_>) -> Result<Vec<DeclaredInPixel>, Vec<Diagnostic>> {
    let networks = parse(text, read, |document, file| file.items(document, "in_pixel"))?;
    Ok(networks
        .into_iter()
        .filter_map(|item| if let Item::InPixel(network) = item { Some(*network) } else { None })
        .collect())
}

/// Reads the automata of a kernel file, or all mistakes, in the order of the file. Nothing else in the file is checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_automata(text: &str, read: &mut ReadFile<'_>) -> Result<Vec<DeclaredAutomaton>, Vec<Diagnostic>> {
    let automata = parse(text, read, |document, file| file.items(document, "automaton"))?;
    Ok(automata
        .into_iter()
        .filter_map(|item| if let Item::Automaton(found) = item { Some(*found) } else { None })
        .collect())
}

/// Reads the networks of the kernel file at a path, and the files with weights beside it.
pub fn load_networks(path: &Path) -> Result<Vec<DeclaredNetwork>, LoadError> {
    load(path, parse_networks)
}

/// Reads the in-pixel networks of the kernel file at a path, which may have none, and the files with weights beside it.
pub fn load_in_pixel(path: &Path) -> Result<Vec<DeclaredInPixel>, LoadError> {
    load(path, parse_in_pixel)
}

/// Reads the automata of the kernel file at a path, which may have none, and the files with weights beside it.
pub fn load_automata(path: &Path) -> Result<Vec<DeclaredAutomaton>, LoadError> {
    load(path, parse_automata)
}

fn load<D>(
    path: &Path,
    parse: impl FnOnce(&str, &mut ReadFile<'_>) -> Result<Vec<D>, Vec<Diagnostic>>,
) -> Result<Vec<D>, LoadError> {
    let text = read_text(path).map_err(|cause| LoadError::new(path, cause))?;
    let folder = folder_of(path);
    let declared = parse(&text, &mut in_folder(folder));
    declared.map_err(|problems| LoadError::new(path, Cause::Problems(problems)))
}

/// A file that is read.
struct File<'f, 't, 'b> {
    positions: Positions<'t>,
    machine: Described,
    beside: &'f mut Beside<'b>,
    errors: &'f mut Errors<Mark>,
}

impl File<'_, '_, '_> {
    /// What is declared in a table of that name.
    fn items(&mut self, document: &Document, table: &str) -> Vec<Item> {
        let expected =
            kinds::TABLES.iter().flatten().find(|[known, _]| *known == table).map_or("", |[_, expected]| expected);
        let tables = document.table(table).and_then(|entry| entry.any_table(expected, self.errors));
        let tables = tables.map(|tables| tables.in_order()).unwrap_or_default();
        let mut items = Vec::new();
        for (name, entry) in tables {
            let declared = Table { name: &name, entry: &entry, machine: self.machine };
            let item = kinds::of_table(table, declared, self.beside, self.errors);
            items.extend(item.map(|item| item.placed(|mark| self.positions.of(mark.0))));
        }
        items
    }
}

fn parse(
    text: &str,
    read: &mut ReadFile<'_>,
    declared: impl FnOnce(&Document, &mut File<'_, '_, '_>) -> Vec<Item>,
) -> Result<Vec<Item>, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let declared = Document::parse(text, &mut errors).map(|document| {
        let machine = document.described(&mut errors);
        let (positions, beside) = (Positions::new(text), &mut Beside::new(read));
        declared(&document, &mut File { positions, machine, beside, errors: &mut errors })
    });
    if errors.is_empty() { Ok(declared.unwrap_or_default()) } else { Err(diagnostics(text, errors)) }
}

/// What a document declares beside its filters, with files in that folder.
pub(super) fn all(
    text: &str,
    document: &Document,
    machine: Described,
    folder: &Path,
    errors: &mut Errors<Mark>,
) -> Vec<Item> {
    let mut read = in_folder(folder);
    let beside = &mut Beside::new(&mut read);
    let file = &mut File { positions: Positions::new(text), machine, beside, errors };
    kinds::TABLES.iter().flatten().flat_map(|[table, _]| file.items(document, table)).collect()
}
