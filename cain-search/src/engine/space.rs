//! What the search asks about the bags of a set of instructions.

use super::draft::Draft;
use super::goals::{GoalId, Goals};
use super::noise::Influences;
use super::problem::Problem;
use super::steps::{Question, Step};

/// The bags of one problem, and the steps between them.
///
/// A bag is a list of goals. Only the space knows what their places in the list mean; no goal is [`Step::NONE`].
pub(crate) trait Space: Sync {
    /// The bag at the end of every program.
    fn last(&self) -> Vec<GoalId>;

    /// The goals of the problem itself, which were stored before all others.
    fn first_goals(&self) -> std::ops::RangeInclusive<GoalId>;

    /// Whether nothing has to be made.
    fn is_done(&self, bag: &[GoalId]) -> bool;

    /// What may be asked about a bag.
    fn questions(&self, bag: &[GoalId], questions: &mut Vec<Question>);

    /// Works a question out.
    fn draft(&self, goals: &Goals, question: Question) -> Draft;

    /// Whether there is an instruction for a step.
    fn is_possible(&self, step: &Step) -> bool;

    /// The bag before a step, given the bag after it; `false` if there is none.
    fn before(&self, after: &[GoalId], step: &Step, before: &mut Vec<GoalId>) -> bool;

    /// No program makes the bag with fewer instructions.
    fn lower_bound(&self, goals: &Goals, bag: &[GoalId]) -> u32;

    /// How far a bag is from the inputs, given its lower bound; see [`estimate`](super::estimate).
    fn estimate(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> i64;

    /// A hash of a bag that does not depend on the order in which goals were found.
    fn hash(&self, goals: &Goals, bag: &[GoalId]) -> u64;
}

/// What the search asks about noise, if that is the objective; see [`noise`](super::noise).
pub(crate) trait Errors: Sync {
    /// The problem whose outputs the errors reach.
    fn problem(&self) -> &Problem;

    /// The influences in the bag before a step, and the noise of the step.
    fn before(
        &self,
        goals: &Goals,
        after: (&[GoalId], &Influences),
        before: (&[GoalId], &mut Influences),
        step: &Step,
    ) -> f64;

    /// A guess of the noise that the steps before a bag will make.
    fn to_come(&self, goals: &Goals, bag: &[GoalId], influences: &Influences) -> f64;
}
