//! The searches for parts of a program. Where planes are made in one order after another, most questions come again: each is
//! searched for once.

use cain_digital::{Program, search as search_logic};
use cain_network::{Log, Pins, Searched, Wanted};
use cain_search::{Declaration, Proved, SearchError, search};

/// The source of answers, and those given so far.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    log: Log,
    sums: Known<Declaration, Proved, SearchError>,
    functions: Known<cain_digital::Declaration, Program, cain_digital::SearchError>,
}

impl Searches {
    /// One that has the answers of earlier searches, and does not search.
    pub(super) fn pinned(pins: Pins) -> Self {
        Self { log: Log::pinned(pins), ..Self::default() }
    }

    /// The program for a sum.
    pub(super) fn sum(&mut self, declaration: &Declaration) -> Result<Proved, SearchError> {
        let Self { log, sums, .. } = self;
        log.answer(declaration, || sums.find(declaration, || search(declaration).map(|found| found.program)))
    }

    /// The program for a Boolean function, which is proved when its registers are known.
    pub(super) fn function(
        &mut self,
        declaration: &cain_digital::Declaration,
    ) -> Result<Program, cain_digital::SearchError> {
        let Self { log, functions, .. } = self;
        let search = || search_logic(declaration).map(|found| found.program.program().clone());
        log.answer_exact(declaration, || functions.find(declaration, search))
    }

    /// The questions so far in their order, and their answers.
    pub(super) fn searched(&self) -> &[Searched] {
        self.log.searched()
    }

    /// The first question for which the pins had no answer, or a wrong one.
    pub(super) fn unanswered(&self) -> Option<&Wanted> {
        self.log.unanswered()
    }
}

/// What was found for each declaration.
#[derive(Debug)]
struct Known<D, P, E>(Vec<(D, Result<P, E>)>);

impl<D, P, E> Default for Known<D, P, E> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<D: Clone + PartialEq, P: Clone, E: Clone> Known<D, P, E> {
    fn find(&mut self, declaration: &D, search: impl FnOnce() -> Result<P, E>) -> Result<P, E> {
        if let Some((_, found)) = self.0.iter().find(|(known, _)| known == declaration) {
            return found.clone();
        }
        let found = search();
        self.0.push((declaration.clone(), found.clone()));
        found
    }
}
