//! The search for one filter's plan.

use std::ops::ControlFlow;

use cain_codegen::printable::Printable;
use cain_isa::Progress;
use cain_isa::Stop;
use cain_search::{Proved, SearchError, Solution, compare, search_watched};

use super::store::store;
use super::wanted::Wanted;

/// The state of a filter's plan file.
pub(crate) enum State {
    /// There is no file.
    Missing,
    /// A file that has to be replaced, with its program if that is valid all the same.
    Invalid(Option<Proved>),
    /// A valid plan.
    Valid {
        solution: Solution,
        /// Whether a search with the filter's budget cannot be expected to improve it.
        is_final: bool,
    },
}

impl State {
    /// Looks at the file; fails if it can be neither used nor replaced.
    pub(crate) fn of(filter: &Wanted) -> Result<Self, String> {
        let Wanted { declaration, plans, plan, .. } = filter;
        let checked = plans.read(plan).and_then(|file| match file {
            Some(file) => Ok(Some((plans.check(plan, &file, declaration)?, file.budget()))),
            None => Ok(None),
        });
        match checked {
            Ok(None) => Ok(Self::Missing),
            Ok(Some((solution, budget))) => {
                let is_final = match solution.statistics.stop {
                    Stop::Proved | Stop::Exhausted => true,
                    Stop::Nodes => budget >= declaration.options.nodes,
                    _ => false,
                };
                Ok(Self::Valid { solution, is_final })
            }
            Err(error) if error.is_replaceable() => Ok(Self::Invalid(error.into_program())),
            Err(error) => Err(error.to_string()),
        }
    }
}

pub(crate) struct Pinned {
    /// The plan that is in the file now.
    pub(crate) solution: Solution,
    pub(crate) change: Change,
}

/// What happened to a plan file.
pub(crate) enum Change {
    /// It was good enough.
    Kept,
    /// There was none before.
    New,
    /// It was invalid, or belonged to another declaration.
    Renewed,
    /// It had a program with these costs, which are higher, or about which less was proved.
    Better {
        /// Macro instructions.
        macros: u32,
        /// Control words.
        icws: u32,
    },
}

/// Searches for a program, and writes it if it is better than the one in the plan file.
pub(crate) fn pin(
    filter: &Wanted,
    state: &State,
    watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Pinned, String> {
    let declaration = &filter.declaration;
    let found = match (search_watched(declaration, watch), state) {
        (Ok(found), State::Invalid(Some(program))) => better(found, program),
        (Ok(found), _) => found,
        // A short search can miss what a long one has found.
        (Err(SearchError::Budget { .. }), State::Valid { solution, .. }) => {
            return Ok(Pinned { solution: solution.clone(), change: Change::Kept });
        }
        (Err(error), _) => return Err(filter.blame(&error)),
    };
    keep(filter, state, found)
}

/// Writes a program if it is better than the one in the plan file.
pub(crate) fn keep(filter: &Wanted, state: &State, found: Solution) -> Result<Pinned, String> {
    let Wanted { plans, plan, .. } = filter;
    let kept = store(plans, plan, &found)
        .map_err(|error| format!("{}: the plan cannot be written: {error}", Printable(plans.shown(plan).display())))?;
    Ok(match (kept, state) {
        (Some(solution), _) => Pinned { solution, change: Change::Kept },
        (None, State::Missing) => Pinned { solution: found, change: Change::New },
        (None, State::Invalid(_)) => Pinned { solution: found, change: Change::Renewed },
        (None, State::Valid { solution, .. }) => {
            let report = solution.program.report();
            Pinned { solution: found, change: Change::Better { macros: report.macros, icws: report.icws } }
        }
    })
}

/// The solution with the better of the two programs.
fn better(found: Solution, program: &Proved) -> Solution {
    if compare(program.declaration(), found.program.listing(), program.listing()).is_le() {
        return found;
    }
    Solution { program: program.clone(), ..found }
}
