//! What a kernel file declares beside whole programs.

use std::path::Path;

use super::document::Document;
#[cfg(feature = "programs")]
use super::load_error::{Cause, read_text};
use super::mark::Mark;
#[cfg(feature = "programs")]
use super::mark::diagnostics;
use super::{declarations, networks, table};
use crate::diagnostic::{Diagnostic, Positions};
use crate::errors::Errors;
use crate::interruptible;
use crate::kinds::{self, Item, SameNames};
#[cfg(feature = "programs")]
use crate::text_file::folder_of;
use crate::tree::Overrides;
use crate::value::Entry;

/// What can become functions: filters whose header is right, and with a folder networks and automata, with files in there.
pub(super) fn all(
    text: &str,
    document: &Document,
    overrides: Overrides,
    folder: Option<&Path>,
    errors: &mut Errors<Mark>,
) -> Vec<Item> {
    let machine = document.described(errors);
    let constants = declarations::read(document, errors);
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
        items.extend(networks::all(text, document, machine, folder, errors));
    }
    items
}

/// Everything in the kernel file at a path that programs of other files can call, if there is no mistake in it. Its own programs
/// are not read, so that files may use each other.
#[cfg(feature = "programs")]
pub(crate) fn load_kernels(path: &Path) -> Result<Vec<Item>, Cause> {
    let text = read_text(path)?;
    let mut errors = Errors::default();
    let folder = folder_of(path);
    let document = Document::parse(&text, &mut errors);
    let items = document.map(|document| all(&text, &document, Overrides::default(), Some(folder), &mut errors));
    let items = items.unwrap_or_default();
    let mut problems = diagnostics(&text, errors);
    problems.extend(same_names(&items));
    problems.sort_by_key(|problem| problem.place);
    if problems.is_empty() { Ok(items) } else { Err(Cause::Problems(problems)) }
}

/// Complaints about what has the name of something before it; two tables of filters cannot have one.
pub(super) fn same_names(items: &[Item]) -> Vec<Diagnostic> {
    let mut names = SameNames::default();
    let message = "a filter, network or automaton of the file has this name; rename one";
    items.iter().filter_map(|item| Some(item.diagnostic(&names.add(item, true, message)?))).collect()
}
