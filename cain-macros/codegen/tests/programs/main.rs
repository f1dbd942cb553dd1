//! The programs in `examples/programs`, by their meaning, against what they compute in plain Rust.

mod blocks;
mod language;
mod lowered;
mod mistakes;
mod more;
mod morphology;
mod numbers;
mod planes;
mod random;
mod run;
mod search;
mod shapes;
mod simple;
mod states;
