//! Chooses the partial sums to make: the upper level of the search.
//!
//! A [`Form`] is a set of sums that are made of inputs and of each other, moved, scaled by powers of two and negated.
//! The search goes backwards: it starts from the outputs as sums of single pixels, also with a weight split off that
//! keeps rows from repeating, and extracts repetitions within a sum or between sums.

mod chain;
mod complete;
mod extract;
mod form;

pub(super) use chain::chains;
pub(super) use complete::completions;
pub(super) use extract::extractions;
pub(super) use form::{Form, Part, Pixels, Sum, Term, count, counts};
