//! Chooses the target of a search.

use crate::engine::goals::Goals;
use crate::engine::macros::{self, MacroTarget};
use crate::engine::problem::Problem;
use crate::engine::target::Target;
use crate::engine::words::{self, WordTarget};
use crate::{Declaration, InstructionSet, SearchError};

/// The problem of a declaration, and a store for its goals with the weights of the target.
pub(super) fn problem_of(declaration: &Declaration) -> Result<(Problem, Goals), SearchError> {
    let weighing = match declaration.options.instructions {
        InstructionSet::Macro | InstructionSet::Basic => macros::weights::weighing(declaration),
        InstructionSet::Native => words::estimate::weighing(declaration),
    };
    Problem::new(declaration, weighing)
}

/// The target for a declaration.
pub(super) fn target_of<'a>(declaration: &'a Declaration, problem: &'a Problem) -> Box<dyn Target + 'a> {
    match declaration.options.instructions {
        InstructionSet::Macro | InstructionSet::Basic => Box::new(MacroTarget::new(declaration, problem)),
        InstructionSet::Native => Box::new(WordTarget::new(declaration, problem)),
    }
}
