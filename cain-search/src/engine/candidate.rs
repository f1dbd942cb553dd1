//! Bags that may be kept, and where bags come from.

use super::estimate::Estimates;

/// Where a bag comes from: the layer and index of the bag after the step, and the step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Origin {
    pub(crate) layer: u32,
    pub(crate) index: u32,
    pub(crate) step: u32,
}

/// A bag that may be kept.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(super) estimates: Estimates,
    /// How many values too many the bag holds for one register to be free.
    pub(super) pressure: u32,
    pub(super) tie: u32,
    /// The error of programs that pass through it, as far as it is known or guessed, in units of the error model; 0
    /// unless errors are followed.
    pub(super) error: f64,
    pub(super) hash: u64,
    pub(crate) origin: Origin,
}
