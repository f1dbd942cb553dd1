//! The search over macro instructions.
//!
//! A bag is the values that registers hold.
//!
//! - [`forms`]: what the instructions compute, read off the machine.
//! - [`successors`]: which steps could have made a goal.
//! - [`states`]: what a step does to a bag, and how many registers it takes.
//! - [`bound`]: a number of instructions below which no program exists; [`weights`]: those of the estimate.
//! - [`noise`]: what the instructions do to errors.
//! - [`allocation`]: registers for the values of a finished list of steps, and the instructions at the end.
//! - [`first`]: a program without a search.
//! - [`exhaust`]: all programs on values of a few instructions; [`peephole`]: parts of a program, searched in that way.

pub(crate) mod allocation;
pub(crate) mod bound;
pub(crate) mod exhaust;
pub(crate) mod first;
pub(crate) mod forms;
pub(crate) mod noise;
pub(crate) mod peephole;
pub(crate) mod states;
pub(crate) mod successors;
pub(crate) mod weights;

use cain_isa::Instruction;

use super::cost_model::CostModel;
use super::goals::Goals;
use super::occupancy::Occupancy;
use super::problem::Problem;
use super::states::{NoiseModel, StateSpace};
use super::step::Step;
use super::target::Target;
use super::values::{Answer, Query, ValueStep, Whole};
use crate::costs::count;
use crate::{Declaration, Objective};
use forms::Forms;
use noise::ErrorModel;
use states::MacroStates;
use successors::Successors;

/// Macro instructions as the target of a search.
pub(crate) struct MacroTarget<'a> {
    declaration: &'a Declaration,
    problem: &'a Problem,
    successors: Successors,
}

impl<'a> MacroTarget<'a> {
    pub(crate) fn new(declaration: &'a Declaration, problem: &'a Problem) -> Self {
        let forms = Forms::of(declaration.options.instructions, &declaration.machine);
        Self { declaration, problem, successors: Successors::new(forms, problem) }
    }

    fn forms(&self) -> &Forms {
        self.successors.forms()
    }
}

impl Target for MacroTarget<'_> {
    fn states(&self, strict: bool) -> Box<dyn StateSpace + '_> {
        let occupancy = Occupancy::new(self.problem);
        let occupancy = if strict { occupancy } else { occupancy.with_moves() };
        Box::new(MacroStates::new(&self.successors, occupancy))
    }

    fn cost_model(&self, objective: Objective) -> CostModel {
        CostModel::new(objective, self.forms().iter().map(|form| count(form.op.icws())))
    }

    fn noise_model(&self) -> Box<dyn NoiseModel + '_> {
        Box::new(ErrorModel::new(self.problem, &self.successors))
    }

    fn lower_bound(&self, goals: &Goals) -> u32 {
        let states = self.states(true);
        states.lower_bound(goals, &states.last())
    }

    fn alternatives(&self) -> usize {
        16
    }

    fn allocate(&self, goals: &Goals, steps: &[Step], work: &mut u64) -> Option<Vec<Instruction>> {
        allocation::allocate(self.problem, self.forms(), (goals, steps), work)
    }

    fn epilogue(&self) -> Option<Vec<Instruction>> {
        allocation::epilogue(self.problem, self.forms())
    }

    fn first_program(
        &self,
        goals: &Goals,
        _search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
    ) -> Option<Vec<Instruction>> {
        first::in_sequence(self.problem, self.forms(), goals)
    }

    fn enough_registers(&self) -> Option<usize> {
        first::enough_registers(self.declaration)
    }

    fn exhaust(&self, query: &Query<'_>, take: &mut dyn FnMut() -> bool) -> Answer {
        exhaust::exhaust(self.forms(), query, take)
    }

    fn shorten(
        &self,
        whole: &Whole<'_>,
        take: &mut dyn FnMut() -> bool,
        accept: &mut dyn FnMut(Vec<ValueStep>) -> bool,
    ) -> bool {
        peephole::shorten(self.forms(), whole, take, accept)
    }
}
