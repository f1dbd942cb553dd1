//! Searching the plan of one kernel.

use std::ops::ControlFlow;

use cain_codegen::printable::Printable;
use cain_isa::Stop;
use cain_search::{Progress, Proved, SearchError, Solution, compare, search_watched};

use super::kernel::Kernel;
use super::store::store;

/// What stands in a kernel's plan file.
pub(crate) enum Standing {
    /// There is no file.
    Nothing,
    /// A file that has to be replaced, with its program if that would do all the same.
    Wrong(Option<Proved>),
    /// A right plan.
    Right {
        solution: Solution,
        /// Whether a search with the kernel's budget cannot be expected to give more.
        is_final: bool,
    },
}

impl Standing {
    /// Looks at the file; fails if it can be neither used nor replaced.
    pub(crate) fn of(kernel: &Kernel) -> Result<Self, String> {
        let Kernel { declaration, plans, .. } = kernel;
        let checked = plans.read(&declaration.name).and_then(|file| match file {
            Some(file) => Ok(Some((plans.check(&file, declaration)?, file.budget()))),
            None => Ok(None),
        });
        match checked {
            Ok(None) => Ok(Self::Nothing),
            Ok(Some((solution, budget))) => {
                let is_final = match solution.statistics.stop {
                    Stop::Proved | Stop::Exhausted => true,
                    Stop::Nodes => budget >= declaration.options.nodes,
                    _ => false,
                };
                Ok(Self::Right { solution, is_final })
            }
            Err(error) if error.is_replaceable() => Ok(Self::Wrong(error.into_program())),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// What became of a kernel's plan.
pub(crate) struct Pinned {
    /// The plan that stands now.
    pub(crate) solution: Solution,
    pub(crate) change: Change,
}

/// What was done to a plan file.
pub(crate) enum Change {
    /// Nothing.
    Kept,
    /// There was none.
    New,
    /// It was wrong, or for another kernel.
    Renewed,
    /// It had a program of these costs, which costs more, or about which less was proved.
    Better {
        /// Macro instructions.
        macros: u32,
        /// Control words.
        icws: u32,
    },
}

/// Searches a program for the kernel, and keeps it if it is better than what stands.
pub(crate) fn pin(
    kernel: &Kernel,
    standing: &Standing,
    watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Pinned, String> {
    let Kernel { declaration, plans, .. } = kernel;
    let found = match (search_watched(declaration, watch), standing) {
        (Ok(found), Standing::Wrong(Some(program))) => better(found, program),
        (Ok(found), _) => found,
        // A short search can miss what a long one has found.
        (Err(SearchError::Budget { .. }), Standing::Right { solution, .. }) => {
            return Ok(Pinned { solution: solution.clone(), change: Change::Kept });
        }
        (Err(error), _) => return Err(kernel.blame(&error)),
    };
    let standing_by_now = store(plans, &found).map_err(|error| {
        format!("{}: the plan cannot be written: {error}", Printable(plans.shown(kernel.name()).display()))
    })?;
    Ok(match (standing_by_now, standing) {
        (Some(solution), _) => Pinned { solution, change: Change::Kept },
        (None, Standing::Nothing) => Pinned { solution: found, change: Change::New },
        (None, Standing::Wrong(_)) => Pinned { solution: found, change: Change::Renewed },
        (None, Standing::Right { solution, .. }) => {
            let report = solution.program.report();
            Pinned { solution: found, change: Change::Better { macros: report.macros, icws: report.icws } }
        }
    })
}

/// The solution, with another program if that is better.
fn better(found: Solution, program: &Proved) -> Solution {
    if compare(program.declaration(), found.program.listing(), program.listing()).is_le() {
        return found;
    }
    Solution { program: program.clone(), ..found }
}
