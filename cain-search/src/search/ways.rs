//! Offers the programs that pass through the same bags.
//!
//! They make the same values in the same number of instructions, but their offset errors differ, and so does what it
//! takes to compensate them.

use cain_analysis::sorted::Map;

use super::incumbent::Incumbent;
use crate::Technique;
use crate::engine::budget::Budget;
use crate::engine::goals::Goals;
use crate::engine::ways::Ways;
use crate::engine::work;

/// The most ways from a bag that are looked at.
const MOST_WAYS: usize = 256;
/// The most ways that are completed among those that leave the same error to compensate.
const MOST_ALIKE: usize = 4;
/// From this many nodes on, one in `SHARE_OF_WAYS` nodes may go into further ways; before that, wider sweeps gain more.
/// If the bias of the best program is not tolerated, this applies from the first node on.
const WAYS_FROM: u64 = 8_000;
const SHARE_OF_WAYS: u64 = 8;

impl Incumbent<'_> {
    /// Offers the first way from a complete bag and, if programs have to be completed, further ones.
    pub(super) fn offer_ways(&mut self, goals: &Goals, mut ways: Ways<'_>, budget: &mut Budget<'_>) {
        if let Some(first) = ways.next() {
            self.offer(goals, &first, budget);
        }
        if self.target.completes() && self.declaration.options.uses(Technique::FurtherWays) {
            self.offer_further(goals, ways, budget);
        }
    }

    /// Offers further ways as long as they may be better and there are nodes for them.
    fn offer_further(&mut self, goals: &Goals, ways: Ways<'_>, budget: &mut Budget<'_>) {
        let mut alike: Map<_, usize> = Map::new();
        for steps in ways.take(MOST_WAYS - 1) {
            let before = budget.used();
            if self.used_for_ways >= self.for_ways(before) || !budget.charge(work::units(steps.len())) {
                return;
            }
            if let Some(listing) = self.allocated(goals, &steps, budget) {
                if !self.may_be_better(&listing) {
                    return;
                }
                budget.charge(work::of_replay(listing.len(), self.declaration.outputs.len()));
                let alike = alike.get_or_default(self.target.left_over(&listing));
                *alike += 1;
                if *alike <= MOST_ALIKE {
                    self.take_steps(goals, &steps, listing, budget);
                }
            }
            self.used_for_ways += budget.used() - before;
        }
    }

    /// The number of nodes that may have been spent on further ways so far.
    fn for_ways(&self, used: u64) -> u64 {
        let is_biased = self.best.as_ref().is_none_or(|best| best.costs.surcharge > 0);
        let from = if is_biased { 0 } else { WAYS_FROM };
        used.saturating_sub(from) / SHARE_OF_WAYS
    }
}
