//! The host controller, which receives control words and has them carried out.

use crate::{Instruction, Plan, Word};

/// The host controller of an array: it sends control words to every PE.
///
/// Everything that understands a program implements this trait: the driver of a device, the simulator, the exact
/// prover, recorders and counters. Generated functions are generic over it, so the very same function can be
/// run, simulated, proved and printed.
///
/// Only [`issue`](Self::issue) is required. The other methods exist for implementations that need to see more than
/// words: a recorder keeps macro spellings, and a driver uploads a whole plan at once. They must have the same effect
/// as issuing the words one by one.
///
/// Programs begin and end with FLAG at 1 in every PE. After an error in the middle of one it may be 0 in some: issue
/// [`Word::All`](crate::Word::All) before the next one. Whole programs do so in `begin` and `reset`.
pub trait HostController {
    /// The reason why a word could not be carried out.
    type Error;

    /// Carries out one control word on every PE.
    fn issue(&mut self, word: Word) -> Result<(), Self::Error>;

    /// Carries out one instruction of a listing, word by word.
    fn execute(&mut self, instruction: Instruction) -> Result<(), Self::Error> {
        instruction.words().try_for_each(|word| self.issue(word))
    }

    /// Carries out the instructions of a listing one after the other.
    fn execute_all(&mut self, listing: &[Instruction]) -> Result<(), Self::Error> {
        listing.iter().try_for_each(|&instruction| self.execute(instruction))
    }

    /// Carries out a plan, instruction by instruction.
    fn run(&mut self, plan: &Plan) -> Result<(), Self::Error> {
        self.execute_all(plan.listing)
    }
}

impl<H: HostController + ?Sized> HostController for &mut H {
    type Error = H::Error;

    fn issue(&mut self, word: Word) -> Result<(), Self::Error> {
        (**self).issue(word)
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), Self::Error> {
        (**self).execute(instruction)
    }

    fn execute_all(&mut self, listing: &[Instruction]) -> Result<(), Self::Error> {
        (**self).execute_all(listing)
    }

    fn run(&mut self, plan: &Plan) -> Result<(), Self::Error> {
        (**self).run(plan)
    }
}
