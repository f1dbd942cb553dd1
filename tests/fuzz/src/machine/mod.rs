//! A second implementation of the machine: computes the results of a listing from the description of the machine alone.
//! One PE with exact values stands for all in programs that do the same everywhere; an array holds the bits and levels
//! of each PE.
//!
//! Nothing of the project is used here, neither its table of macro instructions nor its prover. A listing is text,
//! every macro instruction is expanded to transfers over the bus, and values are exact.

mod array;
mod expand;
mod number;
mod pe;
mod value;

pub use array::Array;
pub use expand::{Transfer, expand};
pub use number::Number;
pub use pe::{Costs, Pe};
pub use value::Value;

#[cfg(test)]
mod tests;
