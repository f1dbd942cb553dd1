//! Steps that take one signed binary digit off a goal.

use super::super::goals::{GoalId, Goals};
use super::super::terms::{self, Term};
use super::{Moves, Step};

impl Moves {
    /// A step that brings a goal nearer to the inputs, whatever it costs; `None` if its values leave the range.
    ///
    /// The highest digit is split off once it has the weight of an input; until then the goal is doubled.
    pub(crate) fn digit(&mut self, goals: &mut Goals, goal: GoalId) -> Option<Step> {
        let terms = goals.terms(goal).to_vec();
        let (position, bit, sign) =
            terms.iter().map(|&(key, weight)| top_digit(key, weight)).max_by_key(|top| top.1)?;
        if bit < self.scale {
            let doubled = self.times(goals, &terms, 2)?;
            return Some(Step::new(self.shifts.halve?, goal, &[doubled]));
        }
        let plus = 1_i32.checked_shl(bit).filter(|weight| *weight > 0)?;
        let digit = [(position, sign * plus)];
        if terms != digit {
            let mut rest = Vec::new();
            terms::combine(&mut rest, &terms, (1, 0), &digit, (-1, 0)).then_some(())?;
            let operands = [goals.intern(&rest)?, goals.intern(&[(position, plus)])?];
            let forms = if sign > 0 { &self.shifts.adds } else { &self.shifts.subtracts };
            return Some(Step::new(unmoved(forms)?, goal, &operands));
        }
        if bit > self.scale {
            let half = [(position, sign * (plus / 2))];
            let operands = [goals.intern(&half)?, self.times(goals, &half, -1)?];
            self.negative(goals, *operands.first()?)?;
            return Some(Step::new(unmoved(&self.shifts.subtracts)?, goal, &operands));
        }
        if sign < 0 {
            let positive = self.times(goals, &terms, -1)?;
            return Some(Step::new(self.shifts.negate?, goal, &[positive]));
        }
        self.homewards(goals, goal, &terms)
    }

    /// g = S·a with a as near to its input as one instruction allows.
    fn homewards(&mut self, goals: &mut Goals, goal: GoalId, terms: &[Term]) -> Option<Step> {
        let here = terms::offset(terms.first()?.0);
        let (form, step) = super::alone::nearest(&self.shifts.moves, here)?;
        terms::scaled(&mut self.scratch.b, terms, 1, step.wrapping_neg()).then_some(())?;
        Some(Step::new(form, goal, &[goals.intern(&self.scratch.b)?]))
    }

    fn times(&mut self, goals: &mut Goals, terms: &[Term], factor: i32) -> Option<GoalId> {
        terms::scaled(&mut self.scratch.b, terms, factor, 0).then(|| goals.intern(&self.scratch.b)).flatten()
    }
}

fn unmoved(forms: &[(super::FormId, u32)]) -> Option<super::FormId> {
    forms.iter().find(|(_, step)| *step == 0).map(|(form, _)| *form)
}

/// The position, bit and sign of the highest digit of a term in the non-adjacent form.
fn top_digit(key: u32, weight: i32) -> (u32, u32, i32) {
    let n = u64::from(weight.unsigned_abs());
    (key, ((n ^ (3 * n)) >> 1).checked_ilog2().unwrap_or(0), weight.signum())
}
