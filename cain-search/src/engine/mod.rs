//! The search engine.
//!
//! A value is a linear combination of shifted inputs, a *goal*; the goals that registers must hold at one moment are
//! a *bag*. The engine starts from the bag of wanted kernels and undoes instructions: it replaces the results of one
//! instruction by its operands, until only inputs are left.
//!
//! - [`problem`]: a declaration in integers.
//! - [`terms`], [`goals`]: values, each stored once with what is worth knowing about it.
//! - [`forms`]: what the instructions compute, read off the machine.
//! - [`moves`]: which steps could have made a goal.
//! - [`bag`]: what a step does to a bag, and how many registers it takes.
//! - [`estimate`]: a guess of what a bag still takes.
//! - [`bound`]: below which no program exists.
//! - [`noise`]: how much noise the steps so far make; [`prices`]: what else they cost.
//! - [`sequence`]: a program without a search.
//! - [`beam`]: in which order bags are tried, by [`layers`]; [`budget`]: how many, and [`parallel`]: on how many threads.
//! - [`memory`]: what is forgotten to stay within the memory allowed.
//! - [`exhaust`]: short programs, all of them; and [`windows`]: parts of a program.
//! - [`allocate`]: registers for the values of a finished list of steps.

pub(crate) mod allocate;
pub(crate) mod bag;
pub(crate) mod beam;
pub(crate) mod bound;
pub(crate) mod budget;
mod draft;
pub(crate) mod estimate;
pub(crate) mod exhaust;
pub(crate) mod forms;
pub(crate) mod goals;
mod layers;
pub(crate) mod memory;
pub(crate) mod moves;
pub(crate) mod noise;
pub(crate) mod parallel;
mod partitions;
pub(crate) mod prices;
pub(crate) mod problem;
pub(crate) mod sequence;
pub(crate) mod space;
pub(crate) mod steps;
pub(crate) mod terms;
pub(crate) mod windows;
pub(crate) mod words;
