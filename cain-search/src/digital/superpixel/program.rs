//! Programs on super-pixels.

use core::fmt;

use cain_isa::{Dreg, Instruction};

use super::pattern::Pattern;

/// A program and where its numbers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What has to be done once, before the first run: registers are prepared that say where the next lower bit lies.
    pub setup: Vec<Step>,
    /// What converts analogue registers into numbers, before the listing.
    pub before: Vec<Step>,
    /// Its words.
    pub listing: Vec<Instruction>,
    /// What converts numbers into analogue registers, after the listing.
    pub after: Vec<Step>,
    /// The register of each input at the start.
    pub inputs: Vec<Dreg>,
    /// The register of each output at the end.
    pub outputs: Vec<Dreg>,
    /// Registers that are prepared once, and that must not be overwritten between runs.
    pub reserved: Vec<Dreg>,
}

/// A step of the preparation, or of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The controller selects PEs: SELECT is 1 there and 0 elsewhere.
    Select(Pattern),
    /// The controller gives a level, which `IN` is then.
    Level(i8),
    /// Words.
    Instruction(Instruction),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Select(pattern) => pattern.fmt(f),
            Self::Level(level) => write!(f, "scamp5_load_in({level});"),
            Self::Instruction(instruction) => instruction.fmt(f),
        }
    }
}

impl Step {
    /// How many control words it is.
    fn words(&self) -> usize {
        match self {
            Self::Select(_) | Self::Level(_) => 0,
            Self::Instruction(instruction) => instruction.words().count(),
        }
    }
}

impl Program {
    /// The number of control words, without the preparation.
    #[must_use]
    pub fn words(&self) -> usize {
        let listing: usize = self.listing.iter().map(|instruction| instruction.words().count()).sum();
        listing + self.conversions().map(Step::words).sum::<usize>()
    }

    /// How often the controller selects PEs or gives a level in every run, between words of conversions.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.conversions().filter(|step| !matches!(step, Step::Instruction(_))).count()
    }

    fn conversions(&self) -> impl Iterator<Item = &Step> {
        self.before.iter().chain(&self.after)
    }

    /// The control words of the preparation.
    #[must_use]
    pub fn setup_words(&self) -> usize {
        self.setup.iter().map(Step::words).sum()
    }

    /// The patterns that the preparation selects.
    #[must_use]
    pub fn selects(&self) -> usize {
        self.setup.iter().filter(|step| matches!(step, Step::Select(_))).count()
    }
}
