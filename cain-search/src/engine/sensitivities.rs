//! How sensitive the outputs are to errors in values, for searches that minimise errors.
//!
//! An error in a value reaches the outputs with weights that the steps after it have settled: the *sensitivity* of the
//! outputs to the value (its adjoint), one polynomial per output. Going backwards these steps are known, so the error
//! that a list of steps adds is known as soon as the list is chosen; see [`error_estimate`](super::error_estimate). The
//! target says what an error of a step or of an operand does to the results.

use cain_isa::Displacement;

use super::goals::GoalId;
use super::known_error::Known;
use super::problem::Problem;
use super::{terms, work};
use crate::sort;

/// The sensitivity of the outputs to one value: the weight with which an error reaches each place of each output, by a
/// key whose channel is the number of the output.
pub(crate) type Sensitivity = [(u32, f64)];

/// The sensitivities of the values of a bag, in the order of the bag.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sensitivities {
    terms: Vec<(u32, f64)>,
    ends: Vec<usize>,
    /// What is known about the error of each output.
    pub(crate) known: Vec<Known>,
}

impl Sensitivities {
    /// The sensitivities of the bag at the end: each value is its own output, and also that of its copies.
    pub(crate) fn at_end(problem: &Problem, known: Vec<Known>, bag: &[GoalId]) -> Self {
        let wanted = problem.wanted.iter().map(|wanted| wanted.0);
        let outputs = || (0..).zip(wanted.clone().chain(problem.copies.iter().map(|copy| copy.1)));
        let mut sensitivities = Self { known, ..Self::default() };
        for &goal in bag {
            let own = outputs().filter(|output| output.1 == goal);
            sensitivities.extend(own.map(|(channel, _)| (terms::key(channel, Displacement::ZERO), 1.0)));
            sensitivities.close();
        }
        sensitivities
    }

    pub(crate) fn get(&self, i: usize) -> &Sensitivity {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.terms[start..self.ends[i]]
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The work of following them: one unit for each weight of a value.
    pub(crate) fn work(&self) -> u64 {
        work::units(self.terms.len())
    }

    pub(crate) fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
        self.known.clear();
    }

    /// Appends terms to the sensitivity of the value that is being added.
    pub(crate) fn extend(&mut self, terms: impl IntoIterator<Item = (u32, f64)>) {
        self.terms.extend(terms);
    }

    /// Completes the value that is being added: its sensitivity consists of the terms written since the last one.
    pub(crate) fn close(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        sum_up(&mut self.terms, start);
        self.ends.push(self.terms.len());
    }
}

/// Calls `with` for every key that two sensitivities have in common, with the product of their weights.
pub(crate) fn products(a: &Sensitivity, b: &Sensitivity, mut with: impl FnMut(u32, f64)) {
    let (mut i, mut j) = (0, 0);
    while let (Some(p), Some(q)) = (a.get(i), b.get(j)) {
        match p.0.cmp(&q.0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                with(p.0, p.1 * q.1);
                (i, j) = (i + 1, j + 1);
            }
        }
    }
}

/// Sorts the terms from `start` on and adds up those with equal keys.
fn sum_up(terms: &mut Vec<(u32, f64)>, start: usize) {
    if terms[start..].is_sorted_by(|a, b| a.0 < b.0) {
        return;
    }
    // The sort is stable, so that rounded sums are the same on every machine.
    sort::by_key(&mut terms[start..], |term| term.0);
    let mut end = start;
    for i in start..terms.len() {
        if end > start && terms[end - 1].0 == terms[i].0 {
            terms[end - 1].1 += terms[i].1;
        } else {
            terms[end] = terms[i];
            end += 1;
        }
    }
    terms.truncate(end);
}
