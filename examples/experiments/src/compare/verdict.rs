//! Whether one build finds better programs than another, and how certain that is.

use super::build::Pair;
use crate::kernels::RandomKernels;

/// The samples of the bootstrap, the fraction of them beyond each end of the interval (one in so many), and the fewest cases
/// for which there is an interval.
const SAMPLES: usize = 2_000;
const BEYOND: usize = 40;
const FEWEST: usize = 8;
/// The smallest figure that is told from others; an error may be 0.
const SMALLEST: f64 = 1e-3;

/// Some cases, compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) cases: usize,
    /// The cases for which each build has no program.
    pub(crate) missing: [usize; 2],
    /// The mean control words of both where both have programs.
    pub(crate) words: [Option<f64>; 2],
    /// By how much the figure of the second differs: the geometric mean of the ratios, less 1.
    pub(crate) change: Option<f64>,
    /// An interval that the change is in with a probability of 95 %.
    pub(crate) interval: Option<(f64, f64)>,
    /// The cases in which the second is better or worse; no program is worse than any.
    pub(crate) better: usize,
    pub(crate) worse: usize,
    /// How likely so unequal numbers of better and worse cases are for builds that are equally good.
    pub(crate) sign: f64,
    /// The CPU time of each in seconds.
    pub(crate) cpu: [f64; 2],
}

impl Comparison {
    /// Compares pairs; the seed is that of the bootstrap.
    pub(crate) fn of(pairs: &[&Pair], seed: u64) -> Self {
        let figures = |pair: &&Pair| pair.each_ref().map(|outcome| outcome.figure);
        let order = |pair: &&Pair| {
            let [a, b] = figures(pair).map(|figure| figure.unwrap_or(f64::INFINITY));
            b.total_cmp(&a)
        };
        let of_both: Vec<&&Pair> = pairs.iter().filter(|pair| figures(pair).iter().all(Option::is_some)).collect();
        let logarithm = |pair: &&&Pair| match figures(pair) {
            [Some(a), Some(b)] => (b.max(SMALLEST) / a.max(SMALLEST)).ln(),
            _ => 0.0,
        };
        let logarithms: Vec<f64> = of_both.iter().map(logarithm).collect();
        let words =
            [0, 1].map(|side: usize| mean(of_both.iter().filter_map(|pair| Some(f64::from(pair.get(side)?.words?)))));
        let better = pairs.iter().filter(|pair| order(pair).is_lt()).count();
        let worse = pairs.iter().filter(|pair| order(pair).is_gt()).count();
        Self {
            cases: pairs.len(),
            missing: [0, 1].map(|side: usize| {
                pairs.iter().filter(|pair| pair.get(side).is_some_and(|outcome| outcome.figure.is_none())).count()
            }),
            words,
            change: mean(logarithms.iter().copied()).map(f64::exp_m1),
            interval: interval(&logarithms, seed),
            better,
            worse,
            sign: sign_test(better, worse),
            cpu: [0, 1]
                .map(|side: usize| pairs.iter().filter_map(|pair| pair.get(side)).map(|outcome| outcome.cpu).sum()),
        }
    }

    /// What the second build is, in a word.
    pub(crate) fn verdict(&self) -> &'static str {
        match self.interval {
            _ if self.better == 0 && self.worse == 0 => "equal",
            Some((_, to)) if to < 0.0 => "better",
            Some((from, _)) if from > 0.0 => "worse",
            _ => "open",
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are never 2^52 cases")]
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_usize, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / count as f64)
}

/// The bootstrap interval of the mean of logarithms, as changes.
fn interval(logarithms: &[f64], seed: u64) -> Option<(f64, f64)> {
    if logarithms.len() < FEWEST {
        return None;
    }
    let mut random = RandomKernels::of_sample(seed, 0);
    let count = u32::try_from(logarithms.len()).ok()?;
    let drawn = |random: &mut RandomKernels| logarithms.get(random.below(count) as usize).copied().unwrap_or_default();
    let mut means: Vec<f64> = (0..SAMPLES).filter_map(|_| mean((0..count).map(|_| drawn(&mut random)))).collect();
    means.sort_unstable_by(f64::total_cmp);
    let (from, to) = (means.get(SAMPLES / BEYOND)?, means.get(SAMPLES - 1 - SAMPLES / BEYOND)?);
    Some((from.exp_m1(), to.exp_m1()))
}

/// The two-sided sign test: the probability of numbers at least as unequal if both outcomes are equally likely.
#[expect(clippy::cast_precision_loss, reason = "there are never 2^52 cases")]
fn sign_test(one: usize, other: usize) -> f64 {
    let (count, fewer) = ((one + other) as f64, one.min(other));
    // Logarithms of binomial coefficients, since these exceed the range.
    let (mut coefficient, mut sum) = (0.0, 0.0);
    for taken in 0..=fewer {
        if taken > 0 {
            coefficient += ((count - taken as f64 + 1.0) / taken as f64).ln();
        }
        sum += (coefficient - count * std::f64::consts::LN_2).exp();
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Pair, sign_test};
    use crate::compare::build::Outcome;

    fn outcome(words: Option<u32>) -> Outcome {
        Outcome { words, figure: words.map(f64::from), used_all: true, cpu: 0.5, fault: None }
    }

    fn compared(pairs: &[(Option<u32>, Option<u32>)]) -> Comparison {
        let pairs: Vec<Pair> = pairs.iter().map(|(a, b)| [outcome(*a), outcome(*b)]).collect();
        Comparison::of(&pairs.iter().collect::<Vec<_>>(), 1)
    }

    #[test]
    fn the_sign_test_is_exact() {
        assert!((sign_test(0, 0) - 1.0).abs() < 1e-12);
        assert!((sign_test(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((sign_test(2, 8) - 2.0 * 56.0 / 1024.0).abs() < 1e-12);
        assert!(sign_test(1_000, 2_000) < 1e-9);
    }

    #[test]
    fn what_is_always_shorter_is_better() {
        let of = compared(&[(Some(20), Some(18)); 20]);
        assert_eq!((of.verdict(), of.better, of.worse, of.missing), ("better", 20, 0, [0, 0]));
        assert_eq!((of.words, of.cpu), ([Some(20.0), Some(18.0)], [10.0, 10.0]));
        assert!((of.change.unwrap() + 0.1).abs() < 1e-9);
        assert_eq!(compared(&[(Some(18), Some(20)); 20]).verdict(), "worse");
        assert_eq!(compared(&[(Some(18), Some(18)); 20]).verdict(), "equal");
    }

    #[test]
    fn chance_decides_nothing() {
        let pairs: Vec<_> = (0..40).map(|i| (Some(20), Some(if i % 2 == 0 { 19 } else { 21 }))).collect();
        let of = compared(&pairs);
        assert_eq!((of.verdict(), of.better, of.worse), ("open", 20, 20));
        let (from, to) = of.interval.unwrap();
        assert!(from < 0.0 && 0.0 < to && to - from < 0.05, "{from} {to}");
        assert_eq!(compared(&[(Some(9), Some(8))]).verdict(), "open");
    }

    #[test]
    fn no_program_is_worse_than_any() {
        let of = compared(&[(None, Some(9)), (Some(9), None), (None, None), (Some(9), Some(9)), (None, Some(3))]);
        assert_eq!((of.better, of.worse, of.missing), (2, 1, [3, 2]));
        assert_eq!(of.words, [Some(9.0); 2]);
    }
}
