//! A store of expansions, each worked out once.
//!
//! An expansion is the list of steps that make a goal in one mode, with the help of certain other goals. Working it out
//! ([`StateSpace::draft`](super::states::StateSpace::draft)) changes nothing, so many can be worked out at the same
//! time; they are stored ([`StepMemo::add`]) in a fixed order.

use std::ops::Range;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::draft::Draft;
use super::goals::{GoalId, Goals};
use super::step::Step;

pub(crate) use super::expansion::{ExpansionKey, Mode};

/// The steps of all expansions so far.
#[derive(Default)]
pub(crate) struct StepMemo {
    steps: Vec<Step>,
    expansions: HashMap<ExpansionKey, Range<u32>, FxBuildHasher>,
}

impl StepMemo {
    /// The step with this number.
    pub(crate) fn get(&self, number: u32) -> Step {
        self.steps[number as usize]
    }

    /// The numbers of the steps of an expansion, if it has been worked out.
    pub(crate) fn expansion(&self, key: ExpansionKey) -> Option<Range<u32>> {
        self.expansions.get(&key).cloned()
    }

    /// Stores the steps of a draft that an instruction can carry out.
    pub(crate) fn add(
        &mut self,
        goals: &mut Goals,
        key: ExpansionKey,
        draft: &Draft,
        is_possible: impl Fn(&Step) -> bool,
    ) {
        let start = self.count();
        self.steps.extend(draft.steps(goals, key.goal).filter(is_possible));
        let range = start..self.count();
        self.expansions.insert(key, range);
    }

    /// Forgets all expansions, and all steps but those with these numbers, which are renumbered from 0.
    pub(crate) fn retain(&mut self, numbers: &[u32], mut renumber: impl FnMut(GoalId) -> GoalId) {
        self.steps = numbers.iter().map(|&number| self.get(number).renumbered(&mut renumber)).collect();
        self.expansions = HashMap::default();
    }

    /// The memory that the steps and expansions take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        Self::bytes_of(self.steps.len()) + self.expansions.len() * 2 * size_of::<(ExpansionKey, Range<u32>)>()
    }

    /// The memory that a number of steps takes without their expansions, in bytes.
    pub(crate) fn bytes_of(steps: usize) -> usize {
        steps * size_of::<Step>()
    }

    fn count(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
    }
}
