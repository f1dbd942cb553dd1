//! The sources that users name on the command line: kernel files, Rust sources, plan files, folders with them, and the
//! standard input.

pub(crate) mod package;
mod read;
pub(crate) mod workspace;

use std::path::{Path, PathBuf};

use cain_codegen::Overrides;
use cain_codegen::kernel_file::{AnyFilter, Diagnostic, Filter, find};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_search::Solution;

pub(crate) use read::{Found, read, read_text, standard_input};

/// The path that stands for the standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// A filter, and where it was found.
#[derive(Clone)]
pub(crate) struct Declared<F> {
    pub(crate) filter: F,
    /// The file that declares it.
    pub(crate) file: PathBuf,
    /// The folder where builds look for its plan.
    pub(crate) plans: PlanFolder,
    /// Its program, if the file is a plan.
    pub(crate) program: Option<Solution>,
}

impl<F> Declared<F> {
    /// A message about the file, beginning with its path.
    pub(crate) fn locate(&self, problem: &Diagnostic) -> String {
        format!("{}:{problem}", Printable(self.file.display()))
    }
}

impl Declared<AnyFilter> {
    /// The filter, if it is on analogue registers, as some commands require; otherwise a message that it is not.
    pub(crate) fn analogue(self) -> Result<Declared<Filter>, String> {
        let kind = match self.filter {
            AnyFilter::Analogue(filter) => {
                let Self { file, plans, program, .. } = self;
                return Ok(Declared { filter: *filter, file, plans, program });
            }
            AnyFilter::Digital(_) => "a digital filter",
            AnyFilter::SuperPixel(_) => "a filter over super-pixels",
            AnyFilter::Network(_) | AnyFilter::InPixel(_) => "a network",
            AnyFilter::Automaton(_) => "an automaton",
        };
        let message =
            format!("this is {kind}; expected a filter on analogue registers (`cain show` takes all of them)");
        Err(self.locate(&self.filter.diagnostic(&message)))
    }
}

/// How a command reads its sources.
pub(crate) struct Reading<'a> {
    /// The options that determine which filters are valid.
    pub(crate) overrides: Overrides,
    /// The folder of plans, if it is not that of each source's package.
    pub(crate) plans: Option<&'a Path>,
    /// Whether networks and automata are wanted; otherwise they are not even read.
    pub(crate) networks: bool,
    /// Whether other packages below a folder are searched as well.
    pub(crate) packages_below: bool,
}

/// The filters with these names in this order, or all filters at a path if there are no names. Warnings are printed.
///
/// `None` if a source or a name is wrong, which has then been reported.
pub(crate) fn load(path: &Path, names: &[String], reading: &Reading<'_>) -> Option<Vec<Declared<AnyFilter>>> {
    select(path, names, read(&[path], reading))
}

/// Selects the filters with these names from what was found at a path; see [`load`].
pub(crate) fn select(path: &Path, names: &[String], found: Found) -> Option<Vec<Declared<AnyFilter>>> {
    let Found { filters, problems, notices, .. } = found;
    for message in problems.iter().chain(&notices) {
        eprintln!("{message}");
    }
    if !problems.is_empty() {
        return None;
    }
    let chosen = if names.is_empty() { filters } else { choose(path, &filters, names)? };
    if chosen.is_empty() {
        eprintln!(
            "{}: no filters found; name a source, a kernel file, or a folder with them",
            Printable(path.display())
        );
        return None;
    }
    for declared in &chosen {
        let AnyFilter::Analogue(filter) = &declared.filter else { continue };
        for warning in &filter.warnings {
            eprintln!("warning: {}", declared.locate(warning));
        }
    }
    Some(chosen)
}

/// All filters of each name, in the order of the names.
fn choose(path: &Path, filters: &[Declared<AnyFilter>], names: &[String]) -> Option<Vec<Declared<AnyFilter>>> {
    let mut chosen: Vec<Declared<AnyFilter>> = Vec::new();
    let mut is_right = true;
    for (index, name) in names.iter().enumerate() {
        if names.iter().take(index).any(|earlier| earlier == name) {
            continue;
        }
        match find("filter", filters, name, |declared| declared.filter.name()) {
            Ok(_) => chosen.extend(filters.iter().filter(|declared| declared.filter.name() == name).cloned()),
            Err(problem) => {
                eprintln!("{}: {}", Printable(path.display()), Printable(&problem));
                is_right = false;
            }
        }
    }
    is_right.then_some(chosen)
}
