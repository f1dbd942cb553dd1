//! A guess, never a bound, of how far a bag is from the inputs: by it the beam decides what to keep.
//!
//! The guess is a sum of weighted features, in thousandths. Its unit means nothing; only bags that have cost the same
//! are compared. The weights come from a logistic regression: over random kernels (one to three at once, 3×3 and
//! 5×5, with signs and without), bags on the way to the best programs were to rank before other bags of their layer;
//! then the beam ran with these weights, and what it kept wrongly was added to the sample, until nothing improved.
//! What it says, in words: digits and terms are what costs; goals that share a class (equal up to translation, sign
//! and a power of two) or a ray (the same without translation) come cheap; two small goals are better than one large
//! one; and a goal that reaches far has to be gathered from far away.

use super::goals::{GoalId, Goals};
use super::terms::{self, Term};

/// What the terms of a goal add to the estimate of a bag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// If no other goal of the bag is of its class.
    pub(crate) first: i64,
    /// If another one is.
    pub(crate) repeated: i64,
}

const DIGIT: i64 = 1500;
const REPEATED_DIGIT: i64 = 700;
const TERM: i64 = 1450;
const LOG_DIGITS: i64 = -600;
const LOG_TERMS: i64 = -2100;
/// For each PE of width and height of the box around the terms.
const SPAN: i64 = 1300;
/// For each step from the origin to that box.
const DISTANCE: i64 = 1150;
const SINGLE_TERM: i64 = -700;
const REPEATED: i64 = 2500;
const GOAL: i64 = -1650;
const INPUT: i64 = 400;
const RAY: i64 = 350;
/// For each halving that the most divided goal still needs.
const HALVING: i64 = 1750;
/// For each doubling of the largest weight beyond that of an input.
const DOUBLING: i64 = 4000;
/// For the logarithm of the largest number of pixels that a goal depends on.
const LOG_SUPPORT: i64 = 900;
const LOWER_BOUND: i64 = 850;

impl Parts {
    /// The parts of a goal with so many signed binary digits, so far from the origin.
    pub(crate) fn of(terms: &[Term], digits: u32, distance: u32) -> Self {
        let (digits, count) = (int(digits), int(terms.len()));
        let area = terms::Area::of(terms);
        let span = i64::from(area.max.x - area.min.x) + i64::from(area.max.y - area.min.y);
        let anyway = DISTANCE * int(distance) + if count == 1 { SINGLE_TERM } else { 0 };
        let first = DIGIT * digits
            + LOG_DIGITS * log2(digits) / 1000
            + TERM * count
            + LOG_TERMS * log2(count) / 1000
            + SPAN * span;
        Self { first: anyway + first, repeated: anyway + REPEATED + REPEATED_DIGIT * digits }
    }
}

/// The estimate of a bag.
///
/// `is_input` tells inputs, `scale` is the binary logarithm of the weight of an input, and `lower_bound` instructions
/// are certainly needed.
pub(crate) fn estimate(
    goals: &Goals,
    bag: &[GoalId],
    is_input: impl Fn(GoalId) -> bool,
    scale: u32,
    lower_bound: u32,
) -> i64 {
    let (mut sum, mut halvings, mut doublings, mut support) = (0_i64, 0, 0, 1);
    for (i, &goal) in bag.iter().enumerate() {
        if is_input(goal) {
            sum += INPUT;
            continue;
        }
        let features = goals.features(goal);
        let others = || bag[..i].iter().filter(|&&other| !is_input(other)).map(|&other| goals.features(other));
        let repeated = others().any(|other| other.class == features.class);
        let new_ray = others().all(|other| other.ray != features.ray);
        sum += GOAL + if repeated { features.parts.repeated } else { features.parts.first };
        sum += if new_ray { RAY } else { 0 };
        doublings = doublings.max(features.magnitude.saturating_sub(scale));
        halvings = halvings.max(scale.saturating_sub(features.valuation));
        support = support.max(features.support);
    }
    sum + HALVING * int(halvings)
        + DOUBLING * int(doublings)
        + LOG_SUPPORT * log2(int(support)) / 1000
        + LOWER_BOUND * int(lower_bound)
}

/// The binary logarithm in thousandths, linear between powers of two: the same on every machine. 0 for 0.
fn log2(n: i64) -> i64 {
    let Some(whole) = n.checked_ilog2() else { return 0 };
    let power = 1 << whole;
    int(whole) * 1000 + (n - power) * 1000 / power
}

fn int(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::log2;

    #[test]
    fn logarithms() {
        assert_eq!([0, 1, 2, 3, 4, 6, 1 << 30].map(log2), [0, 0, 1000, 1500, 2000, 2500, 30_000]);
    }
}
