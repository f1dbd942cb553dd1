//! Words whose operands follow from a goal alone.

use super::{Expansion, MAX_PLACES, scaled};
use crate::engine::area::{Area, distance};
use crate::engine::factors;
use crate::engine::partitions::{Partition, partitions};
use crate::engine::terms::Term;
use crate::sort;

impl Expansion<'_> {
    /// Adds g = −(a + b + ..)/k.
    pub(super) fn of_registers(&mut self) {
        for (divisor, sum) in self.sums() {
            let whole = self.draft.operand(&sum);
            self.push_registers(divisor, &[whole]);
            partitions(&sum, &mut |partition| {
                let parts = parts(partition);
                let parts: Vec<_> = parts.iter().map(|part| self.draft.operand(part)).collect();
                self.push_registers(divisor, &parts);
            });
        }
    }

    /// Adds g = −(S·n + a + ..)/k.
    pub(super) fn reading(&mut self) {
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.reading.len() {
                self.push_reading(divisor, i, &sum, &[]);
                self.factors(divisor, i, &sum);
            }
            partitions(&sum, &mut |partition| {
                let parts = parts(partition);
                for (i, read) in parts.iter().enumerate() {
                    let others = (0..parts.len()).filter(|&j| j != i);
                    let others: Vec<_> = others.map(|j| self.draft.operand(&parts[j])).collect();
                    self.push_near(divisor, read, &others);
                }
            });
        }
    }

    /// Adds sums of the form S·a + a or S·a − a; if S moves nothing, twice a.
    fn factors(&mut self, divisor: usize, i: usize, sum: &[Term]) {
        let from = self.kinds.reading[i].0;
        let mut a = Vec::new();
        for sign in [1, -1] {
            // Half of a sum that will be halved is the goal itself.
            let is_of_use = from != 0 || (divisor, sign) == (1, 1);
            if is_of_use && factors::divide(&mut a, sum, from, sign) {
                let (read, other) = (self.draft.operand(&a), self.draft.moved(&a, sign, 0));
                self.push_held(divisor, i, read, &[other]);
            }
        }
    }

    /// Adds m = −S·(a + b + ..)/k.
    pub(super) fn writing_news(&mut self) {
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.news.len() {
                let parts = [self.draft.moved(&sum, 1, self.kinds.news[i].0.wrapping_neg())];
                self.push_news(divisor, i, &parts);
            }
            partitions(&sum, &mut |partition| {
                let parts = parts(partition);
                for i in self.places_near(&sum) {
                    let from = self.kinds.news[i].0.wrapping_neg();
                    let parts: Vec<_> = parts.iter().map(|part| self.draft.moved(part, 1, from)).collect();
                    self.push_news(divisor, i, &parts);
                }
            });
        }
    }

    /// The places from which NEWS is written that are nearest to the terms, the nearest first.
    fn places_near(&self, sum: &[Term]) -> Vec<usize> {
        let middle = Area::of(sum).centre();
        let mut places: Vec<usize> = (0..self.kinds.news.len()).collect();
        sort::by_key(&mut places, |&i| distance(self.kinds.news[i].0, middle));
        places.truncate(MAX_PLACES);
        places
    }
}

/// The summands of a partition.
fn parts(partition: Partition<'_>) -> Vec<Vec<Term>> {
    let signed = |part: &[Term], sign: i32| scaled(part, sign, 0).unwrap_or_default();
    match partition {
        Partition::Two(p, q, sign) => vec![p.to_vec(), signed(q, sign)],
        Partition::Three(p, (q, sign), r) => vec![p.to_vec(), signed(q, sign), r.to_vec()],
    }
}
