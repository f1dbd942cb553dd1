//! What a sweep of the beam prefers.

use super::candidate::Candidate;
use super::estimate::Guess;

/// What each value too many adds to the estimate of a bag where register pressure is avoided, about as much as two
/// digits.
const PRESSURE: i64 = 3000;

/// What a sweep prefers, besides bags that look near to the inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Focus {
    /// The estimate by which it ranks bags.
    pub(crate) guess: Guess,
    /// Whether it avoids bags with high register pressure. Such bags are the shortest way to a few kernels but a dead
    /// end for many.
    pub(crate) avoids_pressure: bool,
    /// What a unit of error adds to the estimate of a bag, if errors are followed. A large weight leads to the most
    /// accurate programs; a small one leads to any program at all where accurate ones are hard to find.
    pub(crate) error_weight: f64,
}

impl Focus {
    /// The rank of a candidate under this focus; lower is better.
    pub(super) fn rank(self, candidate: &Candidate) -> i64 {
        let pressure = if self.avoids_pressure { PRESSURE.saturating_mul(candidate.pressure.into()) } else { 0 };
        let error = if candidate.error > 0.0 { rounded(self.error_weight * candidate.error) } else { 0 };
        candidate.estimates.by(self.guess).saturating_add(pressure).saturating_add(error)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and is only compared")]
fn rounded(estimate: f64) -> i64 {
    estimate as i64
}
