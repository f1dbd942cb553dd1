//! From the text of a kernel file to what it declares.

use std::collections::BTreeSet;
use std::path::Path;

use cain_isa::{ErrorModel, Machine};

use super::document::Document;
use super::mark::{Mark, diagnostics};
use super::{Filter, declarations, networks, table};
use crate::diagnostic::{Diagnostic, Positions};
use crate::errors::Errors;
use crate::interruptible;
use crate::kinds::{self, Item};
use crate::lower::machine::Described;
use crate::tree::Overrides;
use crate::value::Entry;
use crate::{names, program_file};

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

/// Reads as much of a kernel file as possible, and all mistakes; with a folder not only its filters, with files in there.
pub(crate) fn parse_recoverable(
    text: &str,
    folder: Option<&Path>,
    overrides: Overrides,
) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut errors = Errors::default();
    let items = read(text, overrides, folder, &mut errors);
    let mut problems = diagnostics(text, errors);
    problems.extend(same_names(&items));
    problems.sort_by_key(|problem| problem.place);
    (items, problems)
}

/// Like [`parse_recoverable`], for a file whose name tells whether it is a kernel file or has whole programs.
pub(crate) fn parse_file(
    path: &Path,
    text: &str,
    folder: Option<&Path>,
    overrides: Overrides,
) -> (Vec<Item>, Vec<Diagnostic>) {
    match (program_file::is_one(path), folder) {
        (false, _) => parse_recoverable(text, folder, overrides),
        (true, None) => (Vec::new(), Vec::new()),
        (true, Some(_)) => program_file::parse(text, &[]),
    }
}

/// Complaints about what has the name of something before it; two tables of filters cannot have one.
fn same_names(items: &[Item]) -> Vec<Diagnostic> {
    let mut names = BTreeSet::new();
    let again = items.iter().filter(|item| !names.insert(item.name()));
    let message = "a filter, network or automaton of the file has this name; rename one";
    again.map(|item| item.diagnostic(message)).collect()
}

/// Like [`parse_for`], for whatever a file declares. Files with weights are looked for in the current folder.
pub fn parse_any(text: &str, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    parse_in(text, Some(Path::new("")), overrides)
}

/// Like [`parse_any`], but without networks and automata, which are not even read.
pub fn parse_filters(text: &str, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    parse_in(text, None, overrides)
}

/// Whether a kernel file declares whole programs, or names a file that does.
#[must_use]
pub fn has_programs(text: &str) -> bool {
    Document::parse(text, &mut Errors::default()).is_some_and(|document| document.program().is_some())
}

/// Reads filters of all kinds, and with a folder also what else is declared, with files in there.
pub(super) fn parse_in(text: &str, folder: Option<&Path>, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    let (items, problems) = parse_recoverable(text, folder, overrides);
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

/// What can become functions: filters whose header is right, and with a folder what else is declared, with files in there.
fn read(text: &str, overrides: Overrides, folder: Option<&Path>, errors: &mut Errors<Mark>) -> Vec<Item> {
    let Some(document) = Document::parse(text, errors) else { return Vec::new() };
    let machine = document.described(errors);
    let constants = declarations::read(&document, errors);
    let mut positions = Positions::new(text);
    let filters = document.filters();
    let has_networks = document.table("network").is_some() || document.table("in_pixel").is_some();
    let has_automata = document.table("automaton").is_some();
    let has_programs = document.program().is_some();
    if filters.is_empty() && (folder.is_none() || !(has_networks || has_automata || has_programs)) {
        let only = match (has_networks, has_automata) {
            (true, _) => "only networks and ",
            (false, true) => "only automata and ",
            (false, false) => "",
        };
        let message =
            format!("the file has {only}no filter; add a table such as `[gauss]` with `inputs` and `outputs`");
        errors.add(Mark::default(), message);
    }
    let read = |(name, entry): (_, Entry<'_, Mark>)| {
        let mut mistakes = Errors::default();
        let tree = table::read(&name, &entry, &constants, machine, &mut mistakes);
        let read = tree.and_then(|mut tree| {
            tree.body.search.overrides = overrides;
            kinds::of_tree(tree, &mut mistakes)
        });
        errors.append(mistakes);
        read
    };
    let mut filters: Vec<_> = filters.into_iter().filter_map(read).collect();
    for mistakes in interruptible::resolve(&mut filters) {
        errors.append(mistakes);
    }
    let mut items: Vec<_> = filters.into_iter().map(|read| read.item.placed(|at| positions.of(at.0))).collect();
    if let Some(folder) = folder {
        items.extend(networks::all(text, &document, machine, folder, errors));
        #[cfg(feature = "networks")]
        if let Some(entry) = document.program() {
            let programs = super::programs::all(text, &entry, folder, &beside(&document, &items), errors);
            items.extend(programs);
        }
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
