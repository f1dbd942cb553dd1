//! The instructions that a search has to choose from.

use cain_isa::Instruction;

use crate::Objective;
use crate::engine::beam::Alternatives;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::macros::allocate;
use crate::engine::macros::bags::Bags;
use crate::engine::macros::moves::Moves;
use crate::engine::noise::ErrorModel;
use crate::engine::prices::Prices;
use crate::engine::problem::Problem;
use crate::engine::space::{Errors, Space};
use crate::engine::steps::Step;
use crate::engine::words;
use crate::engine::words::bags::WordBags;
use crate::engine::words::bound::words_for_pixels;
use crate::engine::words::epilogue::epilogue;
use crate::engine::words::moves::WordMoves;
use crate::engine::words::noise::WordErrors;

/// Macro instructions or control words.
#[derive(Clone, Copy)]
pub(super) enum Repertoire<'a> {
    Macros(&'a Moves),
    Words(&'a WordMoves),
}

impl<'a> Repertoire<'a> {
    /// The bags of a problem. `strict` rules out those that would need an extra move between registers; `wary` prefers
    /// those that leave registers free.
    pub(super) fn space(self, problem: &'a Problem, strict: bool, wary: bool) -> Box<dyn Space + 'a> {
        match self {
            Self::Macros(moves) => Box::new(Bags::new(problem, moves, strict, wary)),
            Self::Words(moves) => Box::new(WordBags::new(problem, moves, wary)),
        }
    }

    pub(super) fn prices(self, objective: Objective) -> Prices {
        match self {
            Self::Macros(moves) => Prices::new(objective, moves.forms()),
            Self::Words(_) => Prices::of_words(objective),
        }
    }

    /// The program of a list of steps, last instruction first; `None` if the registers do not suffice.
    pub(super) fn allocate(self, problem: &Problem, goals: &Goals, steps: &[Step]) -> Option<Vec<Instruction>> {
        match self {
            Self::Macros(moves) => allocate::allocate(problem, moves.forms(), goals, steps),
            Self::Words(moves) => {
                let mut listing = words::allocate::allocate(problem, moves.forms(), steps)?;
                listing.extend(epilogue(problem, moves.offset_rule())?);
                Some(listing.into_iter().map(Instruction::Word).collect())
            }
        }
    }

    /// The instructions at the very end, which no step makes: zeros, and copies of what is there.
    pub(super) fn epilogue(self, problem: &Problem) -> Option<Vec<Instruction>> {
        match self {
            Self::Macros(moves) => allocate::epilogue(problem, moves.forms()),
            Self::Words(moves) => {
                Some(epilogue(problem, moves.offset_rule())?.into_iter().map(Instruction::Word).collect())
            }
        }
    }

    /// No program that makes all targets has fewer instructions.
    pub(super) fn lower_bound(self, problem: &'a Problem, goals: &Goals) -> u32 {
        let space = self.space(problem, true, false);
        let bound = space.lower_bound(goals, &space.last());
        match self {
            Self::Macros(_) => bound,
            Self::Words(_) => {
                let targets: Vec<GoalId> = problem.targets.iter().map(|target| target.0).collect();
                bound.max(words_for_pixels(goals, &targets))
            }
        }
    }

    /// Native programs may have to be compensated, which not all can be.
    pub(super) fn alternatives(self) -> Alternatives {
        match self {
            Self::Macros(_) => Alternatives { per_layer: 16, later: false },
            Self::Words(_) => Alternatives { per_layer: 256, later: true },
        }
    }

    /// What instructions do to errors.
    pub(super) fn errors(self, problem: &'a Problem) -> Box<dyn Errors + 'a> {
        match self {
            Self::Macros(moves) => Box::new(ErrorModel::new(problem, moves)),
            Self::Words(moves) => Box::new(WordErrors::new(problem, moves)),
        }
    }
}
