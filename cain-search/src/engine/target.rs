//! The interface between the search and the instructions that it uses.

use cain_isa::{Fraction, Instruction};

use super::cost_model::CostModel;
use super::goals::Goals;
use super::states::{NoiseModel, StateSpace};
use super::step::Step;
use super::terms::Term;
use super::values::{Answer, Exchanged, Query, Unfinished, ValueStep, Walk, Whole};
use crate::{Declaration, Objective};

/// The instructions that a search for one problem has to choose from.
pub(crate) trait Target {
    /// The bags of the problem. `strict` rules out those that need a move between registers that no step makes.
    fn states(&self, strict: bool) -> Box<dyn StateSpace + '_>;

    /// What instructions cost.
    fn cost_model(&self, objective: Objective) -> CostModel;

    /// What instructions do to errors.
    fn noise_model(&self, goals: &Goals) -> Box<dyn NoiseModel + '_>;

    /// What instructions leave of the offset error, if the search has to follow it.
    fn offset_model(&self) -> Option<Box<dyn NoiseModel + '_>> {
        None
    }

    /// The nodes from which on a learned estimate is of use; `None` if none is within the budget.
    fn learned_from(&self) -> Option<u64> {
        None
    }

    /// A number of instructions below which no program makes all wanted values.
    fn lower_bound(&self, goals: &Goals) -> u32;

    /// How many complete lists of steps are looked at in each layer and sweep beside the first: they may be better by what
    /// breaks ties, and a list of steps may come to nothing.
    fn alternatives(&self) -> usize;

    /// Whether programs have to be [`completed`](Self::completed), which takes more for some than for others of the same
    /// length.
    fn completes(&self) -> bool {
        false
    }

    /// The program of a list of steps, last instruction first; `None` if the registers do not suffice. Adds to `work`.
    fn allocate(&self, goals: &Goals, steps: &[Step], work: &mut u64) -> Option<Vec<Instruction>>;

    /// The instructions at the very end, which no step makes: zeros, and copies of what is there.
    fn epilogue(&self) -> Option<Vec<Instruction>>;

    /// Completes a program by what the search does not look at; `None` if that is not possible, or only at a [`loss`] of
    /// `allowance` or more. Adds to `work`.
    ///
    /// [`loss`]: crate::costs::loss
    fn completed(&self, listing: Vec<Instruction>, _allowance: f64, _work: &mut u64) -> Option<Vec<Instruction>> {
        Some(listing)
    }

    /// What [`completed`](Self::completed) has to make up for: the offset error of each output. `None` if nothing, or if
    /// that is not known.
    fn left_over(&self, _listing: &[Instruction]) -> Option<Vec<Fraction>> {
        None
    }

    /// A program to begin with, if one comes without a search for this target. `search` solves another declaration with
    /// a part of the budget.
    fn first_program(
        &self,
        goals: &Goals,
        search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
    ) -> Option<Vec<Instruction>>;

    /// The same where no program could be completed: one that needs no completion.
    fn complete_program(
        &self,
        _search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
    ) -> Option<Vec<Instruction>> {
        None
    }

    /// The number of registers to overwrite with which there is a program; `None` if none is known.
    fn enough_registers(&self) -> Option<usize>;

    /// Finds a shortest program on values, or proves that there is none, as far as the target knows how to. `take`
    /// takes a node of the budget; what was not tried when it refused is noted.
    fn exhaust(&self, _query: &Query<'_>, _unfinished: &mut Unfinished, _take: &mut dyn FnMut() -> bool) -> Answer {
        Answer::Undecided { at_least: 0 }
    }

    /// Offers shorter programs than the whole one, until one is accepted; returns whether one was. `take` takes a node
    /// of the budget.
    fn shorten(
        &self,
        _whole: &Whole<'_>,
        _take: &mut dyn FnMut() -> bool,
        _accept: &mut dyn FnMut(Vec<ValueStep>) -> bool,
    ) -> bool {
        false
    }

    /// The instructions of a program on values, to be exchanged; `None` if the search cannot express them.
    fn on_values(
        &self,
        _exchanged: Exchanged,
        _listing: &[Instruction],
        _inputs: &[&[Term]],
    ) -> Option<Vec<ValueStep>> {
        None
    }

    /// Exchanges values of programs for others as long as `take` gives work, and offers programs that are better than the
    /// whole one and all that were accepted, or as good and [incomplete](Exchanged::Incomplete); returns whether there is
    /// nothing to be exchanged.
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

    /// How many times as much of the work that gets for long programs.
    fn exchange_share(&self) -> u64 {
        1
    }
}
