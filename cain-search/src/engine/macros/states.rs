//! Bags over macro instructions: the values that registers hold at one moment.

use super::bound::lower_bound;
use super::forms::{Form, Shape};
use super::successors::Successors;
use crate::engine::draft::Draft;
use crate::engine::estimate::Estimates;
use crate::engine::estimate::linear::estimate;
use crate::engine::estimate::weights::Weights;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::memo::{ExpansionKey, Mode};
use crate::engine::occupancy::Occupancy;
use crate::engine::problem::Problem;
use crate::engine::states::StateSpace;
use crate::engine::step::Step;

/// The only mode in which a goal is made: by a macro instruction.
const MODE: Mode = Mode(0);

/// The bags of one problem: sorted lists of values without duplicates.
pub(crate) struct MacroStates<'a> {
    problem: &'a Problem,
    weights: &'static Weights,
    successors: &'a Successors,
    occupancy: Occupancy<'a>,
}

impl<'a> MacroStates<'a> {
    pub(crate) fn new(weights: &'static Weights, successors: &'a Successors, occupancy: Occupancy<'a>) -> Self {
        Self { problem: occupancy.problem, weights, successors, occupancy }
    }

    /// The goals of a bag that have to be made.
    fn open<'b>(&'b self, bag: &'b [GoalId]) -> impl Iterator<Item = GoalId> + Clone + 'b {
        bag.iter().copied().filter(|&goal| !self.occupancy.is_input(goal))
    }
}

impl StateSpace for MacroStates<'_> {
    fn last(&self) -> Vec<GoalId> {
        let mut bag: Vec<GoalId> = self.problem.wanted.iter().map(|wanted| wanted.0).collect();
        bag.sort_unstable();
        bag
    }

    fn is_done(&self, bag: &[GoalId]) -> bool {
        self.open(bag).next().is_none()
    }

    /// Each goal is made alone or with another value that is available.
    fn expansions(&self, bag: &[GoalId], keys: &mut Vec<ExpansionKey>) {
        let pool = self.occupancy.pool(bag);
        for goal in self.open(bag) {
            keys.push(ExpansionKey::alone(goal, MODE));
            let others = pool.iter().filter(|other| **other != goal);
            keys.extend(others.map(|&other| ExpansionKey::with(goal, other, MODE)));
        }
    }

    fn draft(&self, goals: &Goals, key: ExpansionKey) -> Draft {
        self.successors.draft(goals, key)
    }

    fn is_possible(&self, step: &Step) -> bool {
        self.successors.is_possible(step)
    }

    /// There is no such bag if there are too few registers.
    fn before(&self, after: &[GoalId], step: &Step, before: &mut Vec<GoalId>) -> bool {
        before.clear();
        let made = |goal: GoalId| goal == step.result || step.negative() == Some(goal);
        before.extend(after.iter().copied().filter(|&goal| !made(goal)));
        let (rest, operands, room) = (before.len(), step.operands(), self.problem.writable.len());
        for &operand in operands {
            if !before.contains(&operand) && !self.occupancy.is_kept(operand) {
                before.push(operand);
            }
        }
        if before.len() > room {
            return false;
        }
        let form = self.successors.forms().get(step.form);
        let survives = |operand: GoalId| before[..rest].contains(&operand) || self.occupancy.is_kept(operand);
        // A division writes two registers besides that of its operand, or three if the operand is only read.
        let has_room = match form.shape {
            Shape::Divide => rest + 3 - usize::from(before[..rest].contains(&operands[0])) <= room,
            _ => before.len() < room || !blocked(form, operands, survives),
        };
        if !has_room {
            return false;
        }
        before.sort_unstable();
        self.occupancy.is_free_of_conflicts(before)
    }

    fn lower_bound(&self, goals: &Goals, bag: &[GoalId]) -> u32 {
        lower_bound(self.problem, goals, self.open(bag))
    }

    fn estimates(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> Estimates {
        let is_input = |goal| self.occupancy.is_input(goal);
        Estimates::linear(estimate(self.weights, (goals, bag), is_input, self.problem.scale, lower_bound))
    }

    fn pressure(&self, bag: &[GoalId]) -> u32 {
        self.occupancy.pressure(bag)
    }

    fn hash(&self, goals: &Goals, bag: &[GoalId]) -> u64 {
        bag.iter().fold(0, |sum: u64, &goal| sum.wrapping_add(goals.features(goal).hash))
    }
}

/// Whether a result needs a register that none of the operands leaves free.
fn blocked(form: &Form, operands: &[GoalId], survives: impl Fn(GoalId) -> bool) -> bool {
    let may_share =
        |goal: GoalId| operands.iter().zip(form.shares).filter(|(other, _)| **other == goal).all(|(_, shares)| shares);
    let takes_over = operands.iter().any(|&goal| !survives(goal) && may_share(goal));
    // The caller counts free registers; if there is one, nothing is blocked.
    let constrained = operands.iter().zip(form.shares).any(|(_, shares)| !shares);
    constrained && !takes_over
}
