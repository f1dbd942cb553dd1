//! The search over macro instructions.
//!
//! A bag consists of the values that registers hold.
//!
//! - [`forms`]: what the instructions compute, read off the machine.
//! - [`successors`]: which steps could have made a goal.
//! - [`states`]: what a step does to a bag, and how many registers it takes.
//! - [`bound`]: a lower bound on the number of instructions; [`weights`]: the weights of the estimate.
//! - [`noise`]: what the instructions do to errors; [`offsets`]: what they leave of the offset error, if it has to
//!   cancel; [`compensation`]: cancels what is left in a finished program.
//! - [`allocation`]: assigns registers to the values of a finished list of steps, and adds the instructions at the end.
//! - [`first`]: a program without a search.
//! - [`exhaust`]: tries all programs of a few instructions on values; [`peephole`]: searches parts of a program in that
//!   way.
//! - [`mod@exchange`]: the instructions as the exchange of values sees them; [`mod@read`]: reads the values of a
//!   listing.

pub(crate) mod allocation;
pub(crate) mod bound;
pub(crate) mod compensation;
mod error_paths;
mod exchange;
pub(crate) mod exhaust;
pub(crate) mod first;
pub(crate) mod forms;
mod machine;
pub(crate) mod noise;
pub(crate) mod offsets;
pub(crate) mod peephole;
mod read;
pub(crate) mod states;
pub(crate) mod successors;
pub(crate) mod weights;

use cain_isa::Instruction;

use super::cost_model::CostModel;
use super::error_estimate::ErrorEstimate;
use super::goals::Goals;
use super::occupancy::Occupancy;
use super::problem::Problem;
use super::states::{NoiseModel, StateSpace};
use super::step::Step;
use super::target::Target;
use super::terms::Term;
use super::values::{Answer, Exchanged, Query, Unfinished, ValueStep, Walk, Whole};
use crate::costs::count;
use crate::{Declaration, Objective, OffsetRule};
use compensation::compensate;
use forms::{Forms, Shape};
use noise::MacroErrors;
use offsets::OffsetModel;
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

    fn cancels_offsets(&self) -> bool {
        self.declaration.options.offset == OffsetRule::Cancelled && self.forms().shaped(Shape::Divide).next().is_some()
    }
}

impl Target for MacroTarget<'_> {
    fn states(&self, strict: bool) -> Box<dyn StateSpace + '_> {
        let occupancy = Occupancy::new(self.problem);
        let occupancy = if strict { occupancy } else { occupancy.with_moves() };
        Box::new(MacroStates::new(weights::weights(self.declaration), &self.successors, occupancy))
    }

    fn cost_model(&self, objective: Objective) -> CostModel {
        CostModel::new(objective, self.forms().iter().map(|form| count(form.op.icws())))
    }

    fn noise_model(&self, goals: &Goals) -> Box<dyn NoiseModel + '_> {
        let estimate = ErrorEstimate::new(self.declaration, self.problem, goals);
        let chip = &self.declaration.options.error_model;
        Box::new(MacroErrors::new(self.problem, &self.successors, chip, estimate))
    }

    fn offset_model(&self) -> Option<Box<dyn NoiseModel + '_>> {
        let chip = &self.declaration.options.error_model;
        self.cancels_offsets().then(|| Box::new(OffsetModel::new(self.problem, &self.successors, chip)) as Box<_>)
    }

    fn lower_bound(&self, goals: &Goals) -> u32 {
        let states = self.states(true);
        states.lower_bound(goals, &states.last())
    }

    fn alternatives(&self) -> usize {
        if self.cancels_offsets() { 64 } else { 16 }
    }

    fn allocate(&self, goals: &Goals, steps: &[Step], work: &mut u64) -> Option<Vec<Instruction>> {
        allocation::allocate(self.problem, self.forms(), (goals, steps), work)
    }

    fn epilogue(&self) -> Option<Vec<Instruction>> {
        allocation::epilogue(self.problem, self.forms())
    }

    /// Compensates offset errors if they have to cancel.
    fn completed(&self, listing: Vec<Instruction>, allowance: f64, work: &mut u64) -> Option<Vec<Instruction>> {
        if !self.cancels_offsets() {
            return Some(listing);
        }
        compensate(self.declaration, self.forms(), listing, allowance, work)
    }

    fn first_program(
        &self,
        goals: &Goals,
        _search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
    ) -> Option<Vec<Instruction>> {
        first::program(self.declaration, self.problem, self.forms(), goals)
    }

    fn enough_registers(&self) -> Option<usize> {
        first::enough_registers(self.declaration)
    }

    fn exhaust(&self, query: &Query<'_>, unfinished: &mut Unfinished, take: &mut dyn FnMut() -> bool) -> Answer {
        exhaust::exhaust(self.forms(), query, unfinished, take)
    }

    fn shorten(
        &self,
        whole: &Whole<'_>,
        take: &mut dyn FnMut() -> bool,
        accept: &mut dyn FnMut(Vec<ValueStep>) -> bool,
    ) -> bool {
        peephole::shorten(self.forms(), whole, take, accept)
    }

    fn on_values(&self, _exchanged: Exchanged, listing: &[Instruction], inputs: &[&[Term]]) -> Option<Vec<ValueStep>> {
        read::on_values(self.problem, self.forms(), &self.declaration.machine, (listing, inputs))
    }

    fn exchange(
        &self,
        exchanged: Exchanged,
        whole: &Whole<'_>,
        walks: &mut [Walk],
        take: &mut dyn FnMut(u64) -> bool,
        accept: &mut dyn FnMut(&[ValueStep]) -> bool,
    ) -> bool {
        let Some(steps) = exchange::MacroSteps::of(self.forms()) else { return true };
        crate::engine::exchange::exchange((self.problem, &steps, exchanged), whole, walks, take, accept)
    }
}
