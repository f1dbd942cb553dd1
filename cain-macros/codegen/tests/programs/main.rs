//! The programs in `examples/programs`, by their meaning, against what they compute in plain Rust.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "rows, columns and levels are small"
)]

mod blocks;
mod filters;
mod fits;
mod language;
mod levels;
mod lowered;
mod mistakes;
mod more;
mod morphology;
mod networks;
mod numbers;
mod objects;
mod planes;
mod random;
mod run;
mod search;
mod shapes;
mod simple;
mod statements;
mod states;
mod used;
