//! The incumbent: the best program so far.

use std::hash::BuildHasher as _;

use cain_isa::{Instruction, Stop};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::superfluous::without_superfluous;
use crate::costs::{Costs, allowance, count};
use crate::engine::budget::Budget;
use crate::engine::goals::Goals;
use crate::engine::step::Step;
use crate::engine::target::Target;
use crate::engine::values::{ValueStep, on_values};
use crate::engine::work;
use crate::switches::SwitchError;
use crate::{Declaration, Proved, Technique, VerifyError, verify};

/// The best program so far, and what a better one is checked against.
pub(super) struct Incumbent<'a> {
    pub(super) declaration: &'a Declaration,
    pub(super) target: &'a dyn Target,
    /// Told of each program that becomes the best.
    pub(super) note: &'a mut dyn FnMut(&Proved),
    pub(super) best: Option<Best>,
    pub(super) nodes_to_first: u64,
    /// The nodes spent on further ways; see [`offer_ways`](Self::offer_ways).
    pub(super) used_for_ways: u64,
    /// The least error, in DN, of the programs that were refused because of their error.
    pub(super) most_accurate: Option<f64>,
    /// The hashes of the programs that were refused. Different steps often lead to the same program, and completing one takes
    /// long.
    pub(super) refused: HashSet<u64, FxBuildHasher>,
    /// The reason for refusing the program that comes nearest to being interruptible within the limit.
    pub(super) soonest: Option<SwitchError>,
}

/// When a program was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// With all work that was done so far.
    Now,
    /// With less, when the budget was not used up.
    Before,
}

/// A program that was found.
pub(super) struct Best {
    pub(super) program: Proved,
    /// Its steps on values, without moves between registers, if it was found from goals.
    pub(super) steps: Option<Vec<ValueStep>>,
    pub(super) costs: Costs,
    /// The nodes used when it was found.
    pub(super) nodes: u64,
}

impl Incumbent<'_> {
    /// Takes the program of a list of steps (last instruction first) if it fits the registers and is better. Returns
    /// whether it was taken.
    pub(super) fn offer(&mut self, goals: &Goals, steps: &[Step], budget: &mut Budget<'_>) -> bool {
        let listing = self.allocated(goals, steps, budget);
        listing.is_some_and(|listing| self.take_steps(goals, steps, listing, budget))
    }

    /// The program of a list of steps, if it fits the registers.
    pub(super) fn allocated(&self, goals: &Goals, steps: &[Step], budget: &mut Budget<'_>) -> Option<Vec<Instruction>> {
        let mut work = 0;
        let listing = self.target.allocate(goals, steps, &mut work);
        budget.charge(work);
        listing
    }

    /// Takes the program of a list of steps if it is better; returns whether it was taken.
    pub(super) fn take_steps(
        &mut self,
        goals: &Goals,
        steps: &[Step],
        listing: Vec<Instruction>,
        budget: &mut Budget<'_>,
    ) -> bool {
        let is_better = self.take(listing, budget);
        if let (true, Some(best)) = (is_better, &mut self.best) {
            best.steps = Some(on_values(goals, steps));
        }
        is_better
    }

    /// Takes a program if it is better; returns whether it was taken.
    pub(super) fn take(&mut self, listing: Vec<Instruction>, budget: &mut Budget<'_>) -> bool {
        self.take_found(listing, Found::Now, budget)
    }

    /// Takes a program that was found then if it is better; returns whether it was taken.
    pub(super) fn take_found(&mut self, listing: Vec<Instruction>, found: Found, budget: &mut Budget<'_>) -> bool {
        if !self.may_be_better(&listing) {
            return false;
        }
        let hash = FxBuildHasher.hash_one(&listing);
        if self.refused.contains(&hash) {
            return false;
        }
        let is_taken = self.complete(listing, found, budget);
        if !is_taken {
            self.refused.insert(hash);
        }
        is_taken
    }

    /// Completes a program and takes it if it is better; returns whether it was taken.
    fn complete(&mut self, listing: Vec<Instruction>, found: Found, budget: &mut Budget<'_>) -> bool {
        if self.declaration.options.looks_at_errors() {
            budget.charge(work::of_replay(listing.len(), self.declaration.weights()));
            if !self.may_be_accurate(&listing) {
                return false;
            }
        }
        let mut work = 0;
        let bound = self.best.as_ref().map(|best| best.costs);
        let allowance = allowance(self.declaration, &listing, bound.as_ref());
        let listing = if self.declaration.options.uses(Technique::Compensation) {
            self.target.completed(listing, allowance, &mut work)
        } else {
            Some(listing)
        };
        budget.charge(work);
        let Some(listing) = listing else { return false };
        if !self.is_better(Costs::without_error(&listing)) {
            return false;
        }
        // Predicting the error takes longer than counting, about as long as a proof.
        let work = work::of_replay(listing.len(), self.declaration.weights());
        budget.charge(work);
        let costs = Costs::of(self.declaration, &listing);
        if !self.is_better(costs) {
            return false;
        }
        // The allocator moves values without checking their gains.
        budget.charge(work);
        let program = match verify(self.declaration, &listing) {
            Ok(program) => program,
            Err(VerifyError::Inaccurate { rms, .. }) => {
                self.most_accurate = Some(self.most_accurate.map_or(rms, |least| least.min(rms)));
                return false;
            }
            Err(VerifyError::Interruption(error)) => {
                let latency = |error: &SwitchError| match error {
                    SwitchError::Latency { latency, .. } => *latency,
                    _ => u32::MAX,
                };
                if self.soonest.as_ref().is_none_or(|soonest| latency(&error) < latency(soonest)) {
                    self.soonest = Some(error);
                }
                return false;
            }
            Err(_) => return false,
        };
        let shorter = without_superfluous(program.clone(), work, budget);
        // Beyond the budget, only a first program counts.
        let is_beyond = matches!(budget.stopped(), Some(Stop::Nodes | Stop::Patience));
        if self.best.is_some() && found == Found::Now && is_beyond {
            return false;
        }
        if self.best.is_none() {
            self.nodes_to_first = budget.used();
        }
        // Without an instruction, errors may cancel less than those of the best program.
        let is_shorter = shorter.listing().len() < listing.len();
        let (program, costs) = match is_shorter.then(|| Costs::of(self.declaration, shorter.listing())) {
            Some(of_shorter) if self.is_better(of_shorter) => (shorter, of_shorter),
            _ => (program, costs),
        };
        let objective = self.declaration.options.objective_in_force();
        let is_tie = |best: &Best| objective.compare_without_ties(&costs, &best.costs).is_eq();
        budget.improved(program.listing().len(), self.best.as_ref().is_some_and(is_tie));
        (self.note)(&program);
        self.best = Some(Best { program, steps: None, costs, nodes: budget.used() });
        true
    }

    /// Whether a program would be better if it had no error.
    pub(super) fn may_be_better(&self, listing: &[Instruction]) -> bool {
        self.is_better(Costs::without_error(listing))
    }

    fn is_better(&self, costs: Costs) -> bool {
        let objective = self.declaration.options.objective_in_force();
        self.best.as_ref().is_none_or(|best| objective.compare(&costs, &best.costs).is_lt())
    }

    /// Whether a program may be accurate enough once it is completed. Completing changes its bias and adds to all other
    /// errors.
    ///
    /// Completing a program takes much longer than predicting its error.
    fn may_be_accurate(&self, listing: &[Instruction]) -> bool {
        let options = &self.declaration.options;
        let least = Costs::without_bias(self.declaration, listing);
        let rms = least.error.sqrt();
        // If no program is accurate enough, the most accurate one is of interest.
        let is_of_use = options.accuracy.is_none_or(|limit| rms <= limit.to_f64())
            || self.most_accurate.is_none_or(|most_accurate| rms < most_accurate);
        is_of_use && self.is_better(least)
    }

    /// The costs that steps must stay below: those of the best program, less the zeros and copies that no step makes.
    pub(super) fn bound(&self) -> Option<Costs> {
        let extra = self.target.epilogue().unwrap_or_default();
        let words = count(extra.iter().map(Instruction::icws).sum());
        let extra = Costs { macros: count(extra.len()), icws: words, ..Costs::NONE };
        self.best.as_ref().map(|best| best.costs.less(extra))
    }

    /// The nodes used when the best program was found.
    pub(super) fn nodes(&self) -> Option<u64> {
        self.best.as_ref().map(|best| best.nodes)
    }
}
