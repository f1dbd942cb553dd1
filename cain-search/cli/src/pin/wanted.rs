//! A filter whose plan is wanted.

use std::path::PathBuf;

use cain_codegen::kernel_file::Filter;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_search::{Declaration, SearchError};

use crate::options::DEFAULT_NODES;
use crate::sources::Declared;

/// A filter whose plan is wanted, and where it is declared.
pub(crate) struct Wanted {
    /// What to search for, with the budget to do it.
    pub(crate) declaration: Declaration,
    /// The folder of its plan.
    pub(crate) plans: PlanFolder,
    /// The name of its plan file.
    pub(crate) plan: String,
    /// The file that declares it.
    pub(crate) source: PathBuf,
    filter: Filter,
}

impl Wanted {
    /// A filter of a source, with that budget or its own.
    pub(crate) fn new(declared: Declared<Filter>, budget: Option<u64>) -> Self {
        let Declared { filter, file, plans, .. } = declared;
        let declaration = with_budget(&filter.declaration, budget.or(filter.nodes));
        Self { plan: declaration.name.clone(), declaration, plans, source: file, filter }
    }

    pub(crate) fn name(&self) -> &str {
        &self.declaration.name
    }

    /// The source file and the place in it: `src/lib.rs:3:8`.
    pub(crate) fn place(&self) -> String {
        let place = self.filter.place();
        format!("{}:{place}", Printable(self.source.display()))
    }

    /// A problem with the filter, to be shown to the user.
    pub(crate) fn complain(&self, message: &str) -> String {
        format!("{}: filter `{}`: {message}", self.place(), self.name())
    }

    /// The message for a search that found nothing, in the notation of the source.
    pub(crate) fn blame(&self, error: &SearchError) -> String {
        format!("{}:{}", Printable(self.source.display()), self.filter.search_failed(error))
    }
}

fn with_budget(declaration: &Declaration, nodes: Option<u64>) -> Declaration {
    let mut declaration = declaration.clone();
    declaration.options.nodes = nodes.unwrap_or(DEFAULT_NODES);
    declaration
}
