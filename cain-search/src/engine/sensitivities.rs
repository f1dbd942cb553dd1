//! How sensitive the outputs are to errors in values, for searches that minimise errors.
//!
//! An error in a value reaches the outputs with weights that the steps after it have settled: the *sensitivity* of the
//! outputs to the value (its adjoint), one polynomial per output. Going backwards these steps are known, so that
//! what a list of steps adds to the error is known as soon as it is chosen; see
//! [`error_estimate`](super::error_estimate). What an error of a step does to its results, and what an error of an
//! operand does, is up to the target.

use cain_isa::Displacement;

use super::error_estimate::Known;
use super::goals::GoalId;
use super::problem::Problem;
use super::terms;

/// With which weight an error arrives at each place of each output: by key, with the number of the output as channel.
pub(crate) type Sensitivity = [(u32, f64)];

/// The sensitivities of the values of a bag, in the order of the bag.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sensitivities {
    terms: Vec<(u32, f64)>,
    ends: Vec<usize>,
    /// What is known of the error of each output.
    pub(crate) known: Vec<Known>,
}

impl Sensitivities {
    /// Those in the bag at the end: each value is its own output, and that of its copies.
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

    /// Of how many values.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The weights of all values together.
    pub(crate) fn weights(&self) -> usize {
        self.terms.len()
    }

    pub(crate) fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
        self.known.clear();
    }

    /// Writes a part of the sensitivity of one more value.
    pub(crate) fn extend(&mut self, terms: impl IntoIterator<Item = (u32, f64)>) {
        self.terms.extend(terms);
    }

    /// Adds a value with the sensitivity that has been written behind those of the others.
    pub(crate) fn close(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        sum_up(&mut self.terms, start);
        self.ends.push(self.terms.len());
    }
}

/// Calls `with` for every place at which there are two sensitivities, with its key and their product.
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

/// Sorts the terms from `start` on and adds up those of one place.
fn sum_up(terms: &mut Vec<(u32, f64)>, start: usize) {
    if terms[start..].is_sorted_by(|a, b| a.0 < b.0) {
        return;
    }
    // Stable, so that sums are the same on every machine even where they are rounded.
    terms[start..].sort_by_key(|term| term.0);
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
