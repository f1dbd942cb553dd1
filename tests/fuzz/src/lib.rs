//! Attacks on every entry of the project, with generated and mutated inputs and with oracles that are independent of
//! the code they judge.
//!
//! A target, a seed and an index stand for the same input on every machine. [`targets::ALL`] lists the targets, [`attack`]
//! runs one of them, and [`judge`] decides about a single input.

mod attack;
mod corpus;
mod dice;
mod judge;
pub mod machine;
mod memory;
mod model;
mod mutate;
pub mod onnx;
mod oracle;
mod target;
pub mod targets;

pub use attack::{Attack, Fault, Outcome, attack};
pub use corpus::{Corpus, folder};
pub use dice::Dice;
pub use judge::{be_quiet, expect, judge};
pub use target::{Target, Verdict};
