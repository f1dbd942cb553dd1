//! Measuring a chip, for an example and its test.

pub mod chip;
