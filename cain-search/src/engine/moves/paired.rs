//! Steps that make a goal with the help of another goal that is needed anyway.

use super::super::goals::{GoalId, Goals};
use super::super::terms::{self, Term};
use super::{FormId, Moves, ranked};

/// Common parts kept per pair of goals, the largest first.
const MAX_OVERLAPS: usize = 8;
/// Up to this many terms are shared out between two operands beside a known one.
const MAX_SHARED: usize = 4;

impl Moves {
    pub(super) fn generate_paired(&mut self, goals: &mut Goals, goal: GoalId, other: GoalId) {
        self.translates(goals, goal, other);
        self.remainders(goals, goal, other);
        self.sums_of_three(goals, goal, other);
        self.overlaps(goals, goal, other);
    }

    /// g = S·a, where a is the other goal, or nearer to it.
    fn translates(&mut self, goals: &mut Goals, goal: GoalId, other: GoalId) {
        if goals.features(goal).class != goals.features(other).class {
            return;
        }
        let first = |goal| goals.terms(goal).first().copied();
        let (Some((here, weight)), Some((there, same))) = (first(goal), first(other)) else { return };
        if weight != same {
            return;
        }
        let (here, there) = (terms::offset(here), terms::offset(there));
        let apart = |step: u32| {
            let step = terms::offset_of_step(step);
            (here.x - step.x - there.x).unsigned_abs() + (here.y - step.y - there.y).unsigned_abs()
        };
        let terms = goals.terms(goal).to_vec();
        for i in 0..self.shifts.moves.len() {
            let (form, step) = self.shifts.moves[i];
            if apart(step) < apart(0) {
                let a = self.moved(goals, &terms, 1, step.wrapping_neg());
                self.push(goals, form, goal, &[a]);
            }
        }
    }

    /// g = S·(a + other), g = S·a − other, g = S·other − a, solved for a, where a is simpler than g.
    fn remainders(&mut self, goals: &mut Goals, goal: GoalId, other: GoalId) {
        for i in 0..self.shifts.adds.len() {
            let (form, step) = self.shifts.adds[i];
            let a = self.simpler(goals, goal, (1, step.wrapping_neg()), other, (-1, 0));
            self.push_if(goals, form, goal, [a, Some(other)]);
        }
        for i in 0..self.shifts.subtracts.len() {
            let (form, step) = self.shifts.subtracts[i];
            let a = self.simpler(goals, goal, (1, step.wrapping_neg()), other, (1, step.wrapping_neg()));
            self.push_if(goals, form, goal, [a, Some(other)]);
            let b = self.simpler(goals, goal, (-1, 0), other, (1, step));
            self.push_if(goals, form, goal, [Some(other), b]);
        }
    }

    /// g = other + p + q, where p and q share out the terms of a rest with few of them.
    fn sums_of_three(&mut self, goals: &mut Goals, goal: GoalId, other: GoalId) {
        let Some(form) = self.shifts.add3 else { return };
        let Some(rest) = self.simpler(goals, goal, (1, 0), other, (-1, 0)) else { return };
        let terms = goals.terms(rest).to_vec();
        if terms.len() > MAX_SHARED {
            return;
        }
        // The last term stays in q, so that each way is tried once.
        for mask in 1_u32..1 << terms.len().saturating_sub(1) {
            let (mut p, mut q) = (Vec::new(), Vec::new());
            for (i, &term) in terms.iter().enumerate() {
                if mask >> i & 1 == 1 { p.push(term) } else { q.push(term) }
            }
            let operands = [Some(other), goals.intern(&p), goals.intern(&q)];
            self.push(goals, form, goal, &operands);
        }
    }

    /// The combination `p·goal + q·other`, each moved, if it is simpler than the goal.
    fn simpler(
        &mut self,
        goals: &mut Goals,
        goal: GoalId,
        first: (i32, u32),
        other: GoalId,
        second: (i32, u32),
    ) -> Option<GoalId> {
        let out = &mut self.scratch.c;
        if !terms::combine(out, goals.terms(goal), first, goals.terms(other), second) {
            return None;
        }
        let simpler = terms::digits(out) < goals.features(goal).digits || goals.find(out).is_some();
        if simpler { goals.intern(out) } else { None }
    }

    fn push_if(&mut self, goals: &Goals, form: FormId, goal: GoalId, operands: [Option<GoalId>; 2]) {
        if operands.iter().all(Option::is_some) {
            self.push(goals, form, goal, &operands);
        }
    }

    /// g = o + rest, where o is also part of the other goal somewhere: the other goal will find o later.
    fn overlaps(&mut self, goals: &mut Goals, goal: GoalId, other: GoalId) {
        let g = goals.terms(goal).to_vec();
        let h = goals.terms(other).to_vec();
        if g.len() < 2 || h.len() < 2 {
            return;
        }
        for (step, sign) in shared(&g, &h) {
            let (mut part, mut rest) = (Vec::new(), Vec::new());
            terms::common(&mut part, &g, &h, step, sign);
            if !terms::combine(&mut rest, &g, (1, 0), &part, (-1, 0)) || rest.is_empty() {
                continue;
            }
            let (o, r) = (goals.intern(&part), goals.intern(&rest));
            if let Some(form) = self.shifts.add {
                self.push(goals, form, goal, &[o, r]);
            }
            // As it stands in the other goal: g = S·o' − (−rest).
            if let Some(&(form, _)) = self.shifts.subtracts.iter().find(|&&(_, s)| s == step) {
                let there = self.moved(goals, &part, sign, step.wrapping_neg());
                if sign > 0 {
                    let minus = r.and_then(|r| self.negative(goals, r));
                    self.push(goals, form, goal, &[there, minus]);
                } else if step == 0 {
                    self.push(goals, form, goal, &[r, there]);
                }
            }
        }
    }
}

/// Displacements and signs under which two goals have most in common.
fn shared(g: &[Term], h: &[Term]) -> Vec<(u32, i32)> {
    let steps: Vec<u32> = g
        .iter()
        .flat_map(|a| h.iter().filter(|b| terms::channel(a.0) == terms::channel(b.0)).map(|b| a.0.wrapping_sub(b.0)))
        .collect();
    ranked(steps, (MAX_OVERLAPS, 2), |part, step, sign| terms::common(part, g, h, step, sign))
}
