//! Keeping the search within its memory.
//!
//! Goals and steps are stored once and kept, because the next pass needs them again. When a pass takes more than its
//! share, all goals and steps that its bags do not need are forgotten. They are worked out again when they are needed,
//! so that only time is lost. If even that takes too much, the less promising bags are given up, and finally the pass.
//!
//! The memory is shared out like this:
//!
//! - a half for what a pass holds: goals, steps, layers, and the bags that it has seen;
//! - a quarter for what is added by the steps that are worked out at a time;
//! - a quarter for these steps while they are worked out.
//!
//! Sizes are those of the contents, never of allocations: they are the same on every machine and for any number of
//! threads.

use super::draft::Draft;
use super::goals::{GoalId, Goals};
use super::layers::{Layer, Seen};
use super::memo::{ExpansionKey, StepMemo};
use super::problem::Problem;
use super::step::Step;

/// The least memory for each bag that a pass keeps per layer, in bytes: for dozens of candidates, their steps and
/// goals.
const PER_BAG: usize = 16 << 10;
/// Goals per bag.
const GOALS_PER_BAG: usize = 32;
/// How much memory a growing vector may take while it is copied to a larger one, relative to its contents.
const SLACK: u64 = 3;

/// The widest pass of a search for these values that fits into the memory.
pub(crate) fn widest(memory: u64, goals: &Goals, wanted: impl Iterator<Item = GoalId>) -> usize {
    let largest = wanted.map(|goal| goals.bytes_of(&[goal])).max().unwrap_or(0);
    let per_bag = (largest * GOALS_PER_BAG).max(PER_BAG);
    usize::try_from(memory / 4).unwrap_or(usize::MAX) / per_bag
}

/// How much memory the draft of one expansion may take, in bytes.
pub(crate) fn room_of_draft(memory: u64) -> usize {
    usize::try_from(memory / 64).unwrap_or(usize::MAX)
}

/// How much memory the tables of an exhaustive search may take, in bytes.
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
    /// In ascending order.
    steps: Vec<u32>,
    /// In ascending order.
    goals: Vec<GoalId>,
}

/// All that a pass holds.
pub(super) struct Held<'a> {
    pub(super) goals: &'a mut Goals,
    pub(super) steps: &'a mut StepMemo,
    pub(super) layers: &'a mut [Layer],
    /// The layer that is expanded.
    pub(super) at: usize,
    pub(super) seen: &'a Seen,
}

/// The memory of a search.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    /// In bytes.
    all: u64,
    /// The goals of the problem keep their numbers: they were stored before all others.
    first_goals: GoalId,
}

impl Memory {
    pub(crate) fn of(problem: &Problem) -> Self {
        Self { all: problem.memory, first_goals: *problem.first_goals().end() }
    }

    /// How much working out an expansion is likely to add, in bytes.
    pub(super) fn expected(self, goals: &Goals, key: ExpansionKey) -> u64 {
        let bytes = Draft::expected_bytes(goals.terms(key.goal).len(), key.others().next().is_none());
        u64::try_from(bytes.min(room_of_draft(self.all))).unwrap_or(u64::MAX)
    }

    /// How much may be added at a time, in bytes.
    pub(super) fn most_added(self) -> u64 {
        self.all / 4 / SLACK
    }

    /// How much the steps that are worked out at a time may take, in bytes.
    pub(super) fn most_under_way(self) -> u64 {
        self.all / 4 / SLACK
    }

    /// Forgets goals and steps that no layer needs, if all that a pass of this width holds takes more than its share,
    /// and bags if there are too many of them.
    pub(super) fn stay_within(self, mut held: Held<'_>, width: usize) -> Loss {
        let share = self.all / 2;
        let stored = with_slack(held.goals.bytes() + held.steps.bytes());
        if stored + held.bytes_of_layers() <= share {
            return Loss::Nothing;
        }
        forget_bags(held.layers, held.at);
        let mut loss = Loss::Nothing;
        let mut most = usize::MAX;
        let needed = loop {
            let needed = held.needed(self.first_goals);
            let stored = with_slack(held.goals.bytes_of(&needed.goals) + StepMemo::bytes_of(needed.steps.len()));
            // With less to spare this would be repeated at once.
            if stored + held.bytes_of_layers() <= share / 4 * 3 {
                break needed;
            }
            if most <= 1 {
                return Loss::Pass;
            }
            most = if most == usize::MAX { 4 * width } else { most / 2 };
            for layer in held.layers.iter_mut() {
                if !layer.trim(most) {
                    loss = Loss::Bags;
                }
            }
        };
        held.forget(&needed);
        loss
    }
}

impl Held<'_> {
    /// What the pass holds beside goals and steps, in bytes.
    fn bytes_of_layers(&self) -> u64 {
        // Those of earlier layers have been dropped.
        let recent = self.layers[..=self.at].iter().rev().take_while(|layer| layer.holds_sensitivities());
        let sensitivities: usize =
            recent.flat_map(|layer| &layer.nodes).map(|node| node.sensitivities.bytes()).sum::<usize>();
        let layers: usize = self.layers.iter().map(Layer::bytes).sum();
        let seen = self.seen.len() * size_of::<(u64, f64)>();
        with_slack(layers + seen) + u64::try_from(sensitivities).unwrap_or(u64::MAX)
    }

    fn needed(&self, first_goals: GoalId) -> Needed {
        let mut steps: Vec<u32> = self.layers.iter().flat_map(Layer::steps).collect();
        steps.sort_unstable();
        steps.dedup();
        let in_bags = self.layers.iter().flat_map(|layer| layer.bags.iter().copied());
        let mut goals: Vec<GoalId> = in_bags.filter(|&goal| goal != Step::NONE).collect();
        for &number in &steps {
            self.steps.get(number).renumbered(|goal| {
                goals.push(goal);
                goal
            });
        }
        goals.extend(0..=first_goals);
        goals.sort_unstable();
        goals.dedup();
        Needed { steps, goals }
    }

    fn forget(&mut self, needed: &Needed) {
        self.goals.retain(&needed.goals);
        let renumbered = |goal: GoalId| if goal == Step::NONE { goal } else { position(&needed.goals, goal) };
        self.steps.retain(&needed.steps, renumbered);
        for layer in self.layers.iter_mut() {
            layer.bags.iter_mut().for_each(|goal| *goal = renumbered(*goal));
            layer.renumber_steps(|step| position(&needed.steps, step));
        }
    }
}

/// Forgets the bags of expanded layers from which no candidate comes.
fn forget_bags(layers: &mut [Layer], at: usize) {
    let origins = layers.iter().flat_map(|layer| &layer.candidates).map(|candidate| candidate.origin.layer as usize);
    let first = origins.min().unwrap_or(at).min(at);
    layers[..first].iter_mut().for_each(Layer::forget_bags);
}

/// How much memory contents may take while they grow, in bytes.
fn with_slack(contents: usize) -> u64 {
    u64::try_from(contents).unwrap_or(u64::MAX).saturating_mul(SLACK)
}

/// The new number of a goal or step that is kept: its place among those kept.
fn position(kept: &[u32], old: u32) -> u32 {
    kept.binary_search(&old).ok().and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
}
