//! A guess, never a bound, of how far a bag is from the inputs: by it the beam decides what to keep.
//!
//! The guess is a sum of weighted features, in thousandths. Its unit means nothing; only bags that have cost the same
//! are compared. The weights come from a logistic regression: over random kernels (one to three at once, 3×3 and
//! 5×5, with signs and without), bags on the way to the best programs were to rank before other bags of their layer;
//! then the beam ran with these weights, and what it kept wrongly was added to the sample, until nothing improved.
//! What it says, in words: digits and terms are what costs; goals that share a class (equal up to translation, sign
//! and a power of two) or a ray (the same without translation) come cheap; two small goals are better than one large
//! one; and a goal that reaches far has to be gathered from far away.

use cain_isa::Op;

use crate::{Declaration, InstructionSet};

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

/// What each feature of a bag adds to its estimate.
#[derive(Debug)]
pub(crate) struct Weights {
    /// A signed binary digit of a coefficient.
    digit: i64,
    /// The same, of a goal whose class is there already.
    repeated_digit: i64,
    /// A term.
    term: i64,
    /// The logarithm of the digits of a goal.
    log_digits: i64,
    /// The logarithm of the terms of a goal.
    log_terms: i64,
    /// Each PE of width and height of the box around the terms.
    span: i64,
    /// Each step from the origin to that box.
    distance: i64,
    /// A goal of one term.
    single_term: i64,
    /// A goal whose class is there already.
    repeated: i64,
    /// A goal.
    goal: i64,
    /// An input.
    input: i64,
    /// A ray.
    ray: i64,
    /// Each halving that the most divided goal still needs.
    halving: i64,
    /// Each doubling of the largest weight beyond that of an input.
    doubling: i64,
    /// The logarithm of the largest number of pixels that a goal depends on.
    log_support: i64,
    /// Each instruction that is certainly needed.
    lower_bound: i64,
    /// A value that NEWS holds.
    news: i64,
    /// Each step from the origin to the box around the terms of that value: a word can push it nearer.
    news_distance: i64,
}

/// For all macro instructions.
const MACRO: Weights = Weights {
    digit: 1500,
    repeated_digit: 700,
    term: 1450,
    log_digits: -600,
    log_terms: -2100,
    span: 1300,
    distance: 1150,
    single_term: -700,
    repeated: 2500,
    goal: -1650,
    input: 400,
    ray: 350,
    halving: 1750,
    doubling: 4000,
    log_support: 900,
    lower_bound: 850,
    news: 0,
    news_distance: 0,
};

/// For AUKE's, in which a value is halved or moved by one instruction each.
const BASIC: Weights = Weights {
    digit: 2150,
    repeated_digit: 300,
    term: 600,
    log_digits: -900,
    log_terms: -1500,
    span: 1500,
    distance: 1200,
    single_term: -900,
    repeated: 2100,
    goal: -700,
    input: 1000,
    ray: 300,
    halving: 3900,
    doubling: 6000,
    log_support: 1700,
    lower_bound: 0,
    news: 0,
    news_distance: 0,
};

/// For control words.
const NATIVE: Weights = Weights {
    digit: 1500,
    repeated_digit: 900,
    term: 2800,
    log_digits: 650,
    log_terms: -4500,
    span: 2350,
    distance: 2100,
    single_term: -1050,
    repeated: 3450,
    goal: -1900,
    input: 300,
    ray: 450,
    halving: 2000,
    doubling: 5000,
    log_support: 250,
    lower_bound: 0,
    news: 1050,
    news_distance: -700,
};

impl Weights {
    /// The weights for the instructions of a declaration.
    pub(crate) fn of(declaration: &Declaration) -> &'static Self {
        let only_basic =
            || Op::ARITHMETIC.iter().all(|op| Op::BASIC.contains(op) || !declaration.machine.macros.contains(*op));
        match declaration.options.instructions {
            InstructionSet::Macro if only_basic() => &BASIC,
            InstructionSet::Macro => &MACRO,
            InstructionSet::Basic => &BASIC,
            InstructionSet::Native => &NATIVE,
        }
    }
}

impl Parts {
    /// The parts of a goal with so many signed binary digits, so far from the origin.
    pub(crate) fn of(weights: &Weights, terms: &[Term], digits: u32, distance: u32) -> Self {
        let (digits, count) = (int(digits), int(terms.len()));
        let area = terms::Area::of(terms);
        let span = i64::from(area.max.x - area.min.x) + i64::from(area.max.y - area.min.y);
        let anyway = weights.distance * int(distance) + if count == 1 { weights.single_term } else { 0 };
        let first = weights.digit * digits
            + weights.log_digits * log2(digits) / 1000
            + weights.term * count
            + weights.log_terms * log2(count) / 1000
            + weights.span * span;
        Self { first: anyway + first, repeated: anyway + weights.repeated + weights.repeated_digit * digits }
    }
}

/// The estimate of a bag.
///
/// `is_input` tells inputs, `scale` is the binary logarithm of the weight of an input, and `lower_bound` instructions
/// are certainly needed.
pub(crate) fn estimate(
    weights: &Weights,
    goals: &Goals,
    bag: &[GoalId],
    is_input: impl Fn(GoalId) -> bool,
    scale: u32,
    lower_bound: u32,
) -> i64 {
    let (mut sum, mut halvings, mut doublings, mut support) = (0_i64, 0, 0, 1);
    for (i, &goal) in bag.iter().enumerate() {
        if is_input(goal) {
            sum += weights.input;
            continue;
        }
        let features = goals.features(goal);
        let others = || bag[..i].iter().filter(|&&other| !is_input(other)).map(|&other| goals.features(other));
        let repeated = others().any(|other| other.class == features.class);
        let new_ray = others().all(|other| other.ray != features.ray);
        sum += weights.goal + if repeated { features.parts.repeated } else { features.parts.first };
        sum += if new_ray { weights.ray } else { 0 };
        doublings = doublings.max(features.magnitude.saturating_sub(scale));
        halvings = halvings.max(scale.saturating_sub(features.valuation));
        support = support.max(features.support);
    }
    sum + weights.halving * int(halvings)
        + weights.doubling * int(doublings)
        + weights.log_support * log2(int(support)) / 1000
        + weights.lower_bound * int(lower_bound)
}

/// What it adds to the estimate of a bag that a value is the one in NEWS.
pub(crate) fn in_news(weights: &Weights, terms: &[Term]) -> i64 {
    weights.news + weights.news_distance * int(terms::Area::of(terms).distance())
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
