//! Programs that are being put together, and bits that are copied in them.

use cain_isa::in_pixel::Step;
use cain_isa::{Dreg, Word, WordError};

use super::words::Draft;

/// What a program does.
pub type Program = Vec<Step<Vec<Word>>>;

/// A program that is being put together.
#[derive(Default)]
pub(super) struct Steps {
    program: Program,
    pub(super) words: Draft,
}

impl Steps {
    /// Adds what the controller does after the words so far.
    pub(super) fn controller(&mut self, step: Step<Vec<Word>>) -> Result<(), WordError> {
        self.part()?;
        self.program.push(step);
        Ok(())
    }

    /// Ends a part of the words: those of digital words only run at high speed.
    pub(super) fn part(&mut self) -> Result<(), WordError> {
        let words = std::mem::take(&mut self.words).finish()?;
        if !words.is_empty() {
            self.program.push(Step::Execute(words));
        }
        Ok(())
    }

    /// How many steps there are, without the words of a part that has not ended.
    pub(super) const fn len(&self) -> usize {
        self.program.len()
    }

    pub(super) fn finish(mut self) -> Result<Program, WordError> {
        self.part()?;
        Ok(self.program)
    }
}

/// Bits that are being copied to other PEs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copies {
    pub(super) copied: Dreg,
    pub(super) free: [Dreg; 2],
}

impl Copies {
    /// Adds a copy so many PEs away, in the direction that is open.
    pub(super) fn add(&mut self, words: &mut Draft, distance: usize) {
        let far = self.moved(words, distance);
        let rest = if far == self.free[0] { self.free[1] } else { self.free[0] };
        words.or(rest, &[self.copied.into(), far.into()]);
        self.free = [self.copied, far];
        self.copied = rest;
    }

    /// Takes all of them so many PEs away, in the direction that is open.
    pub(super) fn shift(&mut self, words: &mut Draft, distance: usize) {
        for _ in 0..distance {
            words.neighbours(self.free[0], self.copied);
            std::mem::swap(&mut self.free[0], &mut self.copied);
        }
    }

    /// Moves the bits into the free registers, and tells which holds them after that.
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
