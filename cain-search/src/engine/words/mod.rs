//! The search over native control words.
//!
//! A word writes −(sum of its sources)/(number of its destinations), so that it adds and halves at once, and NEWS is one
//! more place for a value, the only one that neighbours can read. A bag is therefore what NEWS holds, or nothing, and
//! the values of registers, of which one may be there twice: the bus cannot add a register to itself.
//!
//! - [`forms`]: what words compute, read off the machine.
//! - [`moves`]: which words could have made a goal, and from what.
//! - [`bags`]: what a word does to a bag; [`bound`]: below which no program exists; [`noise`]: how much of it words make.
//! - [`allocate`]: registers for the values of a finished list of steps; [`epilogue`]: the words after them.
//! - [`offsets`]: making up for what is left of the constant transfer error.

pub(crate) mod allocate;
pub(crate) mod bags;
pub(crate) mod bound;
pub(crate) mod epilogue;
pub(crate) mod forms;
pub(crate) mod moves;
pub(crate) mod noise;
pub(crate) mod offsets;
