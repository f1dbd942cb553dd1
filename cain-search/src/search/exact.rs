//! Exhaustive search for programs that are shorter than the best one, and for shorter parts of it.

use std::cell::RefCell;

use super::run::Run;
use crate::costs::count;
use crate::engine::budget::Allotment;
use crate::engine::cost_model::CostModel;
use crate::engine::memory::room_of_tables;
use crate::engine::problem::Problem;
use crate::engine::short::{self, Patterns};
use crate::engine::values::{Answer, Ends, Query, reversed};
use crate::engine::work;
use crate::verify;

/// The length up to which all programs are tried on the actual registers. The lower bound of most kernels is beyond it,
/// so the search costs nothing; for the others it is little work.
const SHORT: u32 = 3;

impl Run<'_> {
    /// Whether the best program is proved to be the best possible.
    pub(super) fn is_proved(&self, cost_model: &CostModel) -> bool {
        let lower_bound = self.lower_bound();
        self.incumbent.best.as_ref().is_some_and(|best| cost_model.is_least(best.costs, lower_bound))
    }

    /// Tries all programs that are shorter than the best one, with up to `nodes` nodes; returns whether they lasted.
    pub(super) fn exhaust(&mut self, nodes: u64) -> bool {
        let Some(best) = &self.incumbent.best else { return true };
        let Problem { inputs, wanted, zeros, copies, gain, memory, .. } = self.problem;
        let length = best.program.listing().len().saturating_sub(zeros.len() + copies.len());
        let Some(most) = length.checked_sub(1).and_then(|most| u32::try_from(most).ok()) else { return true };
        let goals = &self.goals;
        let known: Vec<_> = inputs.iter().map(|input| goals.terms(input.goal)).collect();
        let wanted: Vec<_> = wanted.iter().map(|wanted| goals.terms(wanted.0)).collect();
        let least = self.incumbent.target.lower_bound(goals).max(self.values_at_least);
        let query = Query { known: &known, wanted: &wanted, least, most, gain: *gain, room: room_of_tables(*memory) };
        let mut allotment = Allotment::new(&mut self.budget, nodes);
        let answer = self.incumbent.target.exhaust(&query, &mut self.unfinished, &mut || allotment.take(work::POINT));
        let has_lasted = allotment.has_lasted();
        match answer {
            Answer::None => self.refute_values_below(most + 1),
            Answer::Undecided { at_least } => self.refute_values_below(at_least),
            Answer::Program(program) => {
                self.refute_values_below(u32::try_from(program.steps.len()).unwrap_or(most));
                if program.finer == 0
                    && let Some(steps) = reversed(&mut self.goals, &program.steps)
                {
                    self.incumbent.offer(&self.goals, &steps, &mut self.budget);
                }
            }
        }
        has_lasted
    }

    /// Tries all programs of up to [`SHORT`] instructions on the actual registers that may be better than the best one,
    /// with up to `nodes` nodes; returns whether they lasted.
    pub(super) fn try_short_ones(&mut self, nodes: u64) -> bool {
        let least = self.lower_bound();
        let best = self.incumbent.best.as_ref().map(|best| count(best.program.listing().len()).saturating_sub(1));
        let lengths = least..=best.unwrap_or(SHORT).min(SHORT);
        if lengths.is_empty() {
            return true;
        }
        let Self { problem, goals, incumbent, budget, .. } = self;
        let patterns = Patterns::of(incumbent.declaration.options.instructions, &incumbent.declaration.machine);
        let allotment = RefCell::new(Allotment::new(budget, nodes));
        let answer = short::find(
            (problem, goals),
            &patterns,
            lengths,
            &mut |work| allotment.borrow_mut().take(work),
            &mut |listing| {
                let is_right = verify(incumbent.declaration, &listing).is_ok();
                if is_right {
                    incumbent.take(listing, allotment.borrow_mut().budget());
                }
                is_right
            },
        );
        let has_lasted = allotment.borrow().has_lasted();
        self.at_least = self.at_least.max(answer.at_least);
        has_lasted
    }

    /// Records a lower bound on the number of instructions that make the wanted values, zeros and copies aside.
    fn refute_values_below(&mut self, at_least: u32) {
        self.values_at_least = self.values_at_least.max(at_least);
        self.at_least = self.at_least.max(at_least);
    }

    /// Shortens parts of the best program, with up to `nodes` nodes; returns whether they lasted.
    pub(super) fn shorten(&mut self, nodes: u64) -> bool {
        let Self { problem, goals, incumbent, .. } = self;
        let allotment = RefCell::new(Allotment::new(&mut self.budget, nodes));
        let ends = Ends::of(problem, goals);
        while let Some(steps) = incumbent.best.as_ref().and_then(|best| best.steps.clone()) {
            let whole = ends.whole(&steps);
            let target = incumbent.target;
            let shortened = target.shorten(&whole, &mut || allotment.borrow_mut().take(work::POINT), &mut |shorter| {
                let steps = reversed(goals, &shorter);
                steps.is_some_and(|steps| incumbent.offer(goals, &steps, allotment.borrow_mut().budget()))
            });
            if !shortened {
                break;
            }
        }
        allotment.into_inner().has_lasted()
    }
}
