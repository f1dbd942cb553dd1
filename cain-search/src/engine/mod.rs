//! The search engine.
//!
//! A value is a linear combination of shifted inputs, a *goal*; the goals that registers must hold at one moment are
//! a *bag*. The engine starts from the bag of wanted kernels and undoes instructions: it replaces the results of one
//! instruction by its operands, until only inputs are left.
//!
//! What does not depend on the instructions:
//!
//! - [`problem`]: a declaration in integers; [`gain`]: how large values may be.
//! - [`terms`], [`goals`]: values, each stored once with what is worth knowing about it.
//! - [`steps`]: instructions undone, each worked out once; [`draft`]: while they are worked out.
//! - [`partitions`]: a goal as a sum of parts.
//! - [`estimate`]: a guess of what a bag still takes.
//! - [`noise`]: how much noise the steps so far make; [`prices`]: what else they cost.
//! - [`space`]: what the search asks about the bags of a target.
//! - [`beam`]: in which order bags are tried, by [`layers`]; [`budget`]: how many, and [`parallel`]: on how many threads.
//! - [`memory`]: what is forgotten to stay within the memory allowed.
//! - [`short`]: all short programs on the registers there are; [`field`]: values as numbers.
//!
//! The targets:
//!
//! - [`macros`]: the macro instructions of the vendor's library.
//! - [`words`]: single control words.

mod area;
pub(crate) mod beam;
pub(crate) mod budget;
pub(crate) mod cost_model;
mod draft;
mod estimate;
pub(crate) mod field;
pub(crate) mod gain;
pub(crate) mod goals;
mod instructions;
mod layers;
pub(crate) mod macros;
pub(crate) mod memo;
pub(crate) mod memory;
mod occupancy;
mod parallel;
mod partitions;
pub(crate) mod problem;
mod sensitivities;
pub(crate) mod short;
pub(crate) mod states;
pub(crate) mod step;
pub(crate) mod target;
pub(crate) mod terms;
pub(crate) mod values;
mod weights;
pub(crate) mod words;
