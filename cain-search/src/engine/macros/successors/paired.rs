//! Steps that make a goal with the help of another goal that is needed anyway.

use super::Expansion;
use crate::engine::factors;
use crate::engine::goals::GoalId;
use crate::engine::partitions::{overlaps, shares};
use crate::engine::terms::{self, Term};

impl Expansion<'_> {
    /// Adds all steps that use the other goal, or bring this one nearer to it.
    pub(super) fn paired(&mut self, other: GoalId) {
        self.translates(other);
        self.remainders(other);
        self.sums_of_three(other);
        self.overlaps(other);
    }

    /// Adds g = S·a, where a is the other goal or nearer to it.
    fn translates(&mut self, other: GoalId) {
        let (goals, terms, shifts) = (self.draft.goals, self.draft.terms, self.shifts);
        if goals.features(self.draft.goal).class != goals.features(other).class {
            return;
        }
        let (Some(&(here, weight)), Some(&(there, same))) = (terms.first(), goals.terms(other).first()) else { return };
        if weight != same {
            return;
        }
        let (here, there) = (terms::displacement(here), terms::displacement(there));
        let apart = |step: u32| {
            let step = terms::displacement_of_step(step);
            (here.x - step.x - there.x).unsigned_abs() + (here.y - step.y - there.y).unsigned_abs()
        };
        for &(form, step) in &shifts.moves {
            if apart(step) < apart(0) {
                let a = self.draft.moved(terms, 1, step.wrapping_neg());
                self.draft.push(form, &[a]);
            }
        }
    }

    /// Adds g = S·(a + other), g = S·a − other and g = S·other − a, solved for a, where a is simpler than g.
    fn remainders(&mut self, other: GoalId) {
        let shifts = self.shifts;
        let mut a = Vec::new();
        for &(form, step) in &shifts.adds {
            if self.simpler(&mut a, (1, step.wrapping_neg()), other, (-1, 0)) {
                let operands = [self.draft.operand(&a), self.draft.stored(other)];
                self.draft.push(form, &operands);
            }
        }
        for &(form, step) in &shifts.subtracts {
            if self.simpler(&mut a, (1, step.wrapping_neg()), other, (1, step.wrapping_neg())) {
                let operands = [self.draft.operand(&a), self.draft.stored(other)];
                self.draft.push(form, &operands);
            }
            if self.simpler(&mut a, (-1, 0), other, (1, step)) {
                let operands = [self.draft.stored(other), self.draft.operand(&a)];
                self.draft.push(form, &operands);
            }
        }
    }

    /// Adds g = other + p + q, where p and q share out the terms of what remains, if these are few.
    fn sums_of_three(&mut self, other: GoalId) {
        let Some(form) = self.shifts.add3 else { return };
        let mut rest = Vec::new();
        if self.simpler(&mut rest, (1, 0), other, (-1, 0)) {
            shares(&rest, |p, q| {
                let operands = [self.draft.stored(other), self.draft.operand(p), self.draft.operand(q)];
                self.draft.push(form, &operands);
            });
        }
    }

    /// Leaves `p·goal + q·other`, each moved, in `out`; returns whether that is known or simpler than the goal.
    fn simpler(&self, out: &mut Vec<Term>, first: (i32, u32), other: GoalId, second: (i32, u32)) -> bool {
        terms::combine(out, self.draft.terms, first, self.draft.goals.terms(other), second)
            && (terms::digits(out) < self.draft.goals.features(self.draft.goal).digits
                || self.draft.goals.contains(out))
    }

    /// Adds g = o + rest, where o is also a part of the other goal, moved or negated: the other goal will find o later.
    fn overlaps(&mut self, other: GoalId) {
        let (g, h, shifts) = (self.draft.terms, self.draft.goals.terms(other), self.shifts);
        let (mut part, mut rest) = (Vec::new(), Vec::new());
        for (step, sign) in overlaps(g, h) {
            factors::common(&mut part, g, h, step, sign);
            if !terms::combine(&mut rest, g, (1, 0), &part, (-1, 0)) || rest.is_empty() {
                continue;
            }
            if let Some(form) = shifts.add {
                let operands = [self.draft.operand(&part), self.draft.operand(&rest)];
                self.draft.push(form, &operands);
            }
            // The part at its place in the other goal, o': g = S·o' − (−rest).
            if let Some(&(form, _)) = shifts.subtracts.iter().find(|&&(_, s)| s == step) {
                let there = self.draft.moved(&part, sign, step.wrapping_neg());
                if sign > 0 {
                    let operands = [there, self.draft.moved(&rest, -1, 0)];
                    self.draft.push(form, &operands);
                } else if step == 0 {
                    let operands = [self.draft.operand(&rest), there];
                    self.draft.push(form, &operands);
                }
            }
        }
    }
}
