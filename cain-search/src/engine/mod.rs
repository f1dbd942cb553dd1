//! The search engine.
//!
//! A value is a linear combination of shifted inputs, a *goal*; the goals that registers must hold at one moment are
//! a *bag*. The engine starts from the bag of wanted kernels and undoes instructions: it replaces the results of one
//! instruction by its operands, until only inputs are left.
//!
//! # The core
//!
//! It is independent of the instructions; a [`target`] provides what depends on them.
//!
//! Values:
//!
//! - [`problem`]: a declaration in integers; [`gain`]: how large values may be.
//! - [`terms`], [`area`]: values as polynomials, and where their terms are.
//! - [`goals`]: values that were seen, each stored once with its features; [`symmetry`]: those that are alike.
//! - [`image`]: values as numbers, to compare many of them quickly.
//! - [`factors`], [`partitions`]: values as products and as sums of parts.
//!
//! Steps:
//!
//! - [`step`]: an instruction undone; [`draft`]: steps while they are worked out; [`memo`]: those that were.
//! - [`values`]: programs on values, without registers.
//! - [`occupancy`]: how bags and steps share the registers.
//!
//! The beam search:
//!
//! - [`target`]: the interface to the instructions; [`states`]: to their bags, the steps between them, and their errors.
//! - [`beam`]: in which order bags are tried, by [`layers`]; [`ways`]: the programs that go through them.
//! - [`estimate`]: a guess of what a bag still takes; [`distinct`]: values in it that differ.
//! - [`cost_model`]: what steps cost; [`sensitivities`]: how much of their errors reaches the outputs;
//!   [`error_estimate`]: what that makes of the predicted error.
//! - [`focus`]: what sweeps prefer; [`budget`], [`work`]: how much is done.
//! - [`memory`]: what is forgotten to stay within the memory allowed.
//!
//! # The exchange of values
//!
//! - [`exchange`] shortens programs by exchanging the values that they make for others.
//!
//! # The targets
//!
//! - [`macros`]: the macro instructions of the vendor's library.
//! - [`words`]: single control words.
//! - [`compensation`]: what both have in common where offset errors have to cancel.
//!
//! # Exhaustive searches
//!
//! There are two, with different reach:
//!
//! - [`short`] tries all programs of up to three instructions on the registers there are. It takes any instruction set
//!   ([`instructions`], whose effects it reads off the machine) and decides everything that depends on registers:
//!   zeros, copies, values in two registers.
//! - [`macros::exhaust`] tries programs of macro instructions on values, as if there were registers without end.
//!   Without registers far fewer programs differ, so that it gets further. Its lower bounds hold on every machine; the
//!   programs that it finds still need registers. It also shortens windows of longer programs.

mod area;
pub(crate) mod beam;
pub(crate) mod budget;
mod candidate;
mod compensation;
pub(crate) mod cost_model;
mod distinct;
mod draft;
pub(crate) mod error_estimate;
pub(crate) mod estimate;
mod exchange;
mod expansion;
mod factors;
pub(crate) mod focus;
pub(crate) mod gain;
mod goal_id;
pub(crate) mod goals;
mod hash;
pub(crate) mod image;
mod instructions;
mod known_error;
pub(crate) mod layers;
pub(crate) mod macros;
pub(crate) mod memo;
pub(crate) mod memory;
mod occupancy;
mod partitions;
pub(crate) mod problem;
mod sensitivities;
pub(crate) mod short;
pub(crate) mod states;
pub(crate) mod step;
pub(crate) mod symmetry;
pub(crate) mod target;
pub(crate) mod terms;
pub(crate) mod values;
pub(crate) mod ways;
pub(crate) mod words;
pub(crate) mod work;
