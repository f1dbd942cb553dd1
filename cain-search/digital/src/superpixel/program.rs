//! Programs on super-pixels.

use cain_isa::superpixel::Step;
use cain_isa::{Dreg, Instruction, Times};

/// A program and the registers of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The steps to be carried out once, before the first run: they prepare registers that hold the direction of the
    /// next lower bit.
    pub setup: Vec<Step>,
    /// The steps before the listing that convert analogue registers to numbers.
    pub before: Vec<Step>,
    /// Its words.
    pub listing: Vec<Instruction>,
    /// The steps after the listing that convert numbers to analogue registers.
    pub after: Vec<Step>,
    /// The register of each input at the start.
    pub inputs: Vec<Dreg>,
    /// The register of each output at the end.
    pub outputs: Vec<Dreg>,
    /// Registers that are prepared once and must not be overwritten between runs.
    pub reserved: Vec<Dreg>,
}

impl Program {
    /// The number of control words, without the preparation.
    #[must_use]
    pub fn words(&self) -> usize {
        let listing: usize = self.listing.iter().map(|instruction| instruction.words().count()).sum();
        listing + self.conversions().map(Step::words).sum::<usize>()
    }

    /// The time that these words take, in nanoseconds.
    #[must_use]
    pub fn nanoseconds(&self, times: &Times) -> u64 {
        let of_step = |step: &Step| if let Step::Instruction(instruction) = step { Some(*instruction) } else { None };
        let conversions = self.conversions().filter_map(of_step);
        times.of_program(&self.listing.iter().copied().chain(conversions).flat_map(|line| line.words()).collect())
    }

    /// The number of times that the controller selects PEs or sets a level in each run, between words of conversions.
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
