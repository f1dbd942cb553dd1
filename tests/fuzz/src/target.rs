//! The definition of a target.

use crate::{Corpus, Dice};

/// An entry of the project under attack.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name on the command line, and that of its folders.
    pub name: &'static str,
    /// A short description of the entry.
    pub about: &'static str,
    /// The ending of files with its inputs.
    pub ending: &'static str,
    /// The number of inputs in a quick check.
    pub quick: u64,
    /// The most memory that an input may take, in MiB.
    pub memory: u64,
    /// Makes an input.
    pub generate: fn(&mut Dice, &Corpus) -> Vec<u8>,
    /// Passes the input to the entry and judges the result; an error says what is wrong with it.
    pub check: fn(&[u8]) -> Result<Verdict, String>,
}

/// The entry's verdict on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The input was accepted.
    Accepted,
    /// The input was refused with a message.
    Refused,
}
