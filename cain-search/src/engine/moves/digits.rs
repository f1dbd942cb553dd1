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
            let doubled = self.moved(goals, &terms, 2, 0)?;
            return Some(Step::new(self.shifts.halve?, goal, &[doubled]));
        }
        let plus = 1_i32.checked_shl(bit).filter(|weight| *weight > 0)?;
        let digit = [(position, sign * plus)];
        if terms != digit {
            let mut rest = Vec::new();
            terms::combine(&mut rest, &terms, (1, 0), &digit, (-1, 0)).then_some(())?;
            let operands = [goals.intern(&rest)?, goals.intern(&[(position, plus)])?];
            let form = if sign > 0 { self.shifts.add } else { self.shifts.subtract };
            return Some(Step::new(form?, goal, &operands));
        }
        if bit > self.scale {
            let half = [(position, sign * (plus / 2))];
            let operands = [goals.intern(&half)?, self.moved(goals, &half, -1, 0)?];
            return Some(Step::new(self.shifts.subtract?, goal, &operands));
        }
        if sign < 0 {
            let positive = self.moved(goals, &terms, -1, 0)?;
            return Some(Step::new(self.shifts.negate?, goal, &[positive]));
        }
        self.homewards(goals, goal, &terms)
    }

    /// g = S·a with a as near to its input as one instruction allows.
    fn homewards(&mut self, goals: &mut Goals, goal: GoalId, terms: &[Term]) -> Option<Step> {
        let here = terms::offset(terms.first()?.0);
        let (form, step) = super::alone::nearest(&self.shifts.moves, here)?;
        let nearer = self.moved(goals, terms, 1, step.wrapping_neg())?;
        Some(Step::new(form, goal, &[nearer]))
    }
}

/// The position, bit and sign of the highest digit of a term in the non-adjacent form.
fn top_digit(key: u32, weight: i32) -> (u32, u32, i32) {
    let n = u64::from(weight.unsigned_abs());
    (key, ((n ^ (3 * n)) >> 1).checked_ilog2().unwrap_or(0), weight.signum())
}
