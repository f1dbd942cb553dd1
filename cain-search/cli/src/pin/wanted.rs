//! A declaration whose plan is wanted.

use std::path::PathBuf;

use cain_codegen::kinds::Item;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_search::Patience;

use crate::options::DEFAULT_NODES;
use crate::sources::Declared;

/// A declaration whose plan is wanted, and where it is.
pub(crate) struct Wanted {
    /// What to search for, with the budget to do it.
    pub(crate) item: Item,
    /// The folder of its plan.
    pub(crate) plans: PlanFolder,
    /// The name of its plan file.
    pub(crate) plan: String,
    /// The name of its plan file if something else in the package has its name, and of the job to search for it.
    pub(crate) own: String,
    /// The file that declares it.
    pub(crate) source: PathBuf,
}

impl Wanted {
    /// What is declared, with that budget or its own, with or without the opening book, if programs are searched for at all.
    pub(crate) fn of(declared: Declared, budget: Option<u64>, no_book: bool) -> Option<Self> {
        let Declared { item, file, plans } = declared;
        if !item.is_searched() {
            return None;
        }
        let own = item.sets_nodes().then(|| item.nodes());
        // What is found once and for all is worth the whole budget.
        let item = item.with_nodes(budget.or(own).unwrap_or(DEFAULT_NODES)).with_options(|options| {
            options.patience = Patience::Any;
            options.book &= !no_book;
        });
        Some(Self { plan: item.name().to_owned(), own: item.own_name(), item, plans, source: file })
    }

    pub(crate) fn name(&self) -> &str {
        self.item.name()
    }

    /// The source file and the place in it: `src/lib.rs:3:8`.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", Printable(self.source.display()), self.item.place())
    }

    /// A problem with the declaration, to be shown to the user.
    pub(crate) fn complain(&self, message: &str) -> String {
        format!("{}:{}", Printable(self.source.display()), self.item.diagnostic(message))
    }
}
