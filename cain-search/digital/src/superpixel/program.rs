//! Programs on super-pixels.

use cain_analysis::owned::{self, Part, Step, merged};
use cain_isa::{Dreg, Instruction, Tally, Times};

use super::Declaration;

/// A program and the registers of its numbers.
#[derive(Clone, Debug, PartialEq)]
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
        let listing: usize = self.listing.iter().map(Instruction::icws).sum();
        listing + owned::words(&self.before) + owned::words(&self.after)
    }

    /// The time that these words take, in nanoseconds.
    #[must_use]
    pub fn nanoseconds(&self, times: &Times) -> u64 {
        let mut tally: Tally = self.listing.iter().flat_map(Instruction::words).collect();
        self.conversions().for_each(|step| tally.add(&step.tally()));
        times.of_program(&tally)
    }

    /// The number of times that the controller selects PEs or sets a level in each run, between words of conversions.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.conversions().filter(|step| step.sets().is_some()).count()
    }

    fn conversions(&self) -> impl Iterator<Item = &Step> {
        self.before.iter().chain(&self.after)
    }

    /// The control words of the preparation.
    #[must_use]
    pub fn setup_words(&self) -> usize {
        owned::words(&self.setup)
    }

    /// The patterns that the preparation selects.
    #[must_use]
    pub fn selects(&self) -> usize {
        self.setup.iter().filter(|step| matches!(step, Step::Select(_))).count()
    }

    /// What the controller does for that declaration.
    #[must_use]
    pub fn program(&self, declaration: &Declaration) -> owned::Program {
        let parts = [
            Part::new("conversion of inputs", merged(&self.before)),
            Part::new("sums", vec![Step::Execute(self.listing.clone())]),
            Part::new("conversion of outputs", merged(&self.after)),
        ];
        owned::Program {
            blocks: (declaration.layout.height(), declaration.layout.width()),
            preparation: merged(&self.setup),
            parts: parts.into_iter().filter(|part| part.steps.iter().any(|step| step.pieces() > 0)).collect(),
            ..owned::Program::new(&declaration.name, Times::SCAMP5)
        }
    }
}
