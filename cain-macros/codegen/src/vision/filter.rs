//! Filters that programs can call by name.

use cain_digital::{Format, Logic};
use cain_isa::prove::Polynomial;

/// A filter of the kernel file that a program is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Its name.
    pub name: String,
    /// The names of its inputs, in the order of arguments.
    pub inputs: Vec<String>,
    /// What a call stands for, or why there can be none.
    pub meaning: Result<Meaning, String>,
}

/// What a filter computes: a plane for each output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Weighted sums of planes of levels; channels are inputs.
    Sums(Vec<Polynomial>),
    /// Boolean functions of planes of bits, or of numbers in each PE: the format of each input.
    Logic(Vec<Format>, Vec<Logic>),
}
