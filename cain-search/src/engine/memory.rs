//! Keeps the search within its memory.
//!
//! Goals and steps are stored once and kept, because they are needed again and again. When the search exceeds its share
//! of the memory, all goals and steps that its bags do not need are forgotten. They are worked out again when they are
//! needed, so only time is lost. If that does not suffice, the less promising candidates are given up, then the bags
//! that cannot lead to anything new.
//!
//! The memory is divided as follows:
//!
//! - half of it for what the search holds: goals, steps, layers, and the bags that it has seen;
//! - a quarter for what the steps that are worked out at the same time will add to that;
//! - a quarter for these steps while they are being worked out.
//!
//! Sizes are those of the contents, never of allocations, so that they are the same on every machine and for any number
//! of threads.

use super::draft::Draft;
use super::focus::Focus;
use super::goals::{GoalId, Goals};
use super::layers::{Known, Layer, Seen};
use super::memo::{ExpansionKey, StepMemo};
use super::problem::Problem;
use super::step::Step;

/// The memory that a growing vector may take while it is copied to a larger one, relative to its contents.
const SLACK: u64 = 3;

/// The fraction (one in so many) of the memory that small searches beside the main one may take.
const ASIDE: u64 = 8;

/// The memory that the draft of one expansion may take, in bytes.
pub(crate) fn room_of_draft(memory: u64) -> usize {
    usize::try_from(memory / 64).unwrap_or(usize::MAX)
}

/// The memory that the tables of an exhaustive search may take, in bytes.
pub(crate) fn room_of_tables(memory: u64) -> usize {
    usize::try_from(memory / 4 / SLACK).unwrap_or(usize::MAX)
}

/// The steps and goals that layers need.
struct Needed {
    /// The numbers of the steps, in ascending order.
    steps: Vec<u32>,
    /// The numbers of the goals, in ascending order.
    goals: Vec<GoalId>,
}

/// Everything that a search holds.
pub(super) struct Held<'a> {
    pub(super) goals: &'a mut Goals,
    pub(super) steps: &'a mut StepMemo,
    pub(super) layers: &'a mut [Layer],
    pub(super) seen: &'a mut Seen,
    pub(super) foci: &'a [Focus],
}

/// The memory that a search may take, and its division.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    /// The whole memory, in bytes.
    all: u64,
    /// The number of goals of the problem itself. They keep their numbers, since they were stored first.
    first_goals: GoalId,
}

impl Memory {
    pub(crate) fn of(problem: &Problem) -> Self {
        Self { all: problem.memory, first_goals: *problem.first_goals().end() }
    }

    /// The memory for a small search beside that for a problem.
    pub(crate) fn aside(problem: &Problem) -> Self {
        Self { all: problem.memory / ASIDE, ..Self::of(problem) }
    }

    /// How much an expansion is likely to add, in bytes.
    pub(super) fn expected(self, goals: &Goals, key: ExpansionKey) -> u64 {
        let bytes = Draft::expected_bytes(goals.terms(key.goal).len(), key.others().next().is_none());
        u64::try_from(bytes.min(room_of_draft(self.all))).unwrap_or(u64::MAX)
    }

    /// How much the expansions that are worked out at the same time may add, in bytes.
    pub(super) fn most_added(self) -> u64 {
        self.all / 4 / SLACK
    }

    /// How much the steps that are worked out at the same time may take, in bytes.
    pub(super) fn most_under_way(self) -> u64 {
        self.all / 4 / SLACK
    }

    /// What the search may hold, in bytes.
    fn share(self) -> u64 {
        self.all / 2
    }

    /// If the search exceeds its share, forgets goals and steps that no layer needs, and then candidates if there are
    /// still too many; returns whether no candidate was dropped.
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
            // If so little were freed, this would soon have to be repeated.
            if most == 0 || stored + held.bytes_of_layers() <= self.share() / 4 * 3 {
                held.forget(&needed);
                return complete;
            }
            for layer in held.layers.iter_mut() {
                complete &= layer.trim(most / 2, held.foci);
            }
        }
    }

    /// Called before a sweep: gives up expanded bags that cannot lead to anything new, if they take more than their
    /// part of the memory; returns whether there is memory for a sweep.
    pub(super) fn make_room(self, held: &mut Held<'_>) -> bool {
        let share = self.share() / 4;
        if held.bytes_of_layers() > share {
            forget_dead_ends(held.layers, held.seen);
        }
        held.bytes_of_layers() <= self.share() / 4 * 3
    }
}

impl Held<'_> {
    /// The memory that the search holds besides goals and steps, in bytes.
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

/// Forgets expanded bags that are not the first origin of any candidate or remaining bag.
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

/// For each place, the number of kept places before it.
fn numbers(is_kept: &[bool]) -> Vec<u32> {
    let count = |next: &mut u32, &is_kept: &bool| Some(std::mem::replace(next, *next + u32::from(is_kept)));
    is_kept.iter().scan(0, count).collect()
}

/// The memory that contents may take while they grow, in bytes.
fn with_slack(contents: usize) -> u64 {
    u64::try_from(contents).unwrap_or(u64::MAX).saturating_mul(SLACK)
}

/// The new number of a kept goal or step: its place among those kept.
fn position(kept: &[u32], old: u32) -> u32 {
    kept.binary_search(&old).ok().and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
}
