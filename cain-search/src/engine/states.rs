//! The interface to a target's bags: the steps between them, their estimates and their errors.

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
/// A bag is a list of goals. Only the target knows what a place in the list means; [`Step::NONE`] marks an empty place.
pub(crate) trait StateSpace: Sync {
    /// The bag at the end of every program.
    fn last(&self) -> Vec<GoalId>;

    /// Whether nothing remains to be made in a bag.
    fn is_done(&self, bag: &[GoalId]) -> bool;

    /// Appends the keys of all expansions of a bag.
    fn expansions(&self, bag: &[GoalId], keys: &mut Vec<ExpansionKey>);

    /// Works out an expansion.
    fn draft(&self, goals: &Goals, key: ExpansionKey) -> Draft;

    /// Whether there is an instruction that carries out a step.
    fn is_possible(&self, step: &Step) -> bool;

    /// Writes the bag before a step, given the bag after it; `false` if there is none.
    fn before(&self, after: &[GoalId], step: &Step, before: &mut Vec<GoalId>) -> bool;

    /// A lower bound on the number of instructions of programs that make the bag.
    fn lower_bound(&self, goals: &Goals, bag: &[GoalId]) -> u32;

    /// Estimates how far a bag is from the inputs, given its lower bound; see [`estimate`](super::estimate).
    fn estimates(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> Estimates;

    /// How many values too many a bag holds for one register to be free.
    fn pressure(&self, bag: &[GoalId]) -> u32;

    /// A hash of a bag that does not depend on the order in which goals were found.
    fn hash(&self, goals: &Goals, bag: &[GoalId]) -> u64;
}

/// What the instructions of a target do to errors, if errors are followed; see [`sensitivities`](super::sensitivities).
pub(crate) trait NoiseModel: Sync {
    /// The problem whose outputs are affected by the errors.
    fn problem(&self) -> &Problem;

    /// What is known about the errors of the outputs at the end of a program, if that is followed.
    fn known_at_end(&self) -> Vec<Known> {
        Vec::new()
    }

    /// The unit of errors that the weights of passes refer to.
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

    /// Estimates what the steps before a bag will add to the error.
    fn to_come(&self, goals: &Goals, bag: &[GoalId], sensitivities: &Sensitivities) -> f64;

    /// A number that differs between bags of the same goals where neither can replace the other; 0 if the one with the
    /// least noise is enough.
    fn variant(&self, _bag: &[GoalId], _sensitivities: &Sensitivities) -> u64 {
        0
    }
}
