//! Replaces weights that halvings cannot reach by the nearest ones that they can reach.

mod nearby;

use core::fmt;

use cain_analysis::prove::Polynomial;
use cain_analysis::sorted::Set;
use cain_isa::{Displacement, Fraction};

pub(crate) use nearby::Nearby;

/// The limits within which kernels may be changed to weights that the array can represent.
///
/// Every weight goes to the nearest integer multiple of 1/2^d, halves away from zero. The smallest d is taken at which
/// the weights of all kernels of a declaration together move by at most `error` (Stow et al. 2022, §4.1) and no kernel
/// loses all the weights that it has for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approximation {
    /// The largest d that is allowed, at most [`MAX_DEPTH`](Self::MAX_DEPTH).
    pub depth: u32,
    /// The largest sum of absolute changes that is allowed.
    pub error: Fraction,
}

/// The result of [`Approximation::apply`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approximated {
    /// The d that was needed.
    pub depth: u32,
    /// The sum of absolute changes of all weights.
    pub error: Fraction,
}

impl Approximation {
    /// The largest depth that can be allowed: more halvings than any analogue register resolves.
    pub const MAX_DEPTH: u32 = 20;

    /// Replaces the kernels by their approximation.
    ///
    /// On an error the kernels are left unchanged.
    pub fn apply(&self, kernels: &mut [Polynomial]) -> Result<Approximated, ApproximateError> {
        let mut refused = ApproximateError::Overflow;
        for depth in 0..=self.depth.min(Self::MAX_DEPTH) {
            let (rounded, error) = round(kernels, depth).ok_or(ApproximateError::Overflow)?;
            refused = if error > self.error {
                ApproximateError::TooFar { closest: Approximated { depth, error } }
            } else if let Some((kernel, channel)) = vanished(kernels, &rounded) {
                ApproximateError::Vanishes { kernel, channel, enough: enough(&kernels[kernel], channel) }
            } else {
                kernels.clone_from_slice(&rounded);
                return Ok(Approximated { depth, error });
            };
        }
        Err(refused)
    }
}

/// The sum of the absolute differences of all weights; `None` if exact arithmetic overflows.
pub(crate) fn distance(kernels: &[Polynomial], others: &[Polynomial]) -> Option<Fraction> {
    kernels.iter().zip(others).try_fold(Fraction::ZERO, |sum, (kernel, other)| {
        let mut difference = kernel.clone();
        difference.add_scaled(other, Fraction::from(-1), Displacement::ZERO)?;
        difference.terms().try_fold(sum, |sum, (_, weight)| sum.checked_add(weight.abs()))
    })
}

/// All kernels rounded to multiples of 1/2^depth, and the sum of the changes.
fn round(kernels: &[Polynomial], depth: u32) -> Option<(Vec<Polynomial>, Fraction)> {
    let mut total = Fraction::ZERO;
    let mut rounded = Vec::with_capacity(kernels.len());
    for kernel in kernels {
        let mut sum = Polynomial::new();
        for (atom, weight) in kernel.terms() {
            let near = nearest(weight, depth)?;
            total = total.checked_add(near.checked_sub(weight)?.abs())?;
            sum.add_term(atom, near)?;
        }
        rounded.push(sum);
    }
    Some((rounded, total))
}

/// The first kernel that has lost all its weights for an input, and that input.
pub(crate) fn vanished(kernels: &[Polynomial], rounded: &[Polynomial]) -> Option<(usize, u16)> {
    let channels = |kernel: &Polynomial| kernel.terms().map(|(atom, _)| atom.channel).collect::<Set<_>>();
    let lost = |(before, after)| {
        let left = channels(after);
        channels(before).into_iter().find(|channel| !left.contains(channel))
    };
    kernels.iter().zip(rounded).enumerate().find_map(|(kernel, pair)| Some((kernel, lost(pair)?)))
}

/// The least depth at which some weight for an input is not rounded to zero, if there is one.
fn enough(kernel: &Polynomial, channel: u16) -> Option<u32> {
    let weights = || kernel.terms().filter(|(atom, _)| atom.channel == channel).map(|(_, weight)| weight);
    let is_kept = |depth: &u32| weights().any(|weight| nearest(weight, *depth).is_some_and(|near| !near.is_zero()));
    (0..=Approximation::MAX_DEPTH).find(is_kept)
}

/// The integer multiple of 1/2^depth nearest to a weight, halves away from zero.
///
/// `None` if it does not fit in a fraction.
#[must_use]
pub fn nearest(weight: Fraction, depth: u32) -> Option<Fraction> {
    let unit = 1_i64.checked_shl(depth).filter(|unit| unit.is_positive())?;
    let numerator = i128::from(weight.numerator()).checked_mul(i128::from(unit))?;
    let denominator = i128::from(weight.denominator());
    let magnitude = (2 * numerator.abs() + denominator) / (2 * denominator);
    Fraction::new(i64::try_from(magnitude * numerator.signum()).ok()?, unit)
}

/// The reason why kernels could not be approximated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApproximateError {
    /// At every allowed depth, the kernels change by more than allowed.
    TooFar {
        /// The result at the largest allowed depth.
        closest: Approximated,
    },
    /// All weights that a kernel has for an input become zero at the allowed depths.
    Vanishes {
        /// The number of the kernel, from 0.
        kernel: usize,
        /// The channel of the input.
        channel: u16,
        /// The least depth at which one of these weights remains, if there is one.
        enough: Option<u32>,
    },
    /// A weight is too large to be handled exactly.
    Overflow,
}

impl fmt::Display for ApproximateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFar { closest } => write!(
                f,
                "the nearest multiples of 1/2^{} change the weights by {} in all (about {:.4}); allow a larger `depth` or `error`",
                closest.depth,
                closest.error,
                closest.error.to_f64()
            ),
            Self::Vanishes { enough, .. } => {
                f.write_str("the weights of the kernel are so small that all of them become zero; ")?;
                match enough {
                    Some(depth) => write!(f, "allow a `depth` of at least {depth}"),
                    None => f.write_str("scale them"),
                }
            }
            Self::Overflow => f.write_str("a weight is too large to be handled exactly"),
        }
    }
}

impl core::error::Error for ApproximateError {}

#[cfg(test)]
mod tests {
    use super::{ApproximateError, Approximated, Approximation, nearest};
    use cain_analysis::prove::{Atom, Polynomial};
    use cain_isa::{Displacement, Fraction};

    fn row(weights: &[&str]) -> Polynomial {
        let mut sum = Polynomial::new();
        for (x, weight) in (0..).zip(weights) {
            sum.add_term(Atom { channel: 0, displacement: Displacement::new(x, 0) }, weight.parse().unwrap()).unwrap();
        }
        sum
    }

    #[test]
    fn halves_go_away_from_zero() {
        let cases = [
            ("0.5", 0, "1"),
            ("-0.5", 0, "-1"),
            ("0.49", 0, "0"),
            ("1/3", 3, "3/8"),
            ("0", 2, "0"),
            ("-0.6", 1, "-1/2"),
        ];
        for (weight, depth, expected) in cases {
            assert_eq!(nearest(weight.parse().unwrap(), depth).unwrap().to_string(), expected);
        }
        assert_eq!((nearest(Fraction::ONE, 63), nearest(Fraction::ONE, 64)), (None, None));
    }

    #[test]
    fn the_smallest_depth_within_the_error_is_taken() {
        let mut kernels = [row(&["0.11", "0.52", "0.13"])];
        let done = Approximation { depth: 5, error: "0.05".parse().unwrap() }.apply(&mut kernels).unwrap();
        assert_eq!(done, Approximated { depth: 3, error: Fraction::new(1, 25).unwrap() });
        assert_eq!(kernels, [row(&["1/8", "1/2", "1/8"])]);
        // The error itself is allowed.
        let exactly = Approximation { depth: 5, error: Fraction::new(1, 25).unwrap() };
        assert_eq!(exactly.apply(&mut [row(&["0.11", "0.52", "0.13"])]), Ok(done));
    }

    #[test]
    fn no_kernel_vanishes() {
        let small = || [row(&["1"]), row(&["0.1", "0.1"])];
        let approximate = |depth, mut kernels: [Polynomial; 2]| {
            let done = Approximation { depth, error: Fraction::from(5) }.apply(&mut kernels);
            done.map(|done| (done, kernels))
        };
        let lost = ApproximateError::Vanishes { kernel: 1, channel: 0, enough: Some(3) };
        assert_eq!(approximate(2, small()), Err(lost));
        // A larger allowed depth than the error requires.
        let (done, kernels) = approximate(5, small()).unwrap();
        assert_eq!(done, Approximated { depth: 3, error: Fraction::new(1, 20).unwrap() });
        assert_eq!(kernels, [row(&["1"]), row(&["1/8", "1/8"])]);
        // A kernel that is declared as zero stays zero, and single weights may vanish.
        let (done, kernels) = approximate(2, [Polynomial::new(), row(&["1", "0.1"])]).unwrap();
        assert_eq!((done.depth, kernels), (0, [Polynomial::new(), row(&["1"])]));
        // The weights of every input count.
        let mut mixed = row(&["1"]);
        let atom = Atom { channel: 1, displacement: Displacement::ZERO };
        mixed.add_term(atom, "1e-9".parse().unwrap()).unwrap();
        let lost = ApproximateError::Vanishes { kernel: 0, channel: 1, enough: None };
        assert_eq!(approximate(20, [mixed, row(&["1"])]), Err(lost));
    }

    #[test]
    fn too_far_says_how_far_and_changes_nothing() {
        let mut kernels = [row(&["1/3"])];
        let error = Approximation { depth: 2, error: "0.01".parse().unwrap() }.apply(&mut kernels).unwrap_err();
        let closest = Approximated { depth: 2, error: Fraction::new(1, 12).unwrap() };
        assert_eq!(error, ApproximateError::TooFar { closest });
        assert_eq!(kernels, [row(&["1/3"])]);
    }
}
