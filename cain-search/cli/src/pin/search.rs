//! Searching the plan of one kernel.

use std::ops::ControlFlow;

use cain_codegen::printable::Printable;
use cain_isa::{Instruction, Stop};
use cain_search::{Declaration, Progress, SearchError, Solution, compare, search_watched, verify};

use super::kernel::Kernel;
use super::store::store;

/// What stands in a kernel's plan file.
pub(crate) enum Standing {
    /// There is no file.
    Nothing,
    /// A file that has to be replaced, with its program if that would do all the same.
    Wrong(Option<Vec<Instruction>>),
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
        let file = || plans.read(&declaration.name).ok().flatten();
        match plans.load(declaration) {
            Ok(None) => Ok(Self::Nothing),
            Ok(Some(solution)) => {
                let is_final = match solution.statistics.stop {
                    Stop::Proved | Stop::Exhausted => true,
                    Stop::Nodes => file().is_some_and(|file| file.budget() >= declaration.options.nodes),
                    _ => false,
                };
                Ok(Self::Right { solution, is_final })
            }
            Err(error) if error.is_replaceable() => {
                Ok(Self::Wrong(file().and_then(|file| file.program_for(declaration).map(<[_]>::to_vec))))
            }
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
    /// It had this program, which costs more, or about which less was proved.
    Better(Solution),
}

/// Searches a program for the kernel, and keeps it if it is better than what stands.
pub(crate) fn pin(
    kernel: &Kernel,
    standing: &Standing,
    watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Pinned, String> {
    let Kernel { declaration, plans, .. } = kernel;
    let found = match (search_watched(declaration, watch), standing) {
        (Ok(found), Standing::Wrong(Some(listing))) => better(declaration, found, listing),
        (Ok(found), _) => Ok(found),
        // A short search can miss what a long one has found.
        (Err(SearchError::Budget { .. }), Standing::Right { solution, .. }) => {
            return Ok(Pinned { solution: solution.clone(), change: Change::Kept });
        }
        (Err(error), _) => Err(error),
    };
    let found = found.map_err(|error| kernel.blame(&error))?;
    let standing_by_now = store(plans, declaration, &found).map_err(|error| {
        format!("{}: the plan cannot be written: {error}", Printable(plans.shown(kernel.name()).display()))
    })?;
    Ok(match (standing_by_now, standing) {
        (Some(solution), _) => Pinned { solution, change: Change::Kept },
        (None, Standing::Nothing) => Pinned { solution: found, change: Change::New },
        (None, Standing::Wrong(_)) => Pinned { solution: found, change: Change::Renewed },
        (None, Standing::Right { solution, .. }) => {
            Pinned { solution: found, change: Change::Better(solution.clone()) }
        }
    })
}

/// The solution, with another program if that is better.
fn better(declaration: &Declaration, found: Solution, listing: &[Instruction]) -> Result<Solution, SearchError> {
    if compare(declaration, &found.listing, listing).is_le() {
        return Ok(found);
    }
    let report = verify(declaration, listing)?;
    Ok(Solution { listing: listing.to_vec(), report, ..found })
}
