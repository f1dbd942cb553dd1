//! Goal-bags: the sets of values that registers must hold at one moment.

use super::bound::lower_bound;
use super::estimate::estimate;
use super::forms::{Form, Shape};
use super::goals::{GoalId, Goals};
use super::moves::{Moves, Step};
use super::problem::Problem;

/// What each value too many adds to the estimate of a wary search, about as much as two digits.
const CROWDED: i64 = 3000;

/// What the search asks about bags of one problem.
pub(crate) struct Bags<'a> {
    problem: &'a Problem,
    /// Targets that stand in the register of an input, which must be dead by then: (target, input).
    displacing: Vec<(GoalId, GoalId)>,
    wary: bool,
}

impl<'a> Bags<'a> {
    /// `strict` rules out bags that would need an extra move between registers; `wary` prefers bags that leave
    /// registers free.
    pub(crate) fn new(problem: &'a Problem, strict: bool, wary: bool) -> Self {
        let wanted = |goal: GoalId| problem.targets.iter().any(|target| target.0 == goal);
        let displacing = problem
            .targets
            .iter()
            .flat_map(|&(target, reg)| {
                problem
                    .inputs
                    .iter()
                    .filter(move |input| input.reg == reg && input.goal != target)
                    .map(move |i| (target, i.goal))
            })
            .filter(|&(_, input)| strict && !wanted(input))
            .collect();
        Self { problem, displacing, wary }
    }

    /// The bag at the end of every program.
    pub(crate) fn last(&self) -> Vec<GoalId> {
        let mut bag: Vec<GoalId> = self.problem.targets.iter().map(|target| target.0).collect();
        bag.sort_unstable();
        bag
    }

    /// The goals of the problem itself, which were stored before all others.
    pub(crate) fn first_goals(&self) -> impl Iterator<Item = GoalId> {
        let Problem { inputs, targets, copies, .. } = self.problem;
        let last = inputs.iter().map(|input| input.goal).chain(targets.iter().map(|target| target.0));
        0..=last.chain(copies.iter().map(|copy| copy.1)).max().unwrap_or(0)
    }

    fn is_input(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some()
    }

    fn is_kept(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some_and(|input| input.keep)
    }

    /// Whether a goal has to be made.
    pub(crate) fn is_open(&self, goal: GoalId) -> bool {
        !self.is_input(goal)
    }

    /// The goals of a bag that have to be made.
    pub(crate) fn open<'b>(&'b self, bag: &'b [GoalId]) -> impl Iterator<Item = GoalId> + Clone + 'b {
        bag.iter().copied().filter(|&goal| self.is_open(goal))
    }

    /// Whether nothing has to be made.
    pub(crate) fn is_done(&self, bag: &[GoalId]) -> bool {
        self.open(bag).next().is_none()
    }

    /// Values that a step can use beside new ones: the bag's, and every input.
    pub(crate) fn pool(&self, bag: &[GoalId], pool: &mut Vec<GoalId>) {
        pool.clear();
        pool.extend_from_slice(bag);
        for input in &self.problem.inputs {
            if !pool.contains(&input.goal) {
                pool.push(input.goal);
            }
        }
    }

    /// The bag before a step, given the bag after it; `false` if the registers do not suffice.
    pub(crate) fn before(&self, moves: &Moves, after: &[GoalId], step: Step, before: &mut Vec<GoalId>) -> bool {
        before.clear();
        let made = |goal: GoalId| goal == step.result || step.negative() == Some(goal);
        before.extend(after.iter().copied().filter(|&goal| !made(goal)));
        let divides = moves.forms().get(step.form).shape == Shape::Divide;
        let survives = |operand: GoalId| before.contains(&operand) || self.is_kept(operand);
        let blocked = blocked(moves.forms().get(step.form), step.operands(), survives);
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

    /// How far a bag is from the inputs, see [`estimate`](super::estimate), given its lower bound.
    pub(crate) fn estimate(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> i64 {
        let estimate =
            estimate(goals.weights(), goals, bag, |goal| self.is_input(goal), self.problem.scale, lower_bound);
        estimate + if self.wary { CROWDED * self.crowding(bag) } else { 0 }
    }

    /// By how many the values of a bag, with the inputs that have to come back, exceed what leaves one register free.
    fn crowding(&self, bag: &[GoalId]) -> i64 {
        let missing = self.problem.inputs.iter().filter(|input| !input.keep && !bag.contains(&input.goal)).count();
        let crowding = (bag.len() + missing + 1).saturating_sub(self.problem.writable.len());
        i64::try_from(crowding).unwrap_or(i64::MAX)
    }

    /// No program makes the bag with fewer instructions, see [`bound`](super::bound).
    pub(crate) fn lower_bound(&self, goals: &Goals, bag: &[GoalId]) -> u32 {
        lower_bound(self.problem, goals, self.open(bag))
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
