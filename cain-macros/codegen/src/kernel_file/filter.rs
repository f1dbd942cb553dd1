//! Filters on analogue registers, checked.

use cain_search::{Approximated, Declaration, SearchError};
use proc_macro2::Span;

use super::mark::Mark;
use crate::diagnostic::{Diagnostic, Position};
use crate::errors::Errors;
use crate::interruptible::{self, Candidate, Choice};
use crate::lower::machine::Described;
use crate::lower::{self, Planes, shortage};
use crate::tree::{At, Body, FilterTree, Interruptible, Place};
use crate::value::Notation;

/// A filter of a kernel file or of a Rust source, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The declaration, with the defaults of options that the file does not set.
    pub declaration: Declaration,
    /// Its documentation in the file.
    pub doc: Option<String>,
    /// The effect of approximation, if the filter allows it.
    pub approximated: Option<Approximated>,
    /// What is allowed in the filter, but hardly meant.
    pub warnings: Vec<Diagnostic>,
    /// The node budget, if the file sets one.
    pub nodes: Option<u64>,
    /// The names of its planes, if it runs in any registers.
    pub(crate) planes: Option<Planes>,
    /// The place of the name.
    pub(crate) place: Position,
    /// The place of the node budget.
    pub(crate) nodes_place: Option<Position>,
    /// The place of the error allowed.
    pub(crate) accuracy_place: Option<Position>,
    /// The place of the limit of control words, if it is given.
    pub(crate) words_place: Option<Position>,
    /// How it says in which registers it runs.
    pub(crate) registers: Choice,
    /// Which filters may interrupt this one.
    pub(crate) interruptible: Option<Interruptible<Position>>,
    pub(crate) notation: Notation,
}

impl Filter {
    /// Checks a filter whose places are known in another way; `None` if its header is wrong.
    pub(crate) fn check<S: Place>(
        FilterTree { header, body, doc }: FilterTree<S>,
        machine: Described,
        mut position: impl FnMut(S) -> Position,
        errors: &mut Errors<S>,
    ) -> Option<RecoveredFilter> {
        let signature = lower::header(&header, machine, errors)?;
        let declared = lower::body(signature.clone(), &header, &body, errors);
        let is_right = declared.is_some();
        let planes = Planes::of(&header, &machine.machine.registers);
        let lower::Declared { declaration, approximated, warnings } =
            declared.unwrap_or(lower::Declared { declaration: signature, approximated: None, warnings: Vec::new() });
        // In ascending order, for which positions are fast.
        let place = position(header.name.at);
        let Body { search, interruptible, .. } = body;
        let nodes_place = search.nodes.as_ref().map(|nodes| position(nodes.at));
        let accuracy_place = search.accuracy.map(|accuracy| position(accuracy.at));
        let words_place = search.max_words.map(|words| position(words.at));
        let warning = |At { value, at }: At<String, S>| Diagnostic { place: position(at), message: value };
        let warnings = warnings.into_iter().map(warning).collect();
        let filter = Self {
            declaration,
            doc,
            approximated,
            warnings,
            nodes: search.nodes.map(|nodes| nodes.value),
            registers: Choice::of(&header, planes.as_ref()),
            planes,
            place,
            nodes_place,
            accuracy_place,
            words_place,
            interruptible: interruptible.map(|interruptible| interruptible.placed(position)),
            notation: S::NOTATION,
        };
        Some(RecoveredFilter { filter, is_right })
    }

    /// A layer of something larger, at the place of that.
    pub(crate) fn of_layer(declaration: Declaration, place: Position) -> Self {
        Self {
            declaration,
            doc: None,
            approximated: None,
            warnings: Vec::new(),
            nodes: None,
            planes: None,
            place,
            nodes_place: None,
            accuracy_place: None,
            words_place: None,
            registers: Choice::Listed,
            interruptible: None,
            notation: Notation::File,
        }
    }

    /// The name of the filter.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.declaration.name
    }

    /// The place of its name.
    #[must_use]
    pub fn place(&self) -> Position {
        self.place
    }

    /// The message about a failed search, in the notation of the file.
    #[must_use]
    pub fn search_failed(&self, error: &SearchError) -> Diagnostic {
        if let Some((place, message)) = interruptible::failure(error, &self.declaration, self.interruptible.as_ref()) {
            return about(self.name(), place, &message);
        }
        let place = match error {
            SearchError::Budget { .. } => self.nodes_place.unwrap_or(self.place),
            SearchError::Inaccurate { .. } => self.accuracy_place.unwrap_or(self.place),
            SearchError::TooLong { .. } => self.words_place.unwrap_or(self.place),
            _ => self.place,
        };
        let message = match self.notation {
            Notation::File => shortage::message::<Mark>(error, &self.declaration),
            Notation::Macro => shortage::message::<Span>(error, &self.declaration),
        };
        about(self.name(), place, &Planes::explain(self.planes.as_ref(), message))
    }

    /// A message about the filter as a whole.
    #[must_use]
    pub fn diagnostic(&self, message: &str) -> Diagnostic {
        about(self.name(), self.place, message)
    }

    pub(crate) fn candidate(&mut self) -> Candidate<'_, Position> {
        Candidate {
            declaration: &mut self.declaration,
            registers: self.registers,
            interruptible: self.interruptible.as_ref(),
        }
    }
}

/// A message about a filter of any kind.
pub(super) fn about(name: &str, place: Position, message: &str) -> Diagnostic {
    Diagnostic { place, message: format!("filter `{name}`: {message}") }
}

/// A filter whose header is right.
pub(crate) struct RecoveredFilter {
    /// Without kernels and options unless all of it `is_right`.
    pub(crate) filter: Filter,
    pub(crate) is_right: bool,
}
