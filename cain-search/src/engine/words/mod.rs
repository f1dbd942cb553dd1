//! The search over native control words.
//!
//! A word writes −(sum of its sources)/(number of its destinations), so it adds and halves at once. NEWS is one more
//! place for a value, and the only one that neighbours can read. A bag therefore consists of what NEWS holds, if
//! anything, and the values in registers. A value may be in two registers, because the bus cannot add a register to
//! itself.
//!
//! - [`forms`]: what words compute, read off the machine.
//! - [`successors`]: the words that could have made a goal, and their operands.
//! - [`states`]: what a word does to a bag, and which bags look near to the inputs.
//! - [`bound`]: a lower bound on the number of words; [`mod@estimate`]: how far a bag is from the inputs.
//! - [`noise`]: what words do to errors.
//! - [`allocation`]: assigns registers to the values of a finished list of steps; [`mod@epilogue`]: the words at the
//!   very end.
//! - [`first`]: a program from a search over macro instructions.
//! - [`mod@exchange`]: control words as the exchange of values sees them.
//! - [`compensation`]: cancels what is left of the offset error.

pub(crate) mod allocation;
pub(crate) mod bound;
pub(crate) mod compensation;
pub(crate) mod epilogue;
pub(crate) mod estimate;
mod exchange;
pub(crate) mod first;
pub(crate) mod forms;
pub(crate) mod noise;
pub(crate) mod states;
pub(crate) mod successors;

use cain_isa::{Fraction, Instruction, Word};

use super::cost_model::CostModel;
use super::error_estimate::ErrorEstimate;
use super::goals::{GoalId, Goals};
use super::occupancy::Occupancy;
use super::problem::Problem;
use super::states::{NoiseModel, StateSpace};
use super::step::Step;
use super::target::Target;
use super::terms::Term;
use super::values::{Exchanged, ValueStep, Walk, Whole};
use crate::{Declaration, Objective, OffsetRule};
use bound::words_for_pixels;
use compensation::compensate;
use epilogue::epilogue;
use exchange::{Errors, WordSteps};
use noise::WordErrors;
use states::WordStates;
use successors::Successors;

/// Control words as the target of a search.
pub(crate) struct WordTarget<'a> {
    declaration: &'a Declaration,
    problem: &'a Problem,
    successors: Successors,
}

impl<'a> WordTarget<'a> {
    pub(crate) fn new(declaration: &'a Declaration, problem: &'a Problem) -> Self {
        Self { declaration, problem, successors: Successors::new(problem, declaration.machine.bus) }
    }

    pub(crate) fn word_states(&self) -> WordStates<'_> {
        WordStates::new(&self.successors, Occupancy::new(self.problem), self.learned_from().is_some())
    }

    fn epilogue(&self) -> Option<Vec<Word>> {
        epilogue(self.problem, self.declaration.options.offset)
    }
}

impl Target for WordTarget<'_> {
    /// No word moves a value from register to register, so all bags are strict.
    fn states(&self, _strict: bool) -> Box<dyn StateSpace + '_> {
        Box::new(self.word_states())
    }

    /// Each word is an instruction.
    fn cost_model(&self, objective: Objective) -> CostModel {
        CostModel::new(objective, self.successors.forms().iter().map(|_| 1))
    }

    fn noise_model(&self, goals: &Goals) -> Box<dyn NoiseModel + '_> {
        let estimate = ErrorEstimate::new(self.declaration, self.problem, goals);
        Box::new(WordErrors::new(self.problem, &self.successors, estimate))
    }

    fn learned_from(&self) -> Option<u64> {
        estimate::learned_from(self.declaration)
    }

    fn lower_bound(&self, goals: &Goals) -> u32 {
        let states = self.states(true);
        let wanted: Vec<GoalId> = self.problem.wanted.iter().map(|wanted| wanted.0).collect();
        states.lower_bound(goals, &states.last()).max(words_for_pixels(goals, &wanted))
    }

    /// More than for macro instructions, because programs may have to be compensated, which is not always possible.
    fn alternatives(&self) -> usize {
        256
    }

    fn completes(&self) -> bool {
        self.declaration.options.offset == OffsetRule::Cancelled
    }

    fn allocate(&self, _goals: &Goals, steps: &[Step], work: &mut u64) -> Option<Vec<Instruction>> {
        let mut words = allocation::allocate(self.problem, self.successors.forms(), steps, work)?;
        words.extend(self.epilogue()?);
        Some(words.into_iter().map(Instruction::Word).collect())
    }

    fn epilogue(&self) -> Option<Vec<Instruction>> {
        Some(self.epilogue()?.into_iter().map(Instruction::Word).collect())
    }

    /// Compensates offset errors if they have to cancel.
    fn completed(&self, listing: Vec<Instruction>, allowance: f64, work: &mut u64) -> Option<Vec<Instruction>> {
        if !self.completes() {
            return Some(listing);
        }
        let words = compensate(self.declaration, &words_of(&listing), allowance, work)?;
        Some(words.into_iter().map(Instruction::Word).collect())
    }

    fn left_over(&self, listing: &[Instruction]) -> Option<Vec<Fraction>> {
        compensation::left_over(self.declaration, &words_of(listing))
    }

    fn first_program(
        &self,
        _goals: &Goals,
        search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
    ) -> Option<Vec<Instruction>> {
        // Offset errors are compensated at the end, which makes shorter programs.
        first::of_macros(self.declaration, OffsetRule::Any, search)
    }

    /// Where registers are scarce, there may be no room for any compensation.
    fn complete_program(
        &self,
        search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
    ) -> Option<Vec<Instruction>> {
        let rule = self.declaration.options.offset;
        if rule == OffsetRule::Any { None } else { first::of_macros(self.declaration, rule, search) }
    }

    fn enough_registers(&self) -> Option<usize> {
        first::enough_registers(self.declaration)
    }

    fn on_values(&self, exchanged: Exchanged, listing: &[Instruction], inputs: &[&[Term]]) -> Option<Vec<ValueStep>> {
        let errors = Errors::of(self.declaration, exchanged);
        let known = (self.successors.forms(), self.successors.kinds(), errors);
        exchange::on_values(self.problem, known, (&words_of(listing), inputs))
    }

    fn exchange(
        &self,
        exchanged: Exchanged,
        whole: &Whole<'_>,
        walks: &mut [Walk],
        take: &mut dyn FnMut(u64) -> bool,
        accept: &mut dyn FnMut(&[ValueStep]) -> bool,
    ) -> bool {
        let errors = Errors::of(self.declaration, exchanged);
        let steps = WordSteps::new(self.successors.forms(), self.successors.kinds(), errors);
        super::exchange::exchange((self.problem, &steps, exchanged), whole, walks, take, accept)
    }
}

fn words_of(listing: &[Instruction]) -> Vec<Word> {
    listing.iter().flat_map(Instruction::words).collect()
}
