//! Exhaustive search for programs that are shorter than the best one, and for shorter parts of it.

use std::cell::RefCell;

use super::Run;
use crate::costs::count;
use crate::engine::budget::at_most;
use crate::engine::cost_model::CostModel;
use crate::engine::goals::GoalId;
use crate::engine::memory::room_of_tables;
use crate::engine::problem::Problem;
use crate::engine::short::{self, Patterns};
use crate::engine::values::{Answer, Query, Whole, reversed};
use crate::verify;

/// The part of the budget that goes to trying all short programs.
const EXHAUSTIVE: u64 = 8;
/// The length up to which all programs are tried on the registers there are, and the part of the budget that goes to
/// that. The lower bound of most kernels is beyond it, so that it costs nothing; for the others it is little work.
const SHORT: u32 = 3;
const SHORT_BUDGET: u64 = 2;

impl Run<'_> {
    /// Whether no program can be better than the best one.
    pub(super) fn is_proved(&self, cost_model: &CostModel) -> bool {
        let lower_bound = self.lower_bound();
        self.incumbent.best.as_ref().is_some_and(|best| cost_model.is_least(best.costs, lower_bound))
    }

    /// Tries all programs that are shorter than the best one, as far as a part of the budget goes.
    pub(super) fn exhaust(&mut self) {
        let Some(best) = &self.incumbent.best else { return };
        let Problem { inputs, wanted, zeros, copies, gain, memory, .. } = self.problem;
        let length = best.program.listing().len().saturating_sub(zeros.len() + copies.len());
        let Some(most) = length.checked_sub(1).and_then(|most| u32::try_from(most).ok()) else { return };
        let goals = &self.goals;
        let known: Vec<_> = inputs.iter().map(|input| goals.terms(input.goal)).collect();
        let wanted: Vec<_> = wanted.iter().map(|wanted| goals.terms(wanted.0)).collect();
        let query = Query { known: &known, wanted: &wanted, most, gain: *gain, room: room_of_tables(*memory) };
        let nodes = self.budget.left() / EXHAUSTIVE;
        let answer = self.incumbent.target.exhaust(&query, &mut at_most(nodes, || self.budget.take()));
        match answer {
            Answer::None => self.refute_below(most + 1),
            Answer::Undecided { at_least } => self.refute_below(at_least),
            Answer::Program(program) => {
                self.refute_below(u32::try_from(program.steps.len()).unwrap_or(most));
                if program.finer == 0
                    && let Some(steps) = reversed(&mut self.goals, &program.steps)
                {
                    self.incumbent.offer(&self.goals, &steps, &mut self.budget);
                }
            }
        }
    }

    /// Tries all programs of up to [`SHORT`] instructions on the registers there are, as far as they may be better than
    /// the best one.
    pub(super) fn try_short_ones(&mut self) {
        let least = self.lower_bound();
        let best = self.incumbent.best.as_ref().map(|best| count(best.program.listing().len()).saturating_sub(1));
        let lengths = least..=best.unwrap_or(SHORT).min(SHORT);
        if lengths.is_empty() {
            return;
        }
        let Self { problem, goals, incumbent, budget, .. } = self;
        let patterns = Patterns::of(incumbent.declaration.options.instructions, &incumbent.declaration.machine);
        let nodes = budget.left() / SHORT_BUDGET;
        let budget = RefCell::new(budget);
        let answer = short::find(
            (problem, goals),
            &patterns,
            lengths,
            &mut at_most(nodes, || budget.borrow_mut().take()),
            &mut |listing| {
                let is_right = verify(incumbent.declaration, &listing).is_ok();
                if is_right {
                    incumbent.take(listing, &mut budget.borrow_mut());
                }
                is_right
            },
        );
        self.refute_below(answer.at_least);
    }

    /// Records that no program has fewer instructions.
    fn refute_below(&mut self, at_least: u32) {
        self.at_least = self.at_least.max(at_least);
    }

    /// Shortens parts of the best program with what is left of the budget.
    pub(super) fn shorten(&mut self) {
        let Self { problem, goals, incumbent, .. } = self;
        let budget = RefCell::new(&mut self.budget);
        let stored = |goal: GoalId| goals.terms(goal).to_vec();
        let inputs: Vec<_> = problem.inputs.iter().map(|input| stored(input.goal)).collect();
        let wanted: Vec<_> = problem.wanted.iter().map(|wanted| stored(wanted.0)).collect();
        while let Some(steps) = incumbent.best.as_ref().and_then(|best| best.steps.clone()) {
            let whole = Whole {
                inputs: inputs.iter().map(Vec::as_slice).collect(),
                wanted: wanted.iter().map(Vec::as_slice).collect(),
                gain: problem.gain,
                room: room_of_tables(problem.memory),
                steps: &steps,
            };
            let target = incumbent.target;
            let shortened = target.shorten(&whole, &mut || budget.borrow_mut().take(), &mut |shorter| {
                reversed(goals, &shorter).is_some_and(|steps| incumbent.offer(goals, &steps, &mut budget.borrow_mut()))
            });
            if !shortened {
                return;
            }
        }
    }
}
