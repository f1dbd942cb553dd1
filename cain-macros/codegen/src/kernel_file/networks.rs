//! The networks and automata of a kernel file.

use std::path::Path;

use super::document::Document;
use super::load::{Cause, LoadError, read_text};
use super::mark::Mark;
use super::{Contents, DeclaredAutomaton, DeclaredInPixel, DeclaredNetwork, Diagnostic, Position, machine, problems};
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::kinds::beside::{Beside, in_folder};
use crate::kinds::{automaton, in_pixel, network};
use crate::lower::machine::Described;
use crate::tree::At;
use crate::value::Entry;

const NETWORK: &str = "`[network.NAME]` with `input = { size = [28, 28], levels = \"-60..60\" }`";
const IN_PIXEL: &str = "`[in_pixel.NAME]` with `input = { size = 28, block = 32 }`";

/// What reads a file with weights, or says why it cannot be read.
type ReadFile<'r> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'r;

/// Reads the networks of a kernel file, or all mistakes, in the order of the file. Its filters are not checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_networks(text: &str, read: &mut ReadFile<'_>) -> Result<Vec<DeclaredNetwork>, Vec<Diagnostic>> {
    parse(text, read, |document, file| {
        if document.networks().is_none() {
            file.errors.add(Mark::default(), format_args!("the file has no network; add {NETWORK}"));
        }
        networks(document, file)
    })
}

/// Reads the in-pixel networks of a kernel file, or all mistakes, in the order of the file. Nothing else in the file is
/// checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_in_pixel(text: &str, read: &mut ReadFile<'_>) -> Result<Vec<DeclaredInPixel>, Vec<Diagnostic>> {
    parse(text, read, in_pixel_networks)
}

/// Reads the automata of a kernel file, or all mistakes, in the order of the file. Nothing else in the file is checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_automata(text: &str, read: &mut ReadFile<'_>) -> Result<Vec<DeclaredAutomaton>, Vec<Diagnostic>> {
    parse(text, read, automata)
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
    let folder = path.parent().unwrap_or(Path::new(""));
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
    fn position(&mut self) -> impl FnMut(Mark) -> Position {
        |mark| self.positions.of(mark.0)
    }

    /// What is declared in the tables of a table.
    fn each<D>(
        &mut self,
        tables: Option<&Entry<'_, Mark>>,
        expected: &str,
        mut read: impl FnMut(&At<&str, Mark>, &Entry<'_, Mark>, &mut Self) -> Option<D>,
    ) -> Vec<D> {
        let tables = tables.and_then(|entry| entry.any_table(expected, self.errors));
        let tables = tables.map(|tables| tables.in_order()).unwrap_or_default();
        tables.into_iter().filter_map(|(name, entry)| read(&name, &entry, self)).collect()
    }
}

fn parse<D>(
    text: &str,
    read: &mut ReadFile<'_>,
    declared: impl FnOnce(&Document, &mut File<'_, '_, '_>) -> Vec<D>,
) -> Result<Vec<D>, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let declared = Document::parse(text, &mut errors).map(|document| {
        let machine = machine(&document, &mut errors);
        let (positions, beside) = (Positions::new(text), &mut Beside::new(read));
        declared(&document, &mut File { positions, machine, beside, errors: &mut errors })
    });
    if errors.is_empty() { Ok(declared.unwrap_or_default()) } else { Err(problems(text, errors)) }
}

/// Adds the networks and automata of a document.
pub(super) fn add(
    contents: &mut Contents,
    text: &str,
    document: &Document,
    machine: Described,
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) {
    let file = &mut File { positions: Positions::new(text), machine, beside, errors };
    contents.networks = networks(document, file);
    contents.in_pixel = in_pixel_networks(document, file);
    contents.automata = automata(document, file);
}

fn networks(document: &Document, file: &mut File<'_, '_, '_>) -> Vec<DeclaredNetwork> {
    file.each(document.networks().as_ref(), &format!("tables of networks, {NETWORK}"), |name, entry, file| {
        let declared = network::read(name, entry, file.machine, file.beside, file.errors)?;
        Some(declared.placed(file.position()))
    })
}

fn in_pixel_networks(document: &Document, file: &mut File<'_, '_, '_>) -> Vec<DeclaredInPixel> {
    file.each(document.in_pixel().as_ref(), &format!("tables of networks, {IN_PIXEL}"), |name, entry, file| {
        let declared = in_pixel::read(name, entry, file.machine, file.beside, file.errors)?;
        Some(declared.placed(file.position()))
    })
}

fn automata(document: &Document, file: &mut File<'_, '_, '_>) -> Vec<DeclaredAutomaton> {
    file.each(document.automata().as_ref(), "tables of automata, `[automaton.NAME]`", |name, entry, file| {
        let declared = automaton::read(name, entry, file.machine, file.beside, file.errors)?;
        Some(declared.placed(file.position()))
    })
}
