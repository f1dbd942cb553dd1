//! Words that use values that are needed anyway.

use super::{Expansion, scaled};
use crate::engine::draft::OperandId;
use crate::engine::factors;
use crate::engine::goals::GoalId;
use crate::engine::partitions::{overlaps, shares};
use crate::engine::terms::{self, Term};

impl Expansion<'_> {
    /// Adds g = −(other + a + ..)/k.
    pub(super) fn of_registers_with(&mut self, other: GoalId) {
        let known = self.draft.stored(other);
        for (divisor, sum) in self.sums() {
            let Some(rest) = self.rest(&sum, &[(other, 1, 0)]) else { continue };
            self.share_out(&rest, |this, parts| this.push_registers(divisor, &[&[known], parts].concat()));
            for (part, rest) in self.overlaps(&sum, other) {
                let parts = [self.draft.operand(&part), self.draft.operand(&rest)];
                self.push_registers(divisor, &parts);
            }
        }
    }

    /// Adds words for which NEWS holds ± the other value, or which read the other value in a register.
    pub(super) fn reading_with(&mut self, other: GoalId) {
        let known = self.draft.stored(other);
        for (divisor, sum) in self.sums() {
            for sign in [1, -1] {
                let held = if sign > 0 { known } else { self.draft.moved(self.draft.goals.terms(other), -1, 0) };
                for i in 0..self.kinds.reading.len() {
                    let from = self.kinds.reading[i].0;
                    if let Some(rest) = self.rest(&sum, &[(other, sign, from)]) {
                        self.share_out(&rest, |this, parts| this.push_held(divisor, i, held, parts));
                    }
                }
            }
            if let Some(rest) = self.rest(&sum, &[(other, 1, 0)])
                && !rest.is_empty()
            {
                self.push_near(divisor, &rest, &[known]);
            }
            for (part, rest) in self.overlaps(&sum, other) {
                for (read, part) in [(&part, &rest), (&rest, &part)] {
                    let parts = [self.draft.operand(part)];
                    self.push_near(divisor, read, &parts);
                }
            }
        }
    }

    /// Adds words that read the value that NEWS already holds.
    pub(super) fn reading_held(&mut self, held: GoalId) {
        let known = self.draft.stored(held);
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.reading.len() {
                let from = self.kinds.reading[i].0;
                if let Some(rest) = self.rest(&sum, &[(held, 1, from)]) {
                    self.share_out(&rest, |this, parts| this.push_held(divisor, i, known, parts));
                }
            }
        }
    }

    /// Adds words that read the value that NEWS already holds, and another known value.
    pub(super) fn reading_held_with(&mut self, held: GoalId, other: GoalId) {
        let (held_id, known) = (self.draft.stored(held), self.draft.stored(other));
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.reading.len() {
                let from = self.kinds.reading[i].0;
                if let Some(rest) = self.rest(&sum, &[(held, 1, from), (other, 1, 0)]) {
                    let parts = if rest.is_empty() { vec![known] } else { vec![known, self.draft.operand(&rest)] };
                    self.push_held(divisor, i, held_id, &parts);
                }
            }
        }
    }

    /// Adds m = −S·(other + a + ..)/k.
    pub(super) fn writing_news_with(&mut self, other: GoalId) {
        let known = self.draft.stored(other);
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.news.len() {
                let Some(sum) = scaled(&sum, 1, self.kinds.news[i].0.wrapping_neg()) else { continue };
                if let Some(rest) = self.rest(&sum, &[(other, 1, 0)]) {
                    self.share_out(&rest, |this, parts| this.push_news(divisor, i, &[&[known], parts].concat()));
                }
            }
        }
    }

    /// What remains of a sum without known values, each with a sign and a place it is read from; `None` if the
    /// remainder is neither simpler nor known.
    fn rest(&self, sum: &[Term], known: &[(GoalId, i32, u32)]) -> Option<Vec<Term>> {
        let mut rest = sum.to_vec();
        let mut out = Vec::new();
        for &(goal, sign, from) in known {
            if !terms::combine(&mut out, &rest, (1, 0), self.draft.goals.terms(goal), (-sign, from)) {
                return None;
            }
            std::mem::swap(&mut rest, &mut out);
        }
        (terms::digits(&rest) < terms::digits(sum) || self.draft.goals.contains(&rest)).then_some(rest)
    }

    /// Calls `push` with ways to share out a remainder: no operand if it is empty, otherwise one or two.
    fn share_out(&mut self, rest: &[Term], mut push: impl FnMut(&mut Self, &[Option<OperandId>])) {
        if rest.is_empty() {
            push(self, &[]);
            return;
        }
        let whole = self.draft.operand(rest);
        push(self, &[whole]);
        shares(rest, |p, q| {
            let parts = [self.draft.operand(p), self.draft.operand(q)];
            push(self, &parts);
        });
    }

    /// Parts of a sum that are also parts of another goal, which will find them later, each with what remains of the
    /// sum.
    fn overlaps(&self, sum: &[Term], other: GoalId) -> Vec<(Vec<Term>, Vec<Term>)> {
        let h = self.draft.goals.terms(other);
        let part_and_rest = |(step, sign): (u32, i32)| {
            let (mut part, mut rest) = (Vec::new(), Vec::new());
            factors::common(&mut part, sum, h, step, sign);
            (terms::combine(&mut rest, sum, (1, 0), &part, (-1, 0)) && !rest.is_empty()).then_some((part, rest))
        };
        overlaps(sum, h).into_iter().filter_map(part_and_rest).collect()
    }
}
