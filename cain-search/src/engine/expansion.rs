//! Expansions by their keys.

use super::goals::GoalId;
use super::step::Step;

/// Identifies an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExpansionKey {
    /// The goal to make.
    pub(crate) goal: GoalId,
    /// Goals that are needed anyway and may help; [`Step::NONE`] stands for no goal.
    pub(crate) others: [GoalId; 2],
    pub(crate) mode: Mode,
}

/// The way in which a goal is to be made; each target numbers its own modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mode(pub(crate) u8);

impl ExpansionKey {
    /// The expansion that makes a goal from operands that follow from it alone.
    pub(crate) fn alone(goal: GoalId, mode: Mode) -> Self {
        Self { goal, others: [Step::NONE; 2], mode }
    }

    /// The expansion that makes a goal with the help of another one.
    pub(crate) fn with(goal: GoalId, other: GoalId, mode: Mode) -> Self {
        Self { goal, others: [other, Step::NONE], mode }
    }

    /// The goals that may help.
    pub(crate) fn others(&self) -> impl Iterator<Item = GoalId> {
        self.others.into_iter().take_while(|&other| other != Step::NONE)
    }
}
