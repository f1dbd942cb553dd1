//! The interface to the bags of a target: the steps between them, their estimates and their errors.

use super::draft::Draft;
use super::error_estimate::Known;
use super::estimate::Estimates;
use super::goals::{GoalId, Goals};
use super::memo::ExpansionKey;
use super::problem::Problem;
use super::sensitivities::Sensitivities;
use super::step::Step;

/// The bags of one problem, and the steps between them.
///
/// A bag is a list of goals. Only the target knows what their places in the list mean; no goal is [`Step::NONE`].
pub(crate) trait StateSpace: Sync {
    /// The bag at the end of every program.
    fn last(&self) -> Vec<GoalId>;

    /// Whether nothing has to be made.
    fn is_done(&self, bag: &[GoalId]) -> bool;

    /// Appends the keys of all expansions of a bag.
    fn expansions(&self, bag: &[GoalId], keys: &mut Vec<ExpansionKey>);

    /// Works an expansion out.
    fn draft(&self, goals: &Goals, key: ExpansionKey) -> Draft;

    /// Whether there is an instruction for a step.
    fn is_possible(&self, step: &Step) -> bool;

    /// The bag before a step, given the bag after it; `false` if there is none.
    fn before(&self, after: &[GoalId], step: &Step, before: &mut Vec<GoalId>) -> bool;

    /// A number of instructions below which no program makes the bag.
    fn lower_bound(&self, goals: &Goals, bag: &[GoalId]) -> u32;

    /// How far a bag is from the inputs, given its lower bound; see [`estimate`](super::estimate).
    fn estimates(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> Estimates;

    /// By how many values a bag exceeds what leaves one register free.
    fn pressure(&self, bag: &[GoalId]) -> u32;

    /// A hash of a bag that does not depend on the order in which goals were found.
    fn hash(&self, goals: &Goals, bag: &[GoalId]) -> u64;
}

/// What the instructions of a target do to errors, if those are looked at; see
/// [`sensitivities`](super::sensitivities).
pub(crate) trait NoiseModel: Sync {
    /// The problem whose outputs the errors reach.
    fn problem(&self) -> &Problem;

    /// What is known of the errors of the outputs at the end, if that is followed.
    fn known_at_end(&self) -> Vec<Known> {
        Vec::new()
    }

    /// The unit of errors, for the weights of passes.
    fn unit(&self) -> f64 {
        1.0
    }

    /// Writes the sensitivities of the bag before a step, and returns what the step adds to the error.
    fn before(
        &self,
        goals: &Goals,
        after: (&[GoalId], &Sensitivities),
        before: (&[GoalId], &mut Sensitivities),
        step: &Step,
    ) -> f64;

    /// A guess of what the steps before a bag will add to the error.
    fn to_come(&self, goals: &Goals, bag: &[GoalId], sensitivities: &Sensitivities) -> f64;

    /// A number that differs between bags of the same goals that are not each other's substitute; 0 if the one with
    /// the least noise is enough.
    fn variant(&self, _bag: &[GoalId], _sensitivities: &Sensitivities) -> u64 {
        0
    }
}
