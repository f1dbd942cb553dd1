//! The weights of the estimate for control words.

use crate::engine::weights::Weights;

pub(crate) const WEIGHTS: Weights = Weights {
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
pub(super) const NEWS: i64 = 1050;

/// What each step from the origin to the box around that value adds: a word can push it nearer.
pub(super) const NEWS_DISTANCE: i64 = -700;

/// What each pixel on which the values of a bag depend together adds, and the logarithm of their number: pixels that
/// several values share have to be gathered only once.
pub(super) const PIXEL: i64 = 600;
pub(super) const LOG_PIXELS: i64 = 2200;
