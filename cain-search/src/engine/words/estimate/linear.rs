//! The linear estimate for control words, and its weights.

use crate::engine::estimate::integers::{int, log2};
use crate::engine::estimate::linear;
use crate::engine::estimate::weights::Weights;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::occupancy::Occupancy;
use crate::engine::step::Step;

/// The linear estimate of a bag whose first goal is what NEWS holds, or none.
pub(in crate::engine::words) fn estimate(
    (goals, occupancy): (&Goals, &Occupancy<'_>),
    bag: &[GoalId],
    lower_bound: u32,
) -> i64 {
    let values = if bag[0] == Step::NONE { &bag[1..] } else { bag };
    let is_input = |goal| occupancy.is_input(goal);
    let estimate = linear::estimate(&WEIGHTS, (goals, values), is_input, occupancy.problem.scale, lower_bound);
    let in_news = match bag[0] {
        Step::NONE => 0,
        news => NEWS + NEWS_DISTANCE * i64::from(goals.features(news).area.distance()),
    };
    let mut pixels = 0;
    for &goal in values {
        if !occupancy.is_input(goal) {
            pixels |= goals.features(goal).pixels;
        }
    }
    let pixels = int(pixels.count_ones());
    estimate + in_news + PIXEL * pixels + LOG_PIXELS * log2(pixels) / 1000
}

pub(super) const WEIGHTS: Weights = Weights {
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
};

/// What a value in NEWS adds to the estimate of a bag.
const NEWS: i64 = 1050;

/// What each step from the origin to the box around that value adds: a word can push the value nearer.
const NEWS_DISTANCE: i64 = -700;

/// What each pixel adds on which the values of a bag together depend, and what the logarithm of the number of these
/// pixels adds: pixels that several values share have to be gathered only once.
const PIXEL: i64 = 600;
const LOG_PIXELS: i64 = 2200;
