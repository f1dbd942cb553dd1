//! Programs on super-pixels.

use core::fmt;

use cain_isa::{Dreg, Instruction};

use super::pattern::Pattern;

/// A program and where its numbers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What has to be done once, before the first run: registers are prepared that say where the next lower bit lies.
    pub setup: Vec<Step>,
    /// Its words.
    pub listing: Vec<Instruction>,
    /// The register of each input at the start.
    pub inputs: Vec<Dreg>,
    /// The register of each output at the end.
    pub outputs: Vec<Dreg>,
    /// Registers that are prepared once, and that must not be overwritten between runs.
    pub reserved: Vec<Dreg>,
}

/// A step of the preparation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The controller selects PEs: SELECT is 1 there and 0 elsewhere.
    Select(Pattern),
    /// Words.
    Instruction(Instruction),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Select(pattern) => pattern.fmt(f),
            Self::Instruction(instruction) => instruction.fmt(f),
        }
    }
}

impl Program {
    /// The number of control words, without the preparation.
    #[must_use]
    pub fn words(&self) -> usize {
        self.listing.iter().map(|instruction| instruction.words().count()).sum()
    }

    /// The control words of the preparation.
    #[must_use]
    pub fn setup_words(&self) -> usize {
        let words = |step: &Step| match step {
            Step::Select(_) => 0,
            Step::Instruction(instruction) => instruction.words().count(),
        };
        self.setup.iter().map(words).sum()
    }

    /// The patterns that the preparation selects.
    #[must_use]
    pub fn selects(&self) -> usize {
        self.setup.iter().filter(|step| matches!(step, Step::Select(_))).count()
    }
}
