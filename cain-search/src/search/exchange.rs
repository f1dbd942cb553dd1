//! Improves the best program by exchanging its values for others.

use std::cell::RefCell;

use super::incumbent::Incumbent;
use super::run::{Exchange, Run};
use crate::engine::budget::Allotment;
use crate::engine::values::{Ends, Exchanged, ValueStep, Walk, reversed};
use crate::engine::work;

/// The number of programs that are followed at the same time in allotments of `LARGE` nodes and more; in smaller ones
/// it is one.
const MANY: u64 = 4;
const LARGE: u64 = 2_048;
/// The exchange ends after an allotment that finds nothing, if it had this many nodes for the square of the number of
/// instructions.
const PATIENCE: u64 = 16;
/// The most outputs for which incomplete programs are exchanged: with more, it gains nothing on average, and where
/// registers are scarce, such programs can seldom be completed.
const FEW_OUTPUTS: usize = 3;

impl Run<'_> {
    /// Exchanges values of the best program, with up to `nodes` nodes; returns whether continuing would be of no use.
    pub(super) fn exchange(&mut self, exchanged: Exchanged, nodes: u64) -> bool {
        let Incumbent { declaration, target, .. } = self.incumbent;
        let is_of_use = match exchanged {
            Exchanged::Complete => true,
            Exchanged::Incomplete => target.completes() && declaration.outputs.len() <= FEW_OUTPUTS,
        };
        if !is_of_use {
            return true;
        }
        let Some(best) = self.steps_of_best(exchanged) else { return true };
        let of = self.incumbent.nodes();
        let count = if nodes < LARGE { 1 } else { MANY };
        let mut walks = match self.exchanges[exchanged as usize].take().filter(|exchange| exchange.of == of) {
            Some(Exchange { walks, .. }) if work::units(walks.len()) == count => walks,
            Some(Exchange { walks, .. }) => walks.first().map_or(Vec::new(), |walk| Walk::several(&walk.steps, count)),
            None => Walk::several(&best, count),
        };
        let Self { problem, goals, incumbent, .. } = self;
        let allotment = RefCell::new(Allotment::new(&mut self.budget, nodes));
        let ends = Ends::of(problem, goals);
        let mut take = |work| allotment.borrow_mut().record(work);
        let is_done = target.exchange(exchanged, &ends.whole(&best), &mut walks, &mut take, &mut |better| {
            let steps = reversed(goals, better);
            steps.is_some_and(|steps| incumbent.offer(goals, &steps, allotment.borrow_mut().budget()))
        });
        let now = self.incumbent.nodes();
        self.exchanges[exchanged as usize] = Some(Exchange { walks, of: now });
        is_done || (now == of && nodes >= PATIENCE * work::units(best.len()).pow(2))
    }

    /// The best program on values, with or without what completes it.
    fn steps_of_best(&self, exchanged: Exchanged) -> Option<Vec<ValueStep>> {
        let Incumbent { best, target, .. } = &self.incumbent;
        let best = best.as_ref()?;
        let found = if target.completes() { None } else { best.steps.clone() };
        found.or_else(|| {
            let inputs: Vec<_> = self.problem.inputs.iter().map(|input| self.goals.terms(input.goal)).collect();
            target.on_values(exchanged, best.program.listing(), &inputs)
        })
    }
}
