//! More accurate programs of the length that was found.

use std::ops::ControlFlow;

use super::Run;
use super::passes::{FIRST_WIDTH, QUIET, WIDENING};
use crate::engine::beam::Beam;
use crate::engine::budget::Budget;
use crate::engine::cost_model::CostModel;
use crate::engine::memory::Memory;

/// The part of the nodes used so far that go into accuracy, and how many at least.
const PART: u64 = 2;
const LEAST: u64 = 32;
/// The widest pass.
const WIDEST: usize = FIRST_WIDTH * WIDENING * WIDENING;

impl Run<'_> {
    /// Looks for a more accurate program that costs no more than the best one, with a part of the budget.
    ///
    /// What a pass finds by length is the most accurate of its programs only by chance: of two ways to make the same
    /// value from the same operands it knows one.
    pub(super) fn polish(&mut self, strict: bool, cost_model: &CostModel) {
        if self.noise_model.is_some() || self.incumbent.best.is_none() {
            return;
        }
        let nodes = self.budget.left().min((self.budget.used() / PART).max(LEAST));
        let Self { problem, goals, steps, incumbent, budget, .. } = self;
        let model = incumbent.target.noise_model(goals);
        let unit = model.estimate().unit();
        let mut watch = |_| if budget.take() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let mut part = Budget::new(nodes, &mut watch);
        let mut width = FIRST_WIDTH;
        while width <= WIDEST && part.stopped().is_none() {
            for focus in QUIET {
                let states = incumbent.target.states(strict, focus.avoids_pressure);
                let mut beam = Beam {
                    goals: &mut *goals,
                    steps: &mut *steps,
                    states: &*states,
                    cost_model,
                    noise_model: Some(&*model),
                    noise_weight: focus.noise_weight / unit,
                    width,
                    alternatives: incumbent.target.alternatives(),
                    memory: Memory::of(problem),
                };
                beam.run(&mut part, incumbent.bound(), |goals, steps, part| {
                    incumbent.offer(goals, steps, part);
                    incumbent.bound()
                });
            }
            width *= WIDENING;
        }
    }
}
