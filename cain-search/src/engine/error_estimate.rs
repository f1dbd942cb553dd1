//! The predicted error of a program, as far as it is known in the middle of a search.
//!
//! Going backwards, the sensitivity of the outputs to each value is known (see [`sensitivities`](super::sensitivities)),
//! and so is, to first order, what each step adds to the error of each output:
//!
//! - *variance*: errors that differ between cells and between frames, taken to be independent;
//! - *lost gain*: every word loses a little of what it carries. The losses of all words add up. Each is weighted with
//!   the *share* of the output that the word carries: the covariance of that part with the output, divided by the
//!   variance of the output. The shares of all values that exist at one moment add up to 1, so their sum over all words
//!   is the length of the mean path from the inputs to the output;
//! - *bias*: words with several destinations have a different transfer error from words with one.
//!
//! Complete programs are compared by the full prediction; see [`accuracy`](crate::accuracy()).

use cain_isa::Displacement;

use super::goals::{GoalId, Goals};
use super::problem::Problem;
use super::sensitivities::{Sensitivity, products};
use super::terms::{self, Term};
use crate::{Declaration, ImageStatistics};

pub(crate) use super::known_error::Known;

/// The farthest distance from a PE, in PEs, at which shares are known.
const FARTHEST: i16 = 48;
/// The distance, in pixels, beyond which pixels are taken to be independent.
const MOST_CORRELATED: usize = 512;
/// The least variance that a word which carries all of an output adds, even if the model says that it adds none.
const LEAST: f64 = 1e-6;

/// The constants of the error model, in the units of a problem.
pub(crate) struct ErrorEstimate {
    outputs: Vec<Carried>,
    /// The weight 1 in the units of the problem.
    whole: f64,
    /// The variance that a write adds, in DN², and the variance that it adds per square DN of the value written.
    variance: (f64, f64),
    /// The error that a word with one, two or three destinations adds beyond that of a word with one.
    excess: [f64; 3],
}

/// The share of an output that each pixel carries.
struct Carried {
    /// The standard deviation that a word which carries all of the output loses.
    lost: f64,
    radius: i16,
    /// The shares, by channel, row and column.
    shares: Vec<f64>,
}

impl ErrorEstimate {
    pub(crate) fn new(declaration: &Declaration, problem: &Problem, goals: &Goals) -> Self {
        let model = &declaration.options.error_model;
        let square = |x: f32| f64::from(x) * f64::from(x);
        let relative = square(model.fixed_gain) + square(model.relative_noise);
        let absolute = square(model.fixed_offset) + square(model.noise);
        let deviation = ImageStatistics::NATURAL.deviation;
        let wanted = problem.wanted.iter().map(|wanted| wanted.0).chain(problem.copies.iter().map(|copy| copy.1));
        let inputs = declaration.inputs.len();
        let lost = (1.0 - f64::from(model.gain)).abs();
        let outputs = wanted.map(|goal| Carried::of(goals.terms(goal), inputs, problem.whole(), lost)).collect();
        let [one, two, three] = model.offset.map(f64::from);
        Self {
            outputs,
            whole: problem.whole(),
            variance: (absolute, relative * deviation * deviation),
            excess: [0.0, two - one, three - one],
        }
    }

    /// Estimates the error still to come before a bag: of the goals that have to be made, each with its sensitivity.
    pub(crate) fn to_come<'s>(
        &self,
        (problem, goals): (&Problem, &Goals),
        known: &[Known],
        open: impl Iterator<Item = (GoalId, &'s Sensitivity)>,
    ) -> f64 {
        let mut all = known.to_vec();
        for (goal, sensitivity) in open {
            let (value, words) = (goals.terms(goal), path_to(problem, goals, goal));
            let variance = words * self.variance_of(value);
            products(sensitivity, sensitivity, |key, square| {
                if let Some(known) = all.get_mut(terms::channel(key) as usize) {
                    known.variance += square * variance;
                }
            });
            self.add_path(&mut all, sensitivity, value, words);
        }
        self.with_bias(&all) - self.without_bias(known)
    }

    /// What is known at the end of a program: no error of any output yet.
    pub(crate) fn at_end(&self) -> Vec<Known> {
        vec![Known::default(); self.outputs.len()]
    }

    /// Adds the error of a word that makes a value and writes it to `divisor` cells, for one of these cells.
    pub(crate) fn add_write(&self, known: &mut [Known], sensitivity: &Sensitivity, value: &[Term], divisor: u8) {
        let excess = self.excess.get(usize::from(divisor).saturating_sub(1)).copied().unwrap_or_default();
        let variance = self.variance_of(value);
        for &(key, weight) in sensitivity {
            if let Some(known) = known.get_mut(terms::channel(key) as usize) {
                known.variance += weight * weight * variance;
                known.bias += weight * excess;
            }
        }
        self.add_path(known, sensitivity, value, 1.0);
    }

    /// The variance that every write of a value adds.
    pub(crate) fn variance_of(&self, value: &[Term]) -> f64 {
        let sum: f64 = value.iter().map(|term| f64::from(term.1)).sum::<f64>() / self.whole;
        self.variance.0 + self.variance.1 * sum * sum
    }

    /// Adds the path of a value that passes through `words` words.
    pub(crate) fn add_path(&self, known: &mut [Known], sensitivity: &Sensitivity, value: &[Term], words: f64) {
        for &(key, weight) in sensitivity {
            let output = terms::channel(key) as usize;
            if let (Some(carried), Some(known)) = (self.outputs.get(output), known.get_mut(output)) {
                let at = terms::displacement(key);
                let share = |&(key, term): &Term| f64::from(term) * carried.share(key, at);
                known.path += words * weight * value.iter().map(share).sum::<f64>();
            }
        }
    }

    /// The mean square error of the worst output, in DN², without the bias, parts of which may still cancel.
    pub(crate) fn without_bias(&self, known: &[Known]) -> f64 {
        self.worst(known, |known, lost| known.variance + (lost * known.path) * (lost * known.path))
    }

    fn with_bias(&self, known: &[Known]) -> f64 {
        self.worst(known, |known, lost| {
            known.variance + (lost * known.path) * (lost * known.path) + known.bias * known.bias
        })
    }

    fn worst(&self, known: &[Known], of: impl Fn(&Known, f64) -> f64) -> f64 {
        known.iter().zip(&self.outputs).map(|(known, carried)| of(known, carried.lost)).fold(0.0, f64::max)
    }

    /// What a word that carries all of an output adds to its mean square error, in DN²: the unit in which a search
    /// weighs errors.
    pub(crate) fn unit(&self) -> f64 {
        let lost = self.outputs.iter().map(|carried| carried.lost * carried.lost).fold(0.0, f64::max);
        (self.variance.0 + self.variance.1 + lost).max(LEAST)
    }
}

impl Carried {
    /// The shares of the pixels of `output`, given what a word loses of a value of 1 (`gain_lost`).
    fn of(output: &[Term], channels: usize, whole: f64, gain_lost: f64) -> Self {
        let ImageStatistics { deviation, correlation, .. } = ImageStatistics::NATURAL;
        let places = || output.iter().map(|term| terms::displacement(term.0));
        let reach = places().map(|at| at.x.abs().max(at.y.abs())).max().unwrap_or(0);
        let radius = reach.saturating_mul(2).saturating_add(8).min(FARTHEST);
        let powers: Vec<f64> =
            std::iter::successors(Some(1.0), |power| Some(power * correlation)).take(MOST_CORRELATED).collect();
        let correlated = |a: Displacement, b: Displacement| {
            let distance = usize::from(a.x.abs_diff(b.x)) + usize::from(a.y.abs_diff(b.y));
            powers.get(distance).copied().unwrap_or_default()
        };
        let with_output = |channel: usize, at: Displacement| {
            let own = output.iter().filter(|term| terms::channel(term.0) as usize == channel);
            own.map(|term| f64::from(term.1) * correlated(terms::displacement(term.0), at)).sum::<f64>()
        };
        let variance: f64 = output
            .iter()
            .map(|term| f64::from(term.1) * with_output(terms::channel(term.0) as usize, terms::displacement(term.0)))
            .sum();
        let range = || -radius..=radius;
        let all = (0..channels).flat_map(|channel| range().flat_map(move |y| range().map(move |x| (channel, x, y))));
        let share = |(channel, x, y)| with_output(channel, Displacement::new(x, y)) / variance;
        let shares = if variance > 0.0 { all.map(share).collect() } else { Vec::new() };
        Self { lost: gain_lost * deviation * variance.max(0.0).sqrt() / whole, radius, shares }
    }

    /// The share of a pixel, given its key and the place where the value that it belongs to is needed.
    fn share(&self, key: u32, at: Displacement) -> f64 {
        let pixel = terms::displacement(key);
        let side = 2 * usize::from(self.radius.unsigned_abs()) + 1;
        let place = |a: i16, b: i16| {
            let index = usize::try_from(i32::from(a) + i32::from(b) + i32::from(self.radius)).ok()?;
            (index < side).then_some(index)
        };
        let (Some(x), Some(y)) = (place(pixel.x, at.x), place(pixel.y, at.y)) else { return 0.0 };
        self.shares.get((terms::channel(key) as usize * side + y) * side + x).copied().unwrap_or_default()
    }
}

/// Estimates the length of the path from the inputs to a value: a word for every halving, two for every step to a
/// neighbour.
fn path_to(problem: &Problem, goals: &Goals, goal: GoalId) -> f64 {
    let value = goals.terms(goal);
    let halvings = problem.scale.saturating_sub(goals.features(goal).valuation);
    let weight = |term: &Term| f64::from(term.1.unsigned_abs());
    let steps = |term: &Term| {
        let at = terms::displacement(term.0);
        f64::from(at.x.unsigned_abs()) + f64::from(at.y.unsigned_abs())
    };
    let sum: f64 = value.iter().map(weight).sum();
    let far: f64 = value.iter().map(|term| weight(term) * steps(term)).sum();
    f64::from(halvings).max(if sum > 0.0 { 2.0 * far / sum } else { 0.0 })
}
