//! The errors that macro instructions leave in the outputs, for searches that minimise them; see
//! [`error_estimate`](crate::engine::error_estimate).

use cain_isa::ErrorModel;

use super::error_paths::{ErrorPaths, FormErrors, RESULTS};
use super::successors::Successors;
use crate::engine::error_estimate::{ErrorEstimate, Known};
use crate::engine::goals::{GoalId, Goals};
use crate::engine::problem::Problem;
use crate::engine::sensitivities::{Sensitivities, Sensitivity, products};
use crate::engine::states::NoiseModel;
use crate::engine::step::Step;
use crate::engine::terms::{self, Term};

/// The effect of macro instructions on errors.
pub(crate) struct MacroErrors<'a> {
    paths: ErrorPaths<'a>,
    estimate: ErrorEstimate,
}

impl<'a> MacroErrors<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        successors: &'a Successors,
        chip: &ErrorModel,
        estimate: ErrorEstimate,
    ) -> Self {
        Self { paths: ErrorPaths::new(problem, successors, chip), estimate }
    }

    /// Adds the errors of an instruction's own words to what is known of the outputs.
    fn add_own(&self, known: &mut [Known], form: &FormErrors, results: [&Sensitivity; RESULTS], value: &[Term]) {
        let variance = self.estimate.variance_of(value);
        for (i, own) in form.own.iter().enumerate() {
            for (j, own) in own.iter().enumerate() {
                products(results[i], results[j], |key, product| {
                    if let Some(known) = known.get_mut(terms::channel(key) as usize) {
                        known.variance += own * product * variance;
                    }
                });
            }
        }
        for (sensitivity, bias) in results.iter().zip(form.bias) {
            for &(key, weight) in *sensitivity {
                if let Some(known) = known.get_mut(terms::channel(key) as usize) {
                    known.bias += weight * bias;
                }
            }
        }
    }
}

impl NoiseModel for MacroErrors<'_> {
    fn problem(&self) -> &Problem {
        self.paths.problem
    }

    fn known_at_end(&self) -> Vec<Known> {
        self.estimate.at_end()
    }

    fn unit(&self) -> f64 {
        self.estimate.unit()
    }

    fn before(
        &self,
        goals: &Goals,
        after: (&[GoalId], &Sensitivities),
        (before, out): (&[GoalId], &mut Sensitivities),
        step: &Step,
    ) -> f64 {
        out.clear();
        out.known.clone_from(&after.1.known);
        let results = self.paths.of_results(goals, after, step);
        self.add_own(&mut out.known, self.paths.form(step), results, goals.terms(step.result));
        self.paths.pass_on(goals, after, (before, out), step, |out, goal, passed, words| {
            self.estimate.add_path(&mut out.known, &passed, goals.terms(goal), words);
            out.extend(passed);
        });
        self.estimate.without_bias(&out.known) - self.estimate.without_bias(&after.1.known)
    }

    fn to_come(&self, goals: &Goals, bag: &[GoalId], sensitivities: &Sensitivities) -> f64 {
        let problem = self.paths.problem;
        let open = (0..).zip(bag).filter(|&(_, &goal)| problem.input(goal).is_none());
        let open = open.map(|(i, &goal)| (goal, sensitivities.get(i)));
        self.estimate.to_come((problem, goals), &sensitivities.known, open)
    }
}
