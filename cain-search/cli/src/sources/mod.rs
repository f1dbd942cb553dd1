//! The sources that users name on the command line: kernel files, Rust sources, plan files, folders with them, and the
//! standard input.

pub(crate) mod package;
mod read;
pub(crate) mod workspace;

use std::path::{Path, PathBuf};

use cain_codegen::kernel_file::{Diagnostic, Filter, find};
use cain_codegen::kinds::{Item, Placed};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_codegen::{Overrides, of_each_kind, program_file};

use crate::kinds::Shown;
use crate::options::Search;

pub(crate) use read::{Found, read, read_text, standard_input};

/// The path that stands for the standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// A declaration, and where it was found.
#[derive(Clone)]
pub(crate) struct Declared {
    pub(crate) item: Item,
    /// The file that declares it.
    pub(crate) file: PathBuf,
    /// The folder where builds look for its plan.
    pub(crate) plans: PlanFolder,
}

impl Declared {
    /// A message about the file, which begins with its path.
    pub(crate) fn locate(&self, problem: &Diagnostic) -> String {
        format!("{}:{problem}", Printable(self.file.display()))
    }

    /// The filter if it is on analogue registers, which some commands are for; otherwise a message that it is not.
    pub(crate) fn kernel(&self) -> Result<&Filter, String> {
        if let Item::Kernel(filter) = &self.item {
            return Ok(filter);
        }
        let kind = of_each_kind!(&self.item, item => what(item));
        let message = format!(
            "expected a filter on analogue registers, which {kind} are not; `cain compile` and `cain show` take all of them"
        );
        Err(self.locate(&self.item.diagnostic(&message)))
    }
}

/// What declarations of a kind are called.
fn what<K: Shown>(_: &Placed<K>) -> &'static str {
    K::FORMATS.0
}

/// How a command reads its sources.
pub(crate) struct Reading<'a> {
    /// The options that determine which filters are valid.
    pub(crate) overrides: Overrides,
    /// The folder of plans, if it is not that of each source's package.
    pub(crate) plans: Option<&'a Path>,
    /// Whether networks and automata are wanted; otherwise they are not even read.
    pub(crate) networks: bool,
    /// Whether whole programs are wanted.
    pub(crate) programs: bool,
    /// Whether other packages below a folder are searched as well.
    pub(crate) packages_below: bool,
}

impl<'a> Reading<'a> {
    /// With these options, and this folder of plans if one is given.
    pub(crate) fn of(search: &Search, plans: Option<&'a Path>) -> Self {
        Self { overrides: search.overrides(), plans, networks: true, programs: true, packages_below: true }
    }
}

/// The filters with these names in this order, or all filters at a path if there are no names. Warnings are printed.
///
/// `None` if a source or a name is wrong; that has been reported then.
pub(crate) fn load(path: &Path, names: &[String], reading: &Reading<'_>) -> Option<Vec<Declared>> {
    select(path, names, read(&[path], reading))
}

/// Of what was found at a path the filters with these names; see [`load`].
pub(crate) fn select(path: &Path, names: &[String], found: Found) -> Option<Vec<Declared>> {
    let Found { items: filters, problems, notices, .. } = found;
    for message in problems.iter().chain(&notices) {
        eprintln!("{message}");
    }
    if !problems.is_empty() {
        return None;
    }
    let chosen = if names.is_empty() { filters } else { choose(path, &filters, names)? };
    if chosen.is_empty() {
        eprintln!("{}", nothing(path));
        return None;
    }
    for declared in &chosen {
        for warning in declared.item.warnings() {
            eprintln!("warning: {}", declared.locate(&warning));
        }
    }
    Some(chosen)
}

/// The message that there is nothing at a path.
pub(crate) fn nothing(path: &Path) -> String {
    if program_file::is_one(path) {
        return format!(
            "{}: the file has no program; one is `program bright(image) -> (mask) {{ let mask = image > 40; }}`",
            Printable(path.display())
        );
    }
    let what = if path.is_dir() {
        "no filters found in the Rust sources of this folder and the kernel files that they name; name another kernel file, or a \
         plan file, itself"
    } else {
        "no filters found; name a source, a kernel file, or a folder with them"
    };
    format!("{}: {what}", Printable(path.display()))
}

/// All filters of each name, in the order of the names.
fn choose(path: &Path, filters: &[Declared], names: &[String]) -> Option<Vec<Declared>> {
    let mut chosen: Vec<Declared> = Vec::new();
    let mut is_right = true;
    let mut kinds = filters.iter().map(|declared| declared.item.what());
    let kind = kinds.next().filter(|first| kinds.all(|kind| kind == *first));
    for (index, name) in names.iter().enumerate() {
        if names.iter().take(index).any(|earlier| earlier == name) {
            continue;
        }
        match find(kind.unwrap_or("declaration"), filters, name, |declared| declared.item.name()) {
            Ok(_) => chosen.extend(filters.iter().filter(|declared| declared.item.name() == name).cloned()),
            Err(problem) => {
                eprintln!("{}: {}", Printable(path.display()), Printable(&problem));
                is_right = false;
            }
        }
    }
    is_right.then_some(chosen)
}
