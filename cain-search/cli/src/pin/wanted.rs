//! A filter whose plan is wanted.

use std::path::PathBuf;

use cain_codegen::kernel_file::Position;
use cain_codegen::kinds::{Item, Part};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_network::automaton::{CompileAutomatonError, declarations};
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
    item: Item,
    /// The layer, if it is one of an automaton.
    layer: usize,
}

impl Wanted {
    /// The filters on analogue registers of a declaration, with that budget or their own.
    pub(crate) fn all(declared: &Declared, budget: Option<u64>) -> Vec<Self> {
        let Declared { item, file, plans } = declared;
        let (all, nodes) = match item {
            Item::Kernel(filter) => (vec![filter.declaration.clone()], filter.nodes),
            // It was checked when it was read.
            Item::Automaton(automaton) => (declarations(&automaton.automaton).unwrap_or_default(), None),
            _ => (Vec::new(), None),
        };
        let wanted = |(layer, declaration): (usize, Declaration)| Self {
            plan: declaration.name.clone(),
            declaration: with_budget(&declaration, budget.or(nodes)),
            plans: plans.clone(),
            source: file.clone(),
            item: item.clone(),
            layer,
        };
        all.into_iter().enumerate().map(wanted).collect()
    }

    pub(crate) fn name(&self) -> &str {
        &self.declaration.name
    }

    fn position(&self) -> Position {
        match &self.item {
            Item::Automaton(automaton) => automaton.place(Part::Layer(self.layer)),
            item => item.place(),
        }
    }

    /// The source file and the place in it: `src/lib.rs:3:8`.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", Printable(self.source.display()), self.position())
    }

    /// A problem with the filter, to be shown to the user.
    pub(crate) fn complain(&self, message: &str) -> String {
        format!("{}: filter `{}`: {message}", self.place(), self.name())
    }

    /// The message for a search that found nothing, in the notation of the source.
    pub(crate) fn blame(&self, error: &SearchError) -> String {
        let problem = match &self.item {
            Item::Kernel(filter) => filter.failed(error),
            Item::Automaton(automaton) => {
                automaton.failed(&CompileAutomatonError::Search { layer: self.layer, error: error.clone() })
            }
            item => item.diagnostic(&error.to_string()),
        };
        format!("{}:{problem}", Printable(self.source.display()))
    }
}

fn with_budget(declaration: &Declaration, nodes: Option<u64>) -> Declaration {
    let mut declaration = declaration.clone();
    declaration.options.nodes = nodes.unwrap_or(DEFAULT_NODES);
    declaration
}
