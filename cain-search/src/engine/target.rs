//! The interface between the search and the instructions that it uses.

use cain_isa::{Fraction, Instruction};

use super::cost_model::CostModel;
use super::goals::Goals;
use super::states::{NoiseModel, StateSpace};
use super::step::Step;
use super::terms::Term;
use super::values::{Answer, Exchanged, Query, Unfinished, ValueStep, Walk, Whole};
use crate::{Declaration, Objective};

/// The instructions from which a search for one problem has to choose.
pub(crate) trait Target {
    /// The bags of the problem. `strict` excludes bags that need a move between registers that no step makes.
    fn states(&self, strict: bool) -> Box<dyn StateSpace + '_>;

    /// The costs of the instructions.
    fn cost_model(&self, objective: Objective) -> CostModel;

    /// The effect of the instructions on errors.
    fn noise_model(&self, goals: &Goals) -> Box<dyn NoiseModel + '_>;

    /// What the instructions leave of the offset error, if the search has to follow it.
    fn offset_model(&self) -> Option<Box<dyn NoiseModel + '_>> {
        None
    }

    /// The number of nodes from which on a learned estimate is of use; `None` if that exceeds the budget.
    fn learned_from(&self) -> Option<u64> {
        None
    }

    /// A lower bound on the number of instructions of programs that make all wanted values.
    fn lower_bound(&self, goals: &Goals) -> u32;

    /// How many complete lists of steps are tried in each layer and sweep after the first: they may be better in what
    /// breaks ties, and a list of steps may come to nothing.
    fn alternatives(&self) -> usize;

    /// Whether programs have to be [`completed`](Self::completed), which costs some more than others of the same
    /// length.
    fn completes(&self) -> bool {
        false
    }

    /// The program for a list of steps, last instruction first; `None` if the registers do not suffice. Adds to `work`.
    fn allocate(&self, goals: &Goals, steps: &[Step], work: &mut u64) -> Option<Vec<Instruction>>;

    /// The instructions at the very end, which no step makes: zeros, and copies of what is there.
    fn epilogue(&self) -> Option<Vec<Instruction>>;

    /// Adds to a program what the search leaves out; `None` if that is impossible, or possible only at a [`loss`] of
    /// `allowance` or more. Adds to `work`.
    ///
    /// [`loss`]: crate::costs::loss
    fn completed(&self, listing: Vec<Instruction>, _allowance: f64, _work: &mut u64) -> Option<Vec<Instruction>> {
        Some(listing)
    }

    /// The offset error of each output, which [`completed`](Self::completed) has to make up for; `None` if there is
    /// none, or if it is unknown.
    fn left_over(&self, _listing: &[Instruction]) -> Option<Vec<Fraction>> {
        None
    }

    /// A program to begin with, if the target has one that needs no search of its own. `search` solves another
    /// declaration with a part of the budget.
    fn first_program(
        &self,
        goals: &Goals,
        search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
    ) -> Option<Vec<Instruction>>;

    /// A program that needs no completion, for the case that none could be completed. `search` solves another
    /// declaration with a part of the budget.
    fn complete_program(
        &self,
        _search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
    ) -> Option<Vec<Instruction>> {
        None
    }

    /// A number of registers to overwrite that certainly suffices; `None` if none is known.
    fn enough_registers(&self) -> Option<usize>;

    /// Finds a shortest program on values, or proves that there is none, as far as the target can. `take` takes a node
    /// of the budget; what had not been tried when it refused is recorded in `unfinished`.
    fn exhaust(&self, _query: &Query<'_>, _unfinished: &mut Unfinished, _take: &mut dyn FnMut() -> bool) -> Answer {
        Answer::Undecided { at_least: 0 }
    }

    /// Offers programs that are shorter than the whole one, until one is accepted; returns whether one was. `take`
    /// takes a node of the budget.
    fn shorten(
        &self,
        _whole: &Whole<'_>,
        _take: &mut dyn FnMut() -> bool,
        _accept: &mut dyn FnMut(Vec<ValueStep>) -> bool,
    ) -> bool {
        false
    }

    /// The instructions of a program as steps on values, ready for exchange; `None` if the search cannot express them.
    fn on_values(
        &self,
        _exchanged: Exchanged,
        _listing: &[Instruction],
        _inputs: &[&[Term]],
    ) -> Option<Vec<ValueStep>> {
        None
    }

    /// Exchanges values of programs for others until `take`, which is told the work that was done, refuses more, and
    /// offers programs that beat the whole
    /// one and all accepted ones, or that are as good and [incomplete](Exchanged::Incomplete). Returns whether there is
    /// nothing to exchange.
    fn exchange(
        &self,
        _exchanged: Exchanged,
        _whole: &Whole<'_>,
        _walks: &mut [Walk],
        _take: &mut dyn FnMut(u64) -> bool,
        _accept: &mut dyn FnMut(&[ValueStep]) -> bool,
    ) -> bool {
        true
    }
}
