//! Passes of the beam, each wider than the one before.

use cain_isa::Stop;

use super::Run;
use crate::engine::beam::Beam;
use crate::engine::cost_model::CostModel;
use crate::engine::memory::{Memory, widest};

/// Bags kept per layer in the first pass; every further pass keeps [`WIDENING`] times as many.
pub(super) const FIRST_WIDTH: usize = 4;
pub(super) const WIDENING: usize = 4;
/// The last width at which passes try every focus.
const LAST_TRIAL: usize = FIRST_WIDTH * WIDENING;

/// What a pass prefers beside bags that look near to the inputs.
#[derive(Clone, Copy)]
pub(super) struct Focus {
    /// Whether it avoids bags with high register pressure. They are the shortest way to a few kernels and a dead end
    /// for many of them.
    pub(super) avoids_pressure: bool,
    /// What the error of a word that carries all of an output adds to the estimate of a bag, if errors are looked at. A
    /// large weight leads to the most accurate programs, a small one to any program where they are hard to find.
    pub(super) noise_weight: f64,
}

const SHORT: [Focus; 2] =
    [Focus { avoids_pressure: false, noise_weight: 0.0 }, Focus { avoids_pressure: true, noise_weight: 0.0 }];
pub(super) const QUIET: [Focus; 5] = [
    Focus { avoids_pressure: false, noise_weight: 30.0 },
    Focus { avoids_pressure: true, noise_weight: 100.0 },
    Focus { avoids_pressure: false, noise_weight: 300.0 },
    Focus { avoids_pressure: false, noise_weight: 1_000.0 },
    Focus { avoids_pressure: false, noise_weight: 3_000.0 },
];

impl Run<'_> {
    /// Passes of growing width, until the budget is used, the program is proved shortest, or all was tried.
    ///
    /// Narrow passes try every focus. Wide ones use the one that led to the best program, or all of them as long as
    /// there is no program.
    pub(super) fn widen(&mut self, strict: bool) -> Stop {
        let objective = self.incumbent.declaration.options.objective_in_force();
        let cost_model = self.incumbent.target.cost_model(objective);
        let all: &[Focus] = if self.noise_model.is_some() { &QUIET } else { &SHORT };
        let widest = widest(self.problem.memory, &self.goals, self.problem.wanted.iter().map(|wanted| wanted.0));
        let (mut width, mut foci, mut helpful) = (FIRST_WIDTH, all.iter().rev().copied().collect::<Vec<_>>(), None);
        loop {
            let used_before = self.budget.used();
            for &focus in &foci {
                let best_before = self.incumbent.nodes();
                let complete = self.pass(strict, focus, width, &cost_model);
                if self.is_proved(&cost_model) {
                    self.polish(strict, &cost_model);
                    return Stop::Proved;
                }
                if complete {
                    self.try_all();
                    return if self.is_proved(&cost_model) { Stop::Proved } else { Stop::Exhausted };
                }
                if let Some(stop) = self.budget.stopped() {
                    return stop;
                }
                if self.incumbent.nodes() != best_before {
                    helpful = Some(focus);
                }
            }
            if width == FIRST_WIDTH {
                self.try_all();
                if self.is_proved(&cost_model) {
                    return Stop::Proved;
                }
            }
            let used = (self.budget.used() - used_before) / u64::try_from(foci.len()).unwrap_or(1);
            foci = match helpful {
                Some(focus) if width >= LAST_TRIAL => vec![focus],
                _ => all.to_vec(),
            };
            match next_width(width, used, self.budget.left()).map(|next| next.min(widest)) {
                Some(next) if next > width => width = next,
                _ => {
                    self.shorten();
                    self.polish(strict, &cost_model);
                    return if self.is_proved(&cost_model) { Stop::Proved } else { Stop::Nodes };
                }
            }
        }
    }

    /// The exhaustive searches, which also find what bags cannot express.
    fn try_all(&mut self) {
        self.exhaust();
        self.try_short_ones();
    }

    /// Runs one pass; returns whether it was exhaustive.
    fn pass(&mut self, strict: bool, focus: Focus, width: usize, cost_model: &CostModel) -> bool {
        let incumbent = &mut self.incumbent;
        let states = incumbent.target.states(strict, focus.avoids_pressure);
        let mut beam = Beam {
            goals: &mut self.goals,
            steps: &mut self.steps,
            states: &*states,
            cost_model,
            noise_model: self.noise_model.as_deref(),
            noise_weight: focus.noise_weight / self.noise_model.as_deref().map_or(1.0, |model| model.estimate().unit()),
            width,
            alternatives: incumbent.target.alternatives(),
            memory: Memory::of(self.problem),
        };
        beam.run(&mut self.budget, incumbent.bound(), |goals, steps, budget| {
            incumbent.offer(goals, steps, budget);
            incumbent.bound()
        })
    }
}

/// The width of the next pass, after one that used `used` nodes; `None` if the nodes left do not suffice for a wider
/// one.
///
/// A pass uses nodes roughly in proportion to its width. If they do not last for one that is [`WIDENING`] times wider
/// and for another one after that, the next pass takes nearly all of them: a pass that is cut short is wasted.
fn next_width(width: usize, used: u64, left: u64) -> Option<usize> {
    let widening = u64::try_from(WIDENING).unwrap_or(u64::MAX);
    if left / used.max(1) > widening + widening * widening {
        return Some(width.saturating_mul(WIDENING));
    }
    let affordable = u128::from(left / 8 * 7) * u128::try_from(width).ok()? / u128::from(used.max(1));
    usize::try_from(affordable).ok().filter(|&affordable| affordable > width)
}
