//! The order in which a search does its work.
//!
//! The order depends on what was found and on the work that was done, never on the budget. So a search with a larger
//! budget goes through everything that one with a smaller budget goes through, and then continues.

use std::ops::ControlFlow;

use cain_isa::Stop;

use super::foci::Foci;
use super::run::Run;
use super::share::{Part, Share};
use crate::Technique;
use crate::engine::beam::{Beam, Store, Swept};
use crate::engine::cost_model::CostModel;
use crate::engine::memory::Memory;
use crate::engine::values::Exchanged;

/// The nodes that are spent on accuracy once a program is proved shortest.
const ACCURACY_AT_END: u64 = 256;

/// Whether the beam has tried all bags and dropped none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Complete(pub(super) bool);

impl Run<'_> {
    /// Sweeps with growing width, interleaved with the other parts of the search whenever they are due, until the
    /// search has to stop or the beam has nothing left to try.
    pub(super) fn widen(&mut self, strict: bool) -> ControlFlow<Stop, Complete> {
        if !self.incumbent.declaration.options.uses(Technique::Beam) {
            return ControlFlow::Continue(Complete(false));
        }
        let target = self.incumbent.target;
        let (states, cost_model) = (target.states(strict), self.cost_model());
        let noise_model =
            if self.looks_at_errors() { Some(target.noise_model(&self.goals)) } else { target.offset_model() };
        let foci = Foci::of(self);
        let memory = Memory::of(self.problem);
        let models = (&*states, &cost_model);
        let mut beam = Beam::new(models, noise_model.as_deref(), foci.after(0), target.alternatives(), memory);
        if target.completes() {
            beam.note_ways();
        }
        let first_width = self.first_width();
        let (mut width, mut more, mut helpful) = (0, first_width, None);
        loop {
            let nodes = self.budget.used();
            beam.prefer(foci.after(nodes));
            for focus in foci.in_turn(nodes, width, helpful) {
                let best_before = self.incumbent.nodes();
                let incumbent = &mut self.incumbent;
                let store = Store { goals: &mut self.goals, steps: &mut self.steps };
                let swept =
                    beam.sweep(store, (focus, more), &mut self.budget, incumbent.bound(), |goals, ways, budget| {
                        incumbent.offer_ways(goals, ways, budget);
                        incumbent.bound()
                    });
                if self.incumbent.nodes() != best_before {
                    helpful = Some(focus);
                    self.open_all_but(None);
                    self.shares[Part::Others as usize].close();
                }
                match swept {
                    Swept::Through => drop(self.assist(Share::is_due)),
                    Swept::Stopped => {}
                    Swept::Nothing { complete } => return ControlFlow::Continue(Complete(complete)),
                }
                if self.is_proved(&cost_model) {
                    return ControlFlow::Break(self.proved());
                }
                if let Some(stop) = self.budget.stopped() {
                    return ControlFlow::Break(stop);
                }
            }
            if width == 0 && helpful.is_none() {
                self.after_vain_sweeps();
            }
            width += more;
            more = width;
        }
    }

    /// Whether the error is the objective or is limited.
    pub(super) fn looks_at_errors(&self) -> bool {
        self.incumbent.declaration.options.looks_at_errors()
    }

    pub(super) fn cost_model(&self) -> CostModel {
        self.incumbent.target.cost_model(self.incumbent.declaration.options.objective_in_force())
    }

    /// Continues the other parts once the beam has nothing left to try.
    pub(super) fn finish(&mut self, Complete(complete): Complete) -> Stop {
        // One of the bags that the beam dropped may have led to the only program.
        let nothing_left = if complete || self.incumbent.best.is_some() { Stop::Exhausted } else { Stop::Nodes };
        loop {
            if self.is_proved(&self.cost_model()) {
                return self.proved();
            }
            match self.budget.stopped() {
                // More nodes would not help the beam find a program.
                Some(Stop::Nodes) if self.incumbent.best.is_none() => return nothing_left,
                Some(stop) => return stop,
                None if !self.assist(|share, _| share.is_open()) => return nothing_left,
                None => {}
            }
        }
    }

    /// Ends the search once no program can be shorter; other programs of the same length may still be more accurate.
    fn proved(&mut self) -> Stop {
        self.polish(ACCURACY_AT_END);
        Stop::Proved
    }

    /// Continues those other parts of the search that `is_to_be` selects; returns whether there were any.
    fn assist(&mut self, is_to_be: impl Fn(Share, u64) -> bool) -> bool {
        let mut any = false;
        for part in Part::ALL {
            let share = self.shares[part as usize];
            if self.budget.stopped().is_some() || !is_to_be(share, self.budget.used()) {
                continue;
            }
            any = true;
            self.carry_on_with(part);
        }
        any
    }

    /// Continues a part with its next allotment.
    pub(super) fn carry_on_with(&mut self, part: Part) {
        let (best_before, bound_before) = (self.incumbent.nodes(), self.lower_bound());
        let nodes = self.shares[part as usize].take();
        let is_finished = match part {
            Part::Others => self.find_others(nodes),
            Part::ErrorsAside => self.search_errors_aside(nodes),
            Part::Complete => self.find_complete_one(nodes),
            Part::Large => self.try_as_large(nodes),
            Part::Exhaustive => self.exhaust(nodes),
            Part::Short => self.try_short_ones(nodes),
            Part::Peephole => self.shorten(nodes),
            Part::ExchangeIncomplete => self.exchange(Exchanged::Incomplete, nodes),
            Part::Exchange => self.exchange(Exchanged::Complete, nodes),
            Part::Accuracy => self.polish(nodes),
        };
        let has_improved = self.incumbent.nodes() != best_before;
        self.shares[part as usize].judge(has_improved || self.lower_bound() > bound_before);
        if is_finished {
            self.shares[part as usize].close();
        }
        if has_improved {
            self.open_all_but(Some(part));
        }
    }

    /// Reopens the parts [that improve the best program](Part::OF_BEST), since there is a new one, but not the `part`
    /// that found it.
    fn open_all_but(&mut self, part: Option<Part>) {
        for other in Part::OF_BEST.into_iter().filter(|other| Some(*other) != part) {
            self.shares[other as usize].open();
        }
    }
}
