//! Steps within steps.

use core::fmt;

use super::{Step, StepOf, Storage};
use crate::Tally;

/// The steps of a pass of a loop, or of a decision.
pub struct Body<S: Storage>(pub S::List<StepOf<S>>);

impl Body<super::Constant> {
    /// These steps, as constant data.
    #[must_use]
    pub const fn new(steps: &'static [Step]) -> Self {
        Self(steps)
    }
}

impl<S: Storage> Body<S> {
    /// The steps.
    #[must_use]
    pub fn steps(&self) -> &[StepOf<S>] {
        self.0.as_ref()
    }

    /// Its words, for one picture.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut all = Tally::ZERO;
        self.steps().iter().for_each(|step| all.add(&step.tally()));
        all
    }
}

// Derived, these would ask for what they give.
impl<S: Storage> Clone for Body<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Storage> PartialEq for Body<S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<S: Storage> fmt::Debug for Body<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<&'static [Step]> for Body<super::Constant> {
    fn from(steps: &'static [Step]) -> Self {
        Self(steps)
    }
}
