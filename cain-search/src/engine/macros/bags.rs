//! Goal-bags: the sets of values that registers must hold at one moment.

use std::ops::RangeInclusive;

use super::bound::lower_bound;
use super::forms::{Form, Shape};
use super::moves::Moves;
use crate::engine::draft::Draft;
use crate::engine::estimate::estimate;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::problem::Problem;
use crate::engine::space::Space;
use crate::engine::steps::{Question, Step, Way};

/// What each value too many adds to the estimate of a wary search, about as much as two digits.
const CROWDED: i64 = 3000;

/// What the search asks about bags of one problem.
pub(crate) struct Bags<'a> {
    problem: &'a Problem,
    moves: &'a Moves,
    /// Targets that stand in the register of an input, which must be dead by then: (target, input).
    displacing: Vec<(GoalId, GoalId)>,
    wary: bool,
}

impl<'a> Bags<'a> {
    /// `strict` rules out bags that would need an extra move between registers; `wary` prefers bags that leave
    /// registers free.
    pub(crate) fn new(problem: &'a Problem, moves: &'a Moves, strict: bool, wary: bool) -> Self {
        let displacing = if strict { problem.displacing() } else { Vec::new() };
        Self { problem, moves, displacing, wary }
    }

    fn is_input(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some()
    }

    fn is_kept(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some_and(|input| input.keep)
    }

    /// The goals of a bag that have to be made.
    fn open<'b>(&'b self, bag: &'b [GoalId]) -> impl Iterator<Item = GoalId> + Clone + 'b {
        bag.iter().copied().filter(|&goal| !self.is_input(goal))
    }

    /// Values that a step can use beside new ones: the bag's, and every input.
    fn pool(&self, bag: &[GoalId]) -> Vec<GoalId> {
        let mut pool = bag.to_vec();
        for input in &self.problem.inputs {
            if !pool.contains(&input.goal) {
                pool.push(input.goal);
            }
        }
        pool
    }

    /// By how many the values of a bag, with the inputs that have to come back, exceed what leaves one register free.
    fn crowding(&self, bag: &[GoalId]) -> i64 {
        let missing = self.problem.inputs.iter().filter(|input| !input.keep && !bag.contains(&input.goal)).count();
        let crowding = (bag.len() + missing + 1).saturating_sub(self.problem.writable.len());
        i64::try_from(crowding).unwrap_or(i64::MAX)
    }
}

impl Space for Bags<'_> {
    fn last(&self) -> Vec<GoalId> {
        let mut bag: Vec<GoalId> = self.problem.targets.iter().map(|target| target.0).collect();
        bag.sort_unstable();
        bag
    }

    fn first_goals(&self) -> RangeInclusive<GoalId> {
        self.problem.first_goals()
    }

    fn is_done(&self, bag: &[GoalId]) -> bool {
        self.open(bag).next().is_none()
    }

    /// How each goal is made, alone or with another value that is there.
    fn questions(&self, bag: &[GoalId], questions: &mut Vec<Question>) {
        let pool = self.pool(bag);
        for goal in self.open(bag) {
            questions.push(Question::alone(goal, Way::Macro));
            let others = pool.iter().filter(|other| **other != goal);
            questions.extend(others.map(|&other| Question::with(goal, other, Way::Macro)));
        }
    }

    fn draft(&self, goals: &Goals, question: Question) -> Draft {
        self.moves.draft(goals, question)
    }

    fn is_possible(&self, step: &Step) -> bool {
        self.moves.is_possible(step)
    }

    /// There is none if the registers do not suffice.
    fn before(&self, after: &[GoalId], step: &Step, before: &mut Vec<GoalId>) -> bool {
        before.clear();
        let made = |goal: GoalId| goal == step.result || step.negative() == Some(goal);
        before.extend(after.iter().copied().filter(|&goal| !made(goal)));
        let form = self.moves.forms().get(step.form);
        let divides = form.shape == Shape::Divide;
        let survives = |operand: GoalId| before.contains(&operand) || self.is_kept(operand);
        let blocked = blocked(form, step.operands(), survives);
        // A division writes two registers beside the one of its operand, or three if that is only read.
        let rest = before.len() - usize::from(divides && before.contains(&step.operands()[0]));
        for &operand in step.operands() {
            if !before.contains(&operand) && !self.is_kept(operand) {
                before.push(operand);
            }
        }
        let demand = match (divides, blocked) {
            (true, _) => rest + 3,
            (false, true) => before.len() + 1,
            (false, false) => before.len().max(after.len()),
        };
        if demand > self.problem.writable.len() {
            return false;
        }
        before.sort_unstable();
        self.displacing.iter().all(|(target, input)| !(before.contains(target) && before.contains(input)))
    }

    fn lower_bound(&self, goals: &Goals, bag: &[GoalId]) -> u32 {
        lower_bound(self.problem, goals, self.open(bag))
    }

    fn estimate(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> i64 {
        let estimate =
            estimate(goals.weights(), goals, bag, |goal| self.is_input(goal), self.problem.scale, lower_bound);
        estimate + if self.wary { CROWDED * self.crowding(bag) } else { 0 }
    }

    fn hash(&self, goals: &Goals, bag: &[GoalId]) -> u64 {
        bag.iter().fold(0, |sum: u64, &goal| sum.wrapping_add(goals.features(goal).hash))
    }
}

/// Whether a result has to stand in a register that none of the operands leaves free.
fn blocked(form: &Form, operands: &[GoalId], survives: impl Fn(GoalId) -> bool) -> bool {
    let may_share =
        |goal: GoalId| operands.iter().zip(form.shares).filter(|(other, _)| **other == goal).all(|(_, shares)| shares);
    let takes_over = operands.iter().any(|&goal| !survives(goal) && may_share(goal));
    // With a free register anyway nothing is blocked; that is the caller's arithmetic.
    let constrained = operands.iter().zip(form.shares).any(|(_, shares)| !shares);
    constrained && !takes_over
}
