//! The linear estimate: a sum of weighted features.

use super::integers::{int, log2};
use super::weights::Weights;
use crate::engine::distinct::Distinct;
use crate::engine::goals::{GoalId, Goals};

/// The estimate of a bag.
///
/// `is_input` recognises inputs, `scale` is the binary logarithm of the weight of an input, and `lower_bound`
/// instructions are certainly needed.
pub(crate) fn estimate(
    weights: &Weights,
    (goals, bag): (&Goals, &[GoalId]),
    is_input: impl Fn(GoalId) -> bool,
    scale: u32,
    lower_bound: u32,
) -> i64 {
    let (mut sum, mut halvings, mut doublings, mut support) = (0_i64, 0, 0, 1);
    let (mut classes, mut rays) = (Distinct::new(), Distinct::new());
    for &goal in bag {
        if is_input(goal) {
            sum += weights.input;
            continue;
        }
        let features = goals.features(goal);
        let parts = &features.parts;
        sum += weights.goal + if classes.insert(features.class) { parts.first } else { parts.repeated };
        sum += if rays.insert(features.ray) { weights.ray } else { 0 };
        doublings = doublings.max(features.magnitude.saturating_sub(scale));
        halvings = halvings.max(scale.saturating_sub(features.valuation));
        support = support.max(features.support);
    }
    sum + weights.halving * int(halvings)
        + weights.doubling * int(doublings)
        + weights.log_support * log2(int(support)) / 1000
        + weights.lower_bound * int(lower_bound)
}
