//! Proves that a program computes its kernels, for all inputs and at all PEs.
//!
//! Every register is a Boolean function of the bits around a PE, as a reduced ordered binary decision diagram. The same
//! function holds in all PEs, also near the border, if pixels outside of the array are 0: each word that reads
//! neighbours is checked for that, so the proof holds for arrays of any size.

mod bdd;
mod logic;
mod replay;
#[cfg(test)]
mod tests;
mod wanted;

pub(super) use bdd::{Bdd, Function, TooLarge, Variable};
pub(super) use logic::function_of;
pub(super) use replay::{Machine, ReplayError};
pub(super) use wanted::{bit_of_sum, wanted};
