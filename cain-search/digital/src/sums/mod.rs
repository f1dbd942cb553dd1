//! Which partial sums are made: the upper level of the search.
//!
//! A [`Form`] is a set of sums that are made of inputs and of each other, moved, scaled by powers of two and negated. The search
//! goes backwards: it starts from the outputs as sums of single pixels, also with a weight taken apart that keeps rows from
//! repeating, and takes out what repeats within a sum or between sums.

mod chain;
mod complete;
mod extract;
mod form;

pub(super) use chain::chains;
pub(super) use complete::completions;
pub(super) use extract::extractions;
pub(super) use form::{Form, Part, Pixels, Sum, Term, count, counts};
