//! Sums of kernels: what front ends read in the same way, from trees of values.
//!
//! A term has a kernel, and may have a scale, an origin and an input. Names of constants can stand for numbers and for
//! kernels.

mod constants;
mod matrix;
mod named;

#[cfg(feature = "toml")]
pub(crate) use constants::name;
pub(crate) use constants::{Constants, Named, Wanted, number};
pub(crate) use matrix::{matrix, position};
pub(crate) use named::{Use, named};
