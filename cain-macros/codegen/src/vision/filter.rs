//! Filters and networks that programs can call by name.

use cain_analysis::prove::Polynomial;
use cain_digital::{Format, Logic};
use cain_network::Network;

/// A filter or network of a kernel file.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// Its name.
    pub name: String,
    /// What it is, for messages.
    pub what: &'static str,
    /// Where it is declared, for messages: `beside the programs` or in a file.
    pub at: String,
    /// The names of its inputs, in the order of arguments.
    pub inputs: Vec<String>,
    /// How many of them have to be given, the first ones.
    pub needed: usize,
    /// What a call stands for, or why there can be none.
    pub meaning: Result<Meaning, String>,
}

/// What a filter computes, a plane for each output, or a network.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// Weighted sums of planes of levels; channels are inputs.
    Sums(Vec<Polynomial>),
    /// Boolean functions of planes of bits, or of numbers in each PE: the format of each input.
    Logic(Vec<Format>, Vec<Logic>),
    /// What a network makes of its picture: a result for each head.
    Network(Box<Network>),
}
