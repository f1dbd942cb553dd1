//! Keeping the search within its memory.
//!
//! Goals and steps are stored once and kept, for they come again in the next pass. When all that a pass holds takes more
//! than its share, goals and steps are forgotten but those that its bags still need. What is forgotten is worked out
//! again when it is asked for, so that nothing but time is lost. Where too much is needed, bags that are less promising
//! are given up, and where even that does not help, the pass is.
//!
//! The memory is shared out like this:
//!
//! - a half for what a pass holds: goals, steps, layers, and the bags that it has seen;
//! - a quarter for what the steps add that are worked out at a time;
//! - a quarter for these steps while they are under way.
//!
//! The sizes that decide are those of the contents, never of what the allocator made of them: they are the same on every
//! machine and for any number of threads.

use super::beam::{Beam, Seen};
use super::draft::Draft;
use super::goals::{GoalId, Goals};
use super::layers::Layer;
use super::steps::{Question, Step, Steps};

/// Bytes for each bag that a pass keeps per layer, at least: some dozens of candidates, their steps and their goals.
const PER_BAG: usize = 16 << 10;
/// The goals that come with a bag.
const GOALS_PER_BAG: usize = 32;
/// How much larger than its contents a growing vector may be, while it is copied to a larger one.
const SLACK: u64 = 3;

/// The widest pass that fits into so many bytes, for targets with at most so many terms.
pub(crate) fn widest(memory: u64, goals: &Goals, targets: impl Iterator<Item = GoalId>) -> usize {
    let largest = targets.map(|goal| goals.bytes_of(&[goal])).max().unwrap_or(0);
    let per_bag = (largest * GOALS_PER_BAG).max(PER_BAG);
    usize::try_from(memory / 4).unwrap_or(usize::MAX) / per_bag
}

/// The most that the steps may take that make one goal, in bytes.
pub(crate) fn room_of_draft(memory: u64) -> usize {
    usize::try_from(memory / 64).unwrap_or(usize::MAX)
}

/// The most that tables of an exhaustive search may take, in bytes.
pub(crate) fn room_of_tables(memory: u64) -> usize {
    usize::try_from(memory / 4 / SLACK).unwrap_or(usize::MAX)
}

/// What a pass has to give up to stay within its memory.
pub(super) enum Loss {
    Nothing,
    Bags,
    /// It cannot go on.
    Pass,
}

/// What layers need.
struct Needed {
    /// In growing order.
    steps: Vec<u32>,
    /// In growing order.
    goals: Vec<GoalId>,
}

impl Beam<'_> {
    /// Forgets goals and steps that no layer needs, if all that the pass holds takes more than its share, and bags if
    /// there are too many of them.
    pub(super) fn stay_within_memory(&mut self, layers: &mut [Layer], at: usize, seen: &Seen) -> Loss {
        let share = self.memory / 2;
        let held = |beam: &Self, layers: &[Layer]| beam.held(layers, at, seen);
        let stored = with_slack(self.goals.bytes() + self.steps.bytes());
        if stored + held(self, layers) <= share {
            return Loss::Nothing;
        }
        forget_bags(layers, at);
        let mut loss = Loss::Nothing;
        let mut most = usize::MAX;
        let needed = loop {
            let needed = self.needed(layers);
            let stored = with_slack(self.goals.bytes_of(&needed.goals) + Steps::bytes_of(needed.steps.len()));
            // With less to spare the same would be to do again at once.
            if stored + held(self, layers) <= share / 4 * 3 {
                break needed;
            }
            if most <= 1 {
                return Loss::Pass;
            }
            most = if most == usize::MAX { 4 * self.width } else { most / 2 };
            for layer in layers.iter_mut() {
                if !layer.trim(most) {
                    loss = Loss::Bags;
                }
            }
        };
        self.forget(layers, &needed);
        loss
    }

    /// What a pass holds beside goals and steps, in bytes.
    fn held(&self, layers: &[Layer], at: usize, seen: &Seen) -> u64 {
        let influences = match self.errors {
            Some(_) => layers[at].nodes.iter().map(|node| node.influences.bytes()).sum(),
            None => 0,
        };
        let layers: usize = layers.iter().map(Layer::bytes).sum();
        with_slack(layers + seen.len() * size_of::<(u64, f64)>()) + u64::try_from(influences).unwrap_or(u64::MAX)
    }

    /// How much working out the questions is likely to add, in bytes.
    pub(super) fn expected(&self, question: Question) -> u64 {
        let terms = self.goals.terms(question.goal).len();
        let bytes = Draft::expected_bytes(terms, question.others().next().is_none());
        u64::try_from(bytes.min(room_of_draft(self.memory))).unwrap_or(u64::MAX)
    }

    /// How much may be added at a time, in bytes.
    pub(super) fn most_added(&self) -> u64 {
        self.memory / 4 / SLACK
    }

    /// How much the steps may take that are under way at a time, in bytes.
    pub(super) fn most_under_way(&self) -> u64 {
        self.memory / 4 / SLACK
    }

    fn needed(&self, layers: &[Layer]) -> Needed {
        let mut steps: Vec<u32> = layers.iter().flat_map(Layer::steps).collect();
        steps.sort_unstable();
        steps.dedup();
        let in_bags = layers.iter().flat_map(|layer| layer.bags.iter().copied());
        let mut goals: Vec<GoalId> = in_bags.filter(|&goal| goal != Step::NONE).collect();
        for &number in &steps {
            self.steps.get(number).renumbered(|goal| {
                goals.push(goal);
                goal
            });
        }
        // The goals of the problem are the first ones, and keep their numbers.
        goals.extend(self.space.first_goals());
        goals.sort_unstable();
        goals.dedup();
        Needed { steps, goals }
    }

    fn forget(&mut self, layers: &mut [Layer], needed: &Needed) {
        self.goals.retain(&needed.goals);
        let renumbered = |goal: GoalId| if goal == Step::NONE { goal } else { position(&needed.goals, goal) };
        self.steps.retain(&needed.steps, renumbered);
        for layer in layers {
            layer.bags.iter_mut().for_each(|goal| *goal = renumbered(*goal));
            layer.renumber_steps(|step| position(&needed.steps, step));
        }
    }
}

/// Forgets the bags of layers that were expanded and from which no candidate comes.
fn forget_bags(layers: &mut [Layer], at: usize) {
    let origins = layers.iter().flat_map(|layer| &layer.candidates).map(|candidate| candidate.origin.layer as usize);
    let first = origins.min().unwrap_or(at).min(at);
    layers[..first].iter_mut().for_each(Layer::forget_bags);
}

/// What contents may take up while they grow, in bytes.
fn with_slack(contents: usize) -> u64 {
    u64::try_from(contents).unwrap_or(u64::MAX).saturating_mul(SLACK)
}

/// The new number of what is kept: its place among all that are.
fn position(kept: &[u32], old: u32) -> u32 {
    kept.binary_search(&old).ok().and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
}
