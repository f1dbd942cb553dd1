//! Keeping the search within its memory.
//!
//! Goals and steps are stored once and kept, because they are needed again and again. When the search takes more than
//! its share, all goals and steps that its bags do not need are forgotten. They are worked out again when they are
//! needed, so that only time is lost. If even that takes too much, the less promising candidates are given up, then the
//! bags from which nothing is left to come.
//!
//! The memory is shared out like this:
//!
//! - a half for what the search holds: goals, steps, layers, and the bags that it has seen;
//! - a quarter for what is added by the steps that are worked out at a time;
//! - a quarter for these steps while they are worked out.
//!
//! Sizes are those of the contents, never of allocations: they are the same on every machine and for any number of
//! threads.

use super::draft::Draft;
use super::focus::Focus;
use super::goals::{GoalId, Goals};
use super::layers::{Known, Layer, Seen};
use super::memo::{ExpansionKey, StepMemo};
use super::problem::Problem;
use super::step::Step;

/// How much memory a growing vector may take while it is copied to a larger one, relative to its contents.
const SLACK: u64 = 3;

/// The part of the memory that small searches beside the main one may take.
const ASIDE: u64 = 8;

/// How much memory the draft of one expansion may take, in bytes.
pub(crate) fn room_of_draft(memory: u64) -> usize {
    usize::try_from(memory / 64).unwrap_or(usize::MAX)
}

/// How much memory the tables of an exhaustive search may take, in bytes.
pub(crate) fn room_of_tables(memory: u64) -> usize {
    usize::try_from(memory / 4 / SLACK).unwrap_or(usize::MAX)
}

/// What layers need.
struct Needed {
    /// In ascending order.
    steps: Vec<u32>,
    /// In ascending order.
    goals: Vec<GoalId>,
}

/// All that a search holds.
pub(super) struct Held<'a> {
    pub(super) goals: &'a mut Goals,
    pub(super) steps: &'a mut StepMemo,
    pub(super) layers: &'a mut [Layer],
    pub(super) seen: &'a mut Seen,
    pub(super) foci: &'a [Focus],
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

    /// The memory of a small search beside that of a problem.
    pub(crate) fn aside(problem: &Problem) -> Self {
        Self { all: problem.memory / ASIDE, ..Self::of(problem) }
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

    /// What the search may hold, in bytes.
    fn share(self) -> u64 {
        self.all / 2
    }

    /// Forgets goals and steps that no layer needs, if all that the search holds takes more than its share, and
    /// candidates if there are too many of them; returns whether there were not.
    pub(super) fn stay_within(self, mut held: Held<'_>) -> bool {
        let stored = with_slack(held.goals.bytes() + held.steps.bytes());
        if stored + held.bytes_of_layers() <= self.share() {
            return true;
        }
        let mut complete = true;
        loop {
            let needed = held.needed(self.first_goals);
            let stored = with_slack(held.goals.bytes_of(&needed.goals) + StepMemo::bytes_of(needed.steps.len()));
            let most = held.layers.iter().map(|layer| layer.candidates.len()).max().unwrap_or(0);
            // With less to spare this would be repeated at once.
            if most == 0 || stored + held.bytes_of_layers() <= self.share() / 4 * 3 {
                held.forget(&needed);
                return complete;
            }
            for layer in held.layers.iter_mut() {
                complete &= layer.trim(most / 2, held.foci);
            }
        }
    }

    /// Before a sweep: gives up expanded bags from which nothing is left to come, if they take more than a part of the
    /// memory; returns whether there is memory for a sweep.
    pub(super) fn make_room(self, held: &mut Held<'_>) -> bool {
        let share = self.share() / 4;
        if held.bytes_of_layers() > share {
            forget_dead_ends(held.layers, held.seen);
        }
        held.bytes_of_layers() <= self.share() / 4 * 3
    }
}

impl Held<'_> {
    /// What the search holds beside goals and steps, in bytes.
    fn bytes_of_layers(&self) -> u64 {
        let layers: usize = self.layers.iter().map(Layer::bytes).sum();
        let seen = self.seen.len() * size_of::<(u64, Known)>();
        with_slack(layers + seen)
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
            layer.origins_mut().for_each(|origin| origin.step = position(&needed.steps, origin.step));
        }
    }
}

/// Forgets expanded bags from which, as their first origin, no candidate and no bag that is left comes.
fn forget_dead_ends(layers: &mut [Layer], seen: &mut Seen) {
    let mut is_needed: Vec<Vec<bool>> = layers.iter().map(|layer| vec![false; layer.nodes.len()]).collect();
    for at in (0..layers.len()).rev() {
        let layer = &layers[at];
        let open = |index: usize| index >= layer.expanded || (at, index) == (0, 0);
        (0..layer.nodes.len()).filter(|&index| open(index)).for_each(|index| is_needed[at][index] = true);
        let kept = layer.nodes.iter().zip(&is_needed[at]).filter(|(_, is_needed)| **is_needed);
        let kept = kept.filter_map(|(node, _)| node.origin);
        let origins: Vec<_> = kept.chain(layer.candidates.iter().map(|candidate| candidate.origin)).collect();
        for origin in origins {
            is_needed[origin.layer as usize][origin.index as usize] = true;
        }
    }
    for (layer, of_layer) in layers.iter_mut().zip(&is_needed) {
        layer.retain(of_layer);
        layer.retain_further(|origin| is_needed[origin.layer as usize][origin.index as usize]);
    }
    let renumbered: Vec<Vec<u32>> = is_needed.iter().map(|is_needed| numbers(is_needed)).collect();
    for origin in layers.iter_mut().flat_map(Layer::origins_mut) {
        origin.index = renumbered[origin.layer as usize][origin.index as usize];
    }
    for known in seen.values_mut() {
        let layer = known.layer as usize;
        let is_kept = |&index: &u32| is_needed[layer][index as usize];
        known.index = known.index.filter(is_kept).map(|index| renumbered[layer][index as usize]);
    }
}

/// For each place the number of those before it that are kept.
fn numbers(is_kept: &[bool]) -> Vec<u32> {
    let count = |next: &mut u32, &is_kept: &bool| Some(std::mem::replace(next, *next + u32::from(is_kept)));
    is_kept.iter().scan(0, count).collect()
}

/// How much memory contents may take while they grow, in bytes.
fn with_slack(contents: usize) -> u64 {
    u64::try_from(contents).unwrap_or(u64::MAX).saturating_mul(SLACK)
}

/// The new number of a goal or step that is kept: its place among those kept.
fn position(kept: &[u32], old: u32) -> u32 {
    kept.binary_search(&old).ok().and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
}
