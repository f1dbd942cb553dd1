//! How sensitive the outputs are to errors in values, for searches that minimise noise.
//!
//! An error in a value reaches the outputs with weights that the steps after it have settled: the *sensitivity* of the
//! outputs to the value (its adjoint), one polynomial per output. Going backwards these steps are known, so that the
//! noise of a list of steps is known as soon as it is chosen: the sum over the steps of the squared weights of their
//! own errors (see [`noise`](crate::noise())). What an error of a step does to its results, and what an error of an
//! operand does, is up to the target.
//!
//! Where a program needs further moves between registers, its noise is larger than that of its steps, never smaller.

use cain_isa::Displacement;

use super::goals::{GoalId, Goals};
use super::problem::Problem;
use super::terms;

/// The noise of halving a value again and again: 2 + 2/4 + 2/16 + ..
const HALVINGS: f64 = 8.0 / 3.0;
/// The noise of adding a digit to a value, divided by its square. An addition makes 2, but some digits come together.
const DIGIT: f64 = 1.7;

/// With which weight an error arrives at each place of each output: by key, with the number of the output as channel.
pub(crate) type Sensitivity = [(u32, f64)];

/// The sensitivities of the values of a bag, in the order of the bag.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sensitivities {
    terms: Vec<(u32, f64)>,
    ends: Vec<usize>,
}

impl Sensitivities {
    /// Those in the bag at the end: each value is its own output, and that of its copies.
    pub(crate) fn at_end(problem: &Problem, bag: &[GoalId]) -> Self {
        let wanted = problem.wanted.iter().map(|wanted| wanted.0);
        let outputs = || (0..).zip(wanted.clone().chain(problem.copies.iter().map(|copy| copy.1)));
        let mut sensitivities = Self::default();
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

    /// The weights of all values together.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    pub(crate) fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
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

/// The sum over all places of the products of two sensitivities there.
pub(crate) fn product(a: &Sensitivity, b: &Sensitivity) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while let (Some(p), Some(q)) = (a.get(i), b.get(j)) {
        match p.0.cmp(&q.0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                sum += p.1 * q.1;
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    sum
}

/// A guess of the noise of a goal if it is made from nothing else: each halving and each addition of a digit has
/// two words, and digits are added up from the lowest on, so that each halving quarters what was there.
pub(crate) fn guess(problem: &Problem, goals: &Goals, goal: GoalId) -> f64 {
    let quarter_to = |n: u32| (0..n).fold(1.0, |power, _| power * 0.25);
    let halvings = problem.scale.saturating_sub(goals.features(goal).valuation);
    let digits: f64 = goals.terms(goal).iter().map(|term| squared_digits(term.1.unsigned_abs())).sum();
    HALVINGS * (1.0 - quarter_to(halvings)) + DIGIT * digits * quarter_to(problem.scale)
}

/// The sum of the squares of the powers of two that add up to a number.
fn squared_digits(n: u32) -> f64 {
    let digits = (0..u32::BITS).filter(|bit| n >> bit & 1 == 1);
    digits.map(|bit| f64::from(1_u32 << bit) * f64::from(1_u32 << bit)).sum()
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
