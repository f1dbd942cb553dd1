//! Builds programs, and copies bits in them.

use cain_analysis::owned::Step;
use cain_isa::{Dreg, Instruction, Word, WordError};

use crate::words::Draft;

/// A program under construction.
#[derive(Default)]
pub(crate) struct Steps {
    program: Vec<Step>,
    pub(crate) words: Draft,
}

impl Steps {
    /// Adds a step of the controller after the words so far.
    pub(crate) fn controller(&mut self, step: Step) -> Result<(), WordError> {
        self.part()?;
        self.program.push(step);
        Ok(())
    }

    /// Ends a part of the words; parts of digital words only run at high speed.
    pub(crate) fn part(&mut self) -> Result<(), WordError> {
        let listing = std::mem::take(&mut self.words).finish()?;
        if !listing.is_empty() {
            self.program.push(Step::Execute(listing));
        }
        Ok(())
    }

    /// The number of steps, without the words of an unfinished part.
    pub(crate) const fn len(&self) -> usize {
        self.program.len()
    }

    pub(crate) fn finish(mut self) -> Result<Vec<Step>, WordError> {
        self.part()?;
        Ok(self.program)
    }
}

/// Bits that are being copied to other PEs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copies {
    pub(crate) copied: Dreg,
    pub(crate) free: [Dreg; 2],
}

impl Copies {
    /// Adds a copy from `distance` PEs away, in the open direction.
    pub(crate) fn add(&mut self, words: &mut Draft, distance: usize) {
        let far = self.moved(words, distance);
        let rest = if far == self.free[0] { self.free[1] } else { self.free[0] };
        words.or(rest, &[self.copied.into(), far.into()]);
        self.free = [self.copied, far];
        self.copied = rest;
    }

    /// Moves all bits by `distance` PEs, from the open direction.
    pub(crate) fn shift(&mut self, words: &mut Draft, distance: usize) {
        for _ in 0..distance {
            words.neighbours(self.free[0], self.copied);
            std::mem::swap(&mut self.free[0], &mut self.copied);
        }
    }

    /// Moves the bits into the free registers; returns the register that holds them.
    fn moved(self, words: &mut Draft, distance: usize) -> Dreg {
        let mut from = self.copied;
        for step in 0..distance {
            let to = self.free[step % 2];
            words.neighbours(to, from);
            from = to;
        }
        from
    }
}

/// The words of a step, if it has any.
pub(crate) fn words(step: &Step) -> Option<impl Iterator<Item = Word>> {
    step.listing().map(|listing| listing.iter().flat_map(Instruction::words))
}
