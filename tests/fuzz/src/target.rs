//! What a target is.

use crate::{Corpus, Dice};

/// An entry of the project under attack.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name on the command line, and that of its folders.
    pub name: &'static str,
    /// What is attacked, in a few words.
    pub about: &'static str,
    /// The ending of files with its inputs.
    pub ending: &'static str,
    /// How many inputs are a quick check.
    pub quick: u64,
    /// The most memory that an input may take, in MiB.
    pub memory: u64,
    /// Makes an input.
    pub generate: fn(&mut Dice, &Corpus) -> Vec<u8>,
    /// Passes the input to the entry and looks at what comes out; an error says what is wrong with that.
    pub check: fn(&[u8]) -> Result<Verdict, String>,
}

/// What the entry thought of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was taken.
    Accepted,
    /// It was refused with a message.
    Refused,
}
