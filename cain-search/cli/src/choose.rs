//! The filters of a kernel file that a command is about.

use std::path::Path;

use cain_codegen::kernel_file::{self, Filter};
use cain_codegen::printable::Printable;

use crate::args::Search;

/// The filters of these names, each once, in this order, for a search with these options; all of the file if there are
/// no names.
///
/// None if the file or a name is wrong; then the user has been told.
pub(crate) fn load(file: &Path, names: &[String], search: &Search) -> Option<Vec<Filter>> {
    let filters = kernel_file::load_for(file, search.isa).map_err(|error| eprintln!("{error}")).ok()?;
    choose(filters, names).map_err(|problems| report(file, &problems)).ok()
}

fn report(file: &Path, problems: &[String]) {
    for problem in problems {
        eprintln!("{}: {}", Printable(file.display()), Printable(problem));
    }
}

fn choose(filters: Vec<Filter>, names: &[String]) -> Result<Vec<Filter>, Vec<String>> {
    if names.is_empty() {
        return Ok(filters);
    }
    let mut chosen: Vec<Filter> = Vec::new();
    let mut problems = Vec::new();
    for name in names {
        match kernel_file::find(&filters, name) {
            Ok(_) if chosen.iter().any(|earlier| earlier.name() == name) => {}
            Ok(filter) => chosen.push(filter.clone()),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(chosen) } else { Err(problems) }
}
