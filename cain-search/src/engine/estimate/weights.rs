//! The weights of the linear estimate, and what a single goal adds to it.
//!
//! The weights come from a logistic regression over random kernels (one to three at once, 3×3 and 5×5, with signs and
//! without), such that bags on the way to the best programs rank before other bags of their layer. Then the beam ran
//! with these weights, and what it kept wrongly was added to the sample, until nothing improved. In words: digits and
//! terms are what costs; goals that share a class (equal up to translation, sign and a power of two) or a ray (equal up
//! to sign and a power of two) come cheap; two small goals are better than one large one; and a goal that reaches far
//! has to be gathered from far away.

use super::features::GoalFeatures;
use super::integers::{int, log2};
use super::parts::Parts;

/// What each feature of a bag adds to its estimate.
#[derive(Debug)]
pub(crate) struct Weights {
    /// For each signed binary digit of a coefficient.
    pub(crate) digit: i64,
    /// For each signed binary digit of a goal whose class is already in the bag.
    pub(crate) repeated_digit: i64,
    /// For each term.
    pub(crate) term: i64,
    /// For the logarithm of the number of digits of a goal.
    pub(crate) log_digits: i64,
    /// For the logarithm of the number of terms of a goal.
    pub(crate) log_terms: i64,
    /// For each PE of the width and height of the box around the terms.
    pub(crate) span: i64,
    /// For each step from the origin to that box.
    pub(crate) distance: i64,
    /// For each goal with a single term.
    pub(crate) single_term: i64,
    /// For each goal whose class is already in the bag.
    pub(crate) repeated: i64,
    /// For each goal.
    pub(crate) goal: i64,
    /// For each input.
    pub(crate) input: i64,
    /// For each ray.
    pub(crate) ray: i64,
    /// For each halving that the most divided goal still needs.
    pub(crate) halving: i64,
    /// For each doubling of the largest weight beyond that of an input.
    pub(crate) doubling: i64,
    /// For the logarithm of the largest number of pixels that a goal depends on.
    pub(crate) log_support: i64,
    /// For each instruction that is certainly needed.
    pub(crate) lower_bound: i64,
}

impl Weights {
    /// What a goal adds to the estimate.
    pub(super) fn parts(&self, goal: &GoalFeatures<'_>) -> Parts {
        let (digits, count) = (int(goal.digits), int(goal.terms.len()));
        let area = goal.area;
        let span = i64::from(area.max.x - area.min.x) + i64::from(area.max.y - area.min.y);
        let anyway = self.distance * int(area.distance()) + if count == 1 { self.single_term } else { 0 };
        let first = self.digit * digits
            + self.log_digits * log2(digits) / 1000
            + self.term * count
            + self.log_terms * log2(count) / 1000
            + self.span * span;
        Parts { first: anyway + first, repeated: anyway + self.repeated + self.repeated_digit * digits, in_news: 0 }
    }
}
