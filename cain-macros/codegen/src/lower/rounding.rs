//! Rounding of weights that exact arithmetic does not hold, where approximation allows it.

use cain_analysis::prove::Polynomial;
use cain_isa::Fraction;
use cain_search::{ApproximateError, Approximated, Approximation, nearest};

use crate::number::{BITS, near};
use crate::tree::{Header, Number, Place, Sum, Term};

/// Rounds weights to multiples of 1/2^40, and keeps count of the changes.
pub(crate) struct Rounding {
    pub(crate) is_allowed: bool,
    /// An upper bound of the sum of absolute changes of all weights.
    error: f64,
}

impl Rounding {
    pub(crate) fn new(is_allowed: bool) -> Self {
        Self { is_allowed, error: 0.0 }
    }

    /// Counts the numbers of a term that were rounded when they were read.
    pub(crate) fn count_numbers<S>(&mut self, term: &Term<S>) {
        let (scale, error_of_scale) = term.scale.as_ref().map_or((1.0, 0.0), of_number);
        for (weight, error) in term.rows.iter().flat_map(|row| &row.weights).map(of_number) {
            self.error += scale * error + weight * error_of_scale + error * error_of_scale;
        }
    }

    /// The nearest multiple of 1/2^40; `None` if it does not fit 64 bits.
    pub(crate) fn round(&mut self, weight: f64) -> Option<Fraction> {
        self.error += most_error(weight);
        near(weight)
    }

    /// A sum with rounded weights; `None` if one does not fit 64 bits.
    pub(crate) fn round_sum(&mut self, sum: &Polynomial) -> Option<Polynomial> {
        let mut rounded = Polynomial::new();
        for (atom, weight) in sum.terms() {
            self.error += most_error(0.0);
            rounded.add_term(atom, nearest(weight, BITS)?)?;
        }
        Some(rounded)
    }

    /// Approximates sums. The rounding before counts towards the error that is allowed, and in the error that is returned.
    pub(crate) fn approximate(
        &mut self,
        allowed: Approximation,
        sums: &mut [Polynomial],
    ) -> Result<Approximated, ApproximateError> {
        match self.apply(allowed, sums) {
            // The changes of weights that are exact can add up beyond exact arithmetic.
            Err(ApproximateError::Overflow) => {
                for sum in &mut *sums {
                    *sum = self.round_sum(sum).ok_or(ApproximateError::Overflow)?;
                }
                self.apply(allowed, sums)
            }
            applied => applied,
        }
    }

    /// What is left of an error that is allowed for a search that moves the sums itself. As the sums are there must be some
    /// that are near enough.
    pub(crate) fn allow(
        &mut self,
        allowed: Approximation,
        sums: &mut [Polynomial],
    ) -> Result<Approximation, ApproximateError> {
        if self.apply(allowed, &mut sums.to_vec()) == Err(ApproximateError::Overflow) {
            for sum in &mut *sums {
                *sum = self.round_sum(sum).ok_or(ApproximateError::Overflow)?;
            }
        }
        self.apply(allowed, &mut sums.to_vec())?;
        let before = self.before()?;
        let error = if before.is_zero() { Some(allowed.error) } else { nearest(allowed.error, BITS) };
        let left = error.and_then(|error| error.checked_sub(before)).ok_or(ApproximateError::Overflow)?;
        Ok(Approximation { error: left, ..allowed })
    }

    /// By how much sums have been rounded at most.
    fn before(&self) -> Result<Fraction, ApproximateError> {
        const OVERFLOW: ApproximateError = ApproximateError::Overflow;
        if self.error <= 0.0 {
            return Ok(Fraction::ZERO);
        }
        // `near` and `nearest` are each off by up to half a unit.
        let unit = Fraction::new(1, 1 << BITS).ok_or(OVERFLOW)?;
        near(self.error).and_then(|error| error.checked_add(unit)).ok_or(OVERFLOW)
    }

    fn apply(&self, allowed: Approximation, sums: &mut [Polynomial]) -> Result<Approximated, ApproximateError> {
        const OVERFLOW: ApproximateError = ApproximateError::Overflow;
        let before = self.before()?;
        if before.is_zero() {
            return allowed.apply(sums);
        }
        let error = nearest(allowed.error, BITS).and_then(|error| error.checked_sub(before)).ok_or(OVERFLOW)?;
        let in_all = |Approximated { depth, error }| {
            let error = nearest(error, BITS).and_then(|error| error.checked_add(before)).ok_or(OVERFLOW)?;
            Ok(Approximated { depth, error })
        };
        match (Approximation { error, ..allowed }).apply(sums) {
            Ok(applied) => in_all(applied),
            Err(ApproximateError::TooFar { closest }) => Err(ApproximateError::TooFar { closest: in_all(closest)? }),
            Err(error) => Err(error),
        }
    }
}

/// The matrix that an error is about, if it is about one.
pub(crate) fn place_of<S: Place>(error: &ApproximateError, header: &Header<S>, sums: &[Sum<S>]) -> Option<S> {
    let ApproximateError::Vanishes { kernel, channel, .. } = *error else { return None };
    let (output, input) = (header.outputs.get(kernel)?, header.inputs.get(usize::from(channel))?);
    let sum = sums.iter().find(|sum| sum.register.value == output.value)?;
    let reads = |term: &&Term<S>| term.input.as_ref().is_none_or(|name| name.value == input.register.value);
    sum.terms.as_ref()?.iter().find(reads).map(|term| term.at)
}

/// The magnitude of a number, and by how much rounding has changed it at most.
fn of_number<S>(number: &Number<S>) -> (f64, f64) {
    let magnitude = number.value.to_f64().abs();
    (magnitude, if number.is_exact { 0.0 } else { most_error(magnitude) })
}

/// The most that rounding changes a number that was computed in floating point.
fn most_error(number: f64) -> f64 {
    // Half a unit of the result, and a few units in the last place of the 53 bits before.
    number.abs().max(1.0) * 0.5_f64.powi(BITS.cast_signed())
}

#[cfg(test)]
mod tests {
    use cain_analysis::prove::{Atom, Polynomial};
    use cain_isa::Displacement;
    use cain_isa::Fraction;
    use cain_search::{ApproximateError, Approximated, Approximation};

    use super::Rounding;

    fn one_weight(weight: Fraction) -> [Polynomial; 1] {
        let mut sum = Polynomial::new();
        sum.add_term(Atom { channel: 0, displacement: Displacement::new(0, 0) }, weight).unwrap();
        [sum]
    }

    fn allowed(error: &str) -> Approximation {
        Approximation { depth: 2, error: error.parse().unwrap() }
    }

    #[test]
    fn exact_weights_have_no_further_error() {
        let applied = Rounding::new(true).approximate(allowed("0.1"), &mut one_weight("0.3".parse().unwrap())).unwrap();
        assert_eq!(applied, Approximated { depth: 2, error: "0.05".parse().unwrap() });
    }

    #[test]
    fn rounding_counts() {
        let mut rounding = Rounding::new(true);
        let mut sums = one_weight(rounding.round(1.0 / 3.0).unwrap());
        let third: Fraction = "1/3".parse().unwrap();
        let exact = third.checked_sub("1/4".parse().unwrap()).unwrap();
        let Approximated { depth, error } = rounding.approximate(allowed("0.1"), &mut sums).unwrap();
        let more = error.checked_sub(exact).unwrap().to_f64();
        assert_eq!(depth, 2);
        assert!(more >= 0.0 && more <= 4.0 * 0.5_f64.powi(40), "{more}");

        // The error allowed suffices for 1/3, but not for every number that could have been rounded to the same weight.
        let tight = Approximation { depth: 2, error: exact };
        let mut sums = one_weight("1/3".parse().unwrap());
        assert!(Rounding::new(true).approximate(tight, &mut sums).is_ok());
        let mut rounding = Rounding::new(true);
        let mut sums = one_weight(rounding.round(1.0 / 3.0).unwrap());
        let refused = rounding.approximate(tight, &mut sums);
        let Err(ApproximateError::TooFar { closest }) = refused else { panic!("{refused:?}") };
        assert!(closest.error > exact);
    }
}
