//! Follows what the instructions leave of the offset error, if it has to cancel.
//!
//! Every form cancels the errors of its own words, except divisions: their negative halves hold the error once. Going
//! backwards, the steps after a value are known, and so is the weight with which a constant in it reaches each output:
//! the sensitivity of the outputs to an error that is the same at every place. The negative half that a step makes adds
//! its weight to what is left in the outputs. So the error left so far is one more attribute of a bag. Bags of the same
//! goals that differ in it are kept apart, those with nothing left look nearer, and if nothing is left at the inputs,
//! the program has no offset error.
//!
//! Words with several destinations have a different error from words with one. What that adds to the outputs, which is
//! their bias once the errors themselves cancel, is a further attribute; bags with a large bias look farther away.
//!
//! Cancelling the error often takes no further instruction, since signs can be chosen: from the halves h and −h of a
//! value, `subx` makes S·h + h with one error less, or −(S·h + h) with one error more, so that two factors in a row
//! cancel each other.

use cain_isa::ErrorModel;

use super::error_paths::ErrorPaths;
use super::successors::Successors;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::hash::mix;
use crate::engine::problem::Problem;
use crate::engine::sensitivities::{Sensitivities, Sensitivity};
use crate::engine::states::NoiseModel;
use crate::engine::step::Step;
use crate::engine::terms;

/// What a remaining offset error adds to the estimate of a bag, about as much as a digit.
const LEFT: f64 = 1500.0;
/// What each DN of bias beyond the tolerated one adds to the estimate of a bag, and the most DN that count.
const BIAS: f64 = 1000.0;
const MAX_BIAS: f64 = 12.0;
/// The tolerated bias, in DN.
const TOLERATED: f64 = 1.5;
/// The resolution of biases, in DN: bags whose biases differ by more cannot replace each other.
const COARSE: f64 = 8.0;

/// An error model that follows offset errors instead of noise, for objectives other than noise. The sensitivities of a
/// bag are those of its goals to a constant, and two more: the error left in the outputs, and their bias apart from
/// that.
pub(crate) struct OffsetModel<'a> {
    errors: ErrorPaths<'a>,
    /// The paths of the additional errors of words with several destinations.
    biases: ErrorPaths<'a>,
}

impl<'a> OffsetModel<'a> {
    pub(crate) fn new(problem: &'a Problem, successors: &'a Successors, chip: &ErrorModel) -> Self {
        let further = ErrorModel { offset: chip.offset.map(|offset| offset - chip.offset[0]), ..ErrorModel::ideal() };
        Self {
            errors: ErrorPaths::new(problem, successors, &ErrorModel::constant(1.0)),
            biases: ErrorPaths::new(problem, successors, &further),
        }
    }
}

/// The error left in the outputs, and their bias; empty at the end of the program.
fn left<'s>(bag: &[GoalId], sensitivities: &'s Sensitivities) -> [&'s Sensitivity; 2] {
    let of = |i: usize| if sensitivities.len() > i { sensitivities.get(i) } else { &[] };
    [of(bag.len()), of(bag.len() + 1)]
}

/// The magnitude of the bias that is farthest from 0.
fn worst(biases: &Sensitivity) -> f64 {
    biases.iter().map(|(_, bias)| bias.abs()).fold(0.0, f64::max)
}

impl NoiseModel for OffsetModel<'_> {
    fn problem(&self) -> &Problem {
        self.errors.problem
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
        self.errors.pass_on(goals, after, (before, out), step, |out, _, passed, _| {
            out.extend(passed.into_iter().map(|(key, weight)| (terms::origin(key), weight)));
        });
        let results = self.errors.of_results(goals, after, step);
        for (left, paths) in left(after.0, after.1).into_iter().zip([&self.errors, &self.biases]) {
            out.extend(left.iter().copied());
            for (result, offset) in results.into_iter().zip(paths.form(step).bias) {
                out.extend(result.iter().map(|&(key, weight)| (key, offset * weight)));
            }
            out.close();
        }
        0.0
    }

    fn to_come(&self, _goals: &Goals, bag: &[GoalId], sensitivities: &Sensitivities) -> f64 {
        let [left, biases] = left(bag, sensitivities);
        let of_left = if left.iter().all(|&(_, weight)| weight == 0.0) { 0.0 } else { LEFT };
        of_left + BIAS * (worst(biases) - TOLERATED).clamp(0.0, MAX_BIAS)
    }

    fn variant(&self, bag: &[GoalId], sensitivities: &Sensitivities) -> u64 {
        let [left, biases] = left(bag, sensitivities);
        let left = left.iter().filter(|(_, weight)| *weight != 0.0);
        let coarse = (worst(biases) / COARSE).floor().to_bits();
        let of_left = left.fold(0, |hash: u64, &(key, weight)| mix(hash ^ weight.to_bits()).wrapping_add(key.into()));
        if coarse == 0 { of_left } else { mix(of_left ^ coarse) }
    }
}
