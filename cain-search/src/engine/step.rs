//! Reverse steps: instructions seen backwards.

use super::goal_id::GoalId;

/// The number of a form, an instruction without its registers, in the list of its target.
pub(crate) type FormId = u16;

/// The most operands of a step.
pub(crate) const MAX_OPERANDS: usize = 4;

/// One instruction seen backwards: it makes `result` from its operands.
///
/// A division also makes the negative of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) form: FormId,
    pub(crate) result: GoalId,
    /// The operands at the front, and the negative of the result at the end.
    others: [GoalId; MAX_OPERANDS],
}

impl Step {
    /// A number that stands for no goal.
    pub(crate) const NONE: GoalId = GoalId::MAX;

    /// The step of an instruction with these operands and results; a division has both halves as results. `None` if the
    /// instruction is of no use as a step.
    pub(crate) fn new(form: FormId, operands: &[GoalId], results: &[GoalId]) -> Option<Self> {
        let (result, negative) = match *results {
            [result] => (result, None),
            [result, negative] => (result, Some(negative)),
            _ => return None,
        };
        // A copy makes nothing new, so no bag comes before it.
        (!operands.contains(&result)).then(|| Self::assemble(form, result, operands, negative)).flatten()
    }

    /// Assembles a step from goals; `None` if there are too many operands.
    pub(super) fn assemble(
        form: FormId,
        result: GoalId,
        operands: &[GoalId],
        negative: Option<GoalId>,
    ) -> Option<Self> {
        let mut others = [Self::NONE; MAX_OPERANDS];
        others.get_mut(..operands.len() + usize::from(negative.is_some()))?;
        others[..operands.len()].copy_from_slice(operands);
        if let Some(negative) = negative {
            others[MAX_OPERANDS - 1] = negative;
        }
        Some(Self { form, result, others })
    }

    /// The operands, in the order of the instruction's sources. The same goal may occur twice.
    pub(crate) fn operands(&self) -> &[GoalId] {
        let count = self.others.iter().take_while(|goal| **goal != Self::NONE).count();
        &self.others[..count]
    }

    /// The negative of the result, if the instruction makes it as well.
    pub(crate) fn negative(&self) -> Option<GoalId> {
        let last = self.others[MAX_OPERANDS - 1];
        (last != Self::NONE && self.operands().len() < MAX_OPERANDS).then_some(last)
    }

    /// The same step under another numbering of the goals.
    pub(crate) fn renumbered(self, mut number: impl FnMut(GoalId) -> GoalId) -> Self {
        let mut new = |goal: GoalId| if goal == Self::NONE { goal } else { number(goal) };
        Self { form: self.form, result: new(self.result), others: self.others.map(&mut new) }
    }
}
