//! Looks for more accurate programs of the same length.

use super::begin::FIRST_WIDTH;
use super::foci::ACCURATE;
use super::run::Run;
use super::target::problem_of;
use crate::engine::beam::{Beam, Store, Swept};
use crate::engine::budget::Budget;
use crate::engine::memo::StepMemo;
use crate::engine::memory::Memory;

impl Run<'_> {
    /// Looks for a more accurate program that costs no more than the best one, with up to `nodes` nodes; returns
    /// whether everything was tried.
    ///
    /// A sweep for short programs finds the most accurate one only by chance: of two ways to make the same value from
    /// the same operands it knows just one.
    pub(super) fn polish(&mut self, nodes: u64) -> bool {
        if self.looks_at_errors() || self.incumbent.best.is_none() {
            return true;
        }
        let cost_model = self.cost_model();
        // The goals of the main search must not be forgotten while it is still going on.
        let Ok((_, mut goals)) = problem_of(self.incumbent.declaration) else { return true };
        let mut steps = StepMemo::default();
        let Self { problem, incumbent, budget, .. } = self;
        let (target, best_before) = (incumbent.target, incumbent.nodes());
        let (model, states) = (target.noise_model(&goals), target.states(true));
        let models = (&*states, &cost_model);
        let memory = Memory::aside(problem);
        let mut beam = Beam::new(models, Some(&*model), &ACCURATE, target.alternatives(), memory);
        let mut watch = budget.shared();
        let mut allotment = Budget::new(nodes, &mut watch);
        let widths = std::iter::successors(Some(FIRST_WIDTH), |width| Some(2 * width));
        let mut sweeps = widths.flat_map(|width| ACCURATE.map(|focus| (focus, width))).map(|preference| {
            let store = Store { goals: &mut goals, steps: &mut steps };
            let bound = incumbent.bound();
            beam.sweep(store, preference, &mut allotment, bound, |goals, ways, allotment| {
                incumbent.offer_ways(goals, ways, allotment);
                incumbent.bound()
            })
        });
        let ended = sweeps.find(|swept| *swept != Swept::Through);
        drop(sweeps);
        drop(watch);
        let used = budget.used();
        if let Some(best) = incumbent.best.as_mut().filter(|best| Some(best.nodes) != best_before) {
            best.nodes = used;
        }
        matches!(ended, Some(Swept::Nothing { .. }))
    }
}
