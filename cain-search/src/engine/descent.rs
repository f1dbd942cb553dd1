//! A program from goals: one kernel after the other, one signed binary digit after the other.
//!
//! It needs more registers than the one of [`sequence`](super::sequence) and is often shorter; what the beam finds has
//! only to be better.

use super::bag::Bags;
use super::beam::Budget;
use super::goals::{GoalId, Goals};
use super::moves::{Moves, Step};
use super::problem::Problem;

/// The steps of the program, last instruction first; `None` if registers or nodes do not suffice.
pub(crate) fn descend(
    problem: &Problem,
    bags: &Bags<'_>,
    goals: &mut Goals,
    moves: &mut Moves,
    budget: &mut Budget<'_>,
) -> Option<Vec<Step>> {
    let mut bag = bags.last();
    let mut before = Vec::new();
    let mut steps = Vec::new();
    // What stands in the register of an input is computed last, so it is undone first.
    let mut targets = problem.targets.clone();
    targets.sort_by_key(|target| problem.inputs.iter().any(|input| input.reg == target.1));
    let mut open: Vec<GoalId> = targets.iter().map(|target| target.0).collect();
    while let Some(goal) = open.pop() {
        let is_open = bags.open(&bag).any(|other| other == goal);
        if !is_open || open.contains(&goal) {
            continue;
        }
        if !budget.take() {
            return None;
        }
        let step = moves.digit(goals, goal)?;
        if !bags.before(goals, moves, &bag, step, &mut before) {
            return None;
        }
        std::mem::swap(&mut bag, &mut before);
        open.extend(step.operands());
        steps.push(step);
    }
    Some(steps)
}
