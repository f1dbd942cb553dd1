//! The search over macro instructions.
//!
//! - [`forms`]: what the instructions compute, read off the machine.
//! - [`moves`]: which steps could have made a goal.
//! - [`bags`]: what a step does to a bag, and how many registers it takes; [`bound`]: below which no program exists.
//! - [`sequence`]: a program without a search.
//! - [`exhaust`]: short programs, all of them; and [`windows`]: parts of a program.
//! - [`allocate`]: registers for the values of a finished list of steps.

pub(crate) mod allocate;
pub(crate) mod bags;
pub(crate) mod bound;
pub(crate) mod exhaust;
pub(crate) mod forms;
pub(crate) mod moves;
pub(crate) mod sequence;
pub(crate) mod windows;
