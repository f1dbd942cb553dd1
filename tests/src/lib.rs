//! End-to-end tests of the project; see the files beside `src`.

/// The Rust blocks of README.md, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
