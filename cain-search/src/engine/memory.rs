//! Keeping the search within its memory.
//!
//! Goals and steps are stored once and kept, for they come again in the next pass. When they take more than their
//! share, all are forgotten but those that the bags of the pass still need. What is forgotten is worked out again when
//! it is asked for, so that nothing but time is lost. The sizes that decide are those of the contents, never of what
//! the allocator made of them: they are the same on every machine.

use super::beam::Beam;
use super::goals::GoalId;
use super::layers::Layer;
use super::steps::Step;

/// Bytes for each bag that a pass keeps per layer: some dozens of candidates, their steps and their goals.
const PER_BAG: u64 = 16 << 10;
/// How much larger than its contents a growing vector may be, while it is copied to a larger one.
const SLACK: u64 = 3;

/// The widest pass that fits into so many bytes.
pub(crate) fn widest(memory: u64) -> usize {
    usize::try_from(memory / 4 / PER_BAG).unwrap_or(usize::MAX)
}

impl Beam<'_> {
    /// Forgets goals and steps that no layer needs, if all together take more than a third of the memory.
    pub(super) fn stay_within_memory(&mut self, layers: &mut [Layer]) {
        // Right after forgetting there may be as much left as a pass needs; that is no reason to do it again.
        if self.bytes() > (self.memory / 3).max(self.kept.saturating_mul(2)) {
            self.forget(layers);
            self.kept = self.bytes();
        }
    }

    /// What goals and steps may take up.
    fn bytes(&self) -> u64 {
        let contents = self.goals.bytes() + self.steps.bytes();
        u64::try_from(contents).unwrap_or(u64::MAX).saturating_mul(SLACK)
    }

    fn forget(&mut self, layers: &mut [Layer]) {
        let mut steps: Vec<u32> = layers.iter().flat_map(Layer::steps).collect();
        steps.sort_unstable();
        steps.dedup();
        let in_bags = layers.iter().flat_map(|layer| layer.bags.iter().copied());
        let mut needed: Vec<GoalId> = in_bags.filter(|&goal| goal != Step::NONE).collect();
        for &number in &steps {
            self.steps.get(number).renumbered(|goal| {
                needed.push(goal);
                goal
            });
        }
        // The goals of the problem are the first ones, and keep their numbers.
        needed.extend(self.space.first_goals());
        needed.sort_unstable();
        needed.dedup();
        self.goals.retain(&needed);
        let renumbered = |goal: GoalId| if goal == Step::NONE { goal } else { position(&needed, goal) };
        self.steps.retain(&steps, renumbered);
        for layer in layers {
            layer.bags.iter_mut().for_each(|goal| *goal = renumbered(*goal));
            layer.renumber_steps(|step| position(&steps, step));
        }
    }
}

/// The new number of what is kept: its place among all that are.
fn position(kept: &[u32], old: u32) -> u32 {
    kept.binary_search(&old).ok().and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
}
