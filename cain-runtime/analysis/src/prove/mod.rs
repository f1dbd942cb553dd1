//! The exact prover: represents the results of a program as polynomials.
//!
//! A register holds a linear combination of shifted input images. With x for one step to the east and y for one step to
//! the north it is a Laurent polynomial per input channel; the coefficient of `x^i·y^j` is the weight of the input
//! pixel at displacement (i, j). [`Prover`] executes control words on such [`Polynomial`]s with exact rational
//! coefficients, so comparing a register with a kernel decides whether the program is right for every image.
//!
//! Kernels are correlations, not flipped: `out(p) = Σ K[r][c] · in(p + displacement)`, row 0 north, column 0 west.
//! Values outside the array do not occur in polynomials; [`Reach`] tells how near to the border that matters.

mod error;
#[cfg(feature = "piecewise")]
mod operation;
#[cfg(feature = "piecewise")]
mod piecewise;
mod polynomial;
mod prover;
mod report;
#[cfg(feature = "piecewise")]
mod specification;
#[cfg(test)]
mod tests;

pub use error::{Mismatch, ProveError};
#[cfg(feature = "piecewise")]
pub use operation::{OperationProofError, operation};
#[cfg(feature = "piecewise")]
pub use piecewise::{ClaimError, Claims, Condition, Follower, Value};
pub use polynomial::{Atom, Polynomial};
pub use prover::Prover;
pub use report::{Reach, Report};
#[cfg(feature = "piecewise")]
pub use specification::Specification;
