//! What the instructions leave of the offset error, where it has to cancel.
//!
//! Every form cancels the errors of its own words but the divisions: their negative halves hold the error once. Going
//! backwards, the steps after a value are known, and so is the weight with which a constant in it reaches each output:
//! the sensitivity of the outputs to an error that is the same at every place. The negative half that a step makes adds
//! its weight to what is left in the outputs. So what is left so far is one more attribute of a bag. Bags of the same
//! goals that differ in it are told apart, those with nothing left look nearer, and if nothing is left at the inputs,
//! the program has no offset error.
//!
//! That often takes no instruction more, since signs are free: from the halves h and −h of a value, `subx` makes
//! S·h + h with one error less, or −(S·h + h) with one error more, so that two factors in a row cancel each other.

use cain_isa::ErrorModel;

use super::error_paths::ErrorPaths;
use super::successors::Successors;
use crate::engine::goals::{GoalId, Goals, mix};
use crate::engine::problem::Problem;
use crate::engine::sensitivities::{Sensitivities, Sensitivity};
use crate::engine::states::NoiseModel;
use crate::engine::step::Step;
use crate::engine::terms;

/// What an offset error that is left adds to the estimate of a bag, about as much as a digit.
const LEFT: f64 = 1500.0;

/// Follows offset errors instead of noise, which is not the objective. The sensitivities of a bag are those of its
/// goals to a constant, and one more: what is left in the outputs.
pub(crate) struct OffsetModel<'a>(ErrorPaths<'a>);

impl<'a> OffsetModel<'a> {
    pub(crate) fn new(problem: &'a Problem, successors: &'a Successors) -> Self {
        Self(ErrorPaths::new(problem, successors, &ErrorModel::constant(1.0)))
    }
}

/// What is left in the outputs; nothing at the end of the program.
fn left<'s>(bag: &[GoalId], sensitivities: &'s Sensitivities) -> &'s Sensitivity {
    if sensitivities.len() > bag.len() { sensitivities.get(bag.len()) } else { &[] }
}

impl NoiseModel for OffsetModel<'_> {
    fn problem(&self) -> &Problem {
        self.0.problem
    }

    fn before(
        &self,
        goals: &Goals,
        after: (&[GoalId], &Sensitivities),
        (before, out): (&[GoalId], &mut Sensitivities),
        step: &Step,
    ) -> f64 {
        out.clear();
        // A constant is the same at every place.
        self.0.pass_on(goals, after, (before, out), step, |out, _, passed, _| {
            out.extend(passed.into_iter().map(|(key, weight)| (terms::origin(key), weight)));
        });
        out.extend(left(after.0, after.1).iter().copied());
        for (result, offset) in self.0.of_results(goals, after, step).into_iter().zip(self.0.form(step).bias) {
            out.extend(result.iter().map(|&(key, weight)| (key, offset * weight)));
        }
        out.close();
        0.0
    }

    fn to_come(&self, _goals: &Goals, bag: &[GoalId], sensitivities: &Sensitivities) -> f64 {
        if left(bag, sensitivities).iter().all(|&(_, weight)| weight == 0.0) { 0.0 } else { LEFT }
    }

    fn variant(&self, bag: &[GoalId], sensitivities: &Sensitivities) -> u64 {
        let left = left(bag, sensitivities).iter().filter(|(_, weight)| *weight != 0.0);
        left.fold(0, |hash, &(key, weight)| mix(hash ^ weight.to_bits()).wrapping_add(key.into()))
    }
}
