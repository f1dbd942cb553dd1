//! The errors that control words leave in the outputs; see [`sensitivities`](crate::engine::sensitivities).

use super::states::{Place, take_results};
use super::successors::Successors;
use crate::engine::error_estimate::{ErrorEstimate, Known};
use crate::engine::goals::{GoalId, Goals};
use crate::engine::problem::Problem;
use crate::engine::sensitivities::Sensitivities;
use crate::engine::states::NoiseModel;
use crate::engine::step::Step;

/// The effect of control words on errors: each cell that a word writes has an error of its own, and a source passes its
/// error on to all of them.
pub(crate) struct WordErrors<'a> {
    problem: &'a Problem,
    successors: &'a Successors,
    estimate: ErrorEstimate,
}

impl<'a> WordErrors<'a> {
    pub(crate) fn new(problem: &'a Problem, successors: &'a Successors, estimate: ErrorEstimate) -> Self {
        Self { problem, successors, estimate }
    }
}

impl NoiseModel for WordErrors<'_> {
    fn problem(&self) -> &Problem {
        self.problem
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
        (after, sensitivities): (&[GoalId], &Sensitivities),
        (before, out): (&[GoalId], &mut Sensitivities),
        step: &Step,
    ) -> f64 {
        let form = self.successors.forms().get(step.form);
        let mut bag = after.to_vec();
        let places = take_results(form, step.result, &mut bag).unwrap_or_default();
        // Of equal values in several registers, the first ones are those that the word makes.
        let in_registers = places.iter().filter(|place| **place == Some(Place::Register)).count();
        let mut made = usize::from(!form.makes_news()) + in_registers;
        let makes_news = form.makes_news() || places.contains(&Some(Place::News));
        let is_made = |i: usize, made: &mut usize| {
            let is_register = i > 0 && after[i] == step.result && *made > 0;
            *made -= usize::from(is_register);
            is_register || (i == 0 && makes_news)
        };
        out.clear();
        out.known.clone_from(&sensitivities.known);
        let value = goals.terms(step.result);
        let (mut sum, mut kept) = (Vec::new(), Vec::new());
        for (i, &goal) in after.iter().enumerate() {
            let sensitivity = sensitivities.get(i);
            if is_made(i, &mut made) {
                self.estimate.add_write(&mut out.known, sensitivity, value, form.divisor);
                sum.extend_from_slice(sensitivity);
            } else {
                kept.push((i == 0, goal, sensitivity));
            }
        }
        let factor = -1.0 / f64::from(form.divisor);
        let mut operands: Vec<(bool, GoalId)> =
            step.operands().iter().enumerate().map(|(i, &goal)| (i == 0 && form.reading.is_some(), goal)).collect();
        for (i, &goal) in before.iter().enumerate() {
            let cell = (i == 0, goal);
            if let Some(same) = kept.iter().position(|&(is_news, other, _)| (is_news, other) == cell) {
                out.extend(kept.remove(same).2.iter().copied());
            }
            if let Some(used) = operands.iter().position(|operand| *operand == cell) {
                operands.remove(used);
                let from = if i == 0 { form.news_from } else { form.registers_from };
                out.extend(sum.iter().map(|&(key, weight): &(u32, f64)| (key.wrapping_add(from), factor * weight)));
            }
            out.close();
        }
        self.estimate.without_bias(&out.known) - self.estimate.without_bias(&sensitivities.known)
    }

    fn to_come(&self, goals: &Goals, bag: &[GoalId], sensitivities: &Sensitivities) -> f64 {
        let is_open = |goal: GoalId| goal != Step::NONE && self.problem.input(goal).is_none();
        let open = (0..).zip(bag).filter(|&(_, &goal)| is_open(goal));
        let open = open.map(|(i, &goal)| (goal, sensitivities.get(i)));
        self.estimate.to_come((self.problem, goals), &sensitivities.known, open)
    }
}
