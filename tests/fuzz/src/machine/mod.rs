//! The analogue machine a second time: what a listing computes, from the description of the machine alone.
//!
//! Nothing of the project is used here, neither its table of macro instructions nor its prover. A listing is text, every
//! macro instruction is expanded into transfers over the bus, and values are exact.

mod expand;
mod number;
mod pe;
mod value;

pub use expand::{Transfer, expand};
pub use number::Number;
pub use pe::{Costs, Pe};
pub use value::Value;

#[cfg(test)]
mod tests;
