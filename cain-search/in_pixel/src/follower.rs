//! Follows the bits and the sums of a program.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Dreg, Reg, Sum, Word};

use crate::InPixelProofError;
use crate::registers::WeightPlane;
use crate::replay::Replay;
use crate::steps::words;
use crate::sums::{Combination, Flags, Sums};
use crate::truth::Truth;

/// The state while a program is followed: its bits, its analogue registers, and the level of `IN`.
pub(crate) struct Follower<S> {
    pub(crate) replay: Replay<S>,
    pub(crate) sums: Sums,
    pub(crate) level: Option<i8>,
    words: usize,
}

impl<S: Truth> Follower<S> {
    pub(crate) fn new(side: usize) -> Self {
        Self { replay: Replay::new(side), sums: Sums::new(), level: None, words: 0 }
    }

    /// Follows a program. `compare` gives the result of each comparison, and `flags` the meaning of FLAG in every PE
    /// whenever a word writes it from bits.
    pub(crate) fn follow(
        &mut self,
        program: &[Step],
        mut compare: impl FnMut(&mut Self, Sum) -> Option<()>,
        mut flags: impl FnMut(&Replay<S>) -> Option<Flags>,
    ) -> Result<(), InPixelProofError> {
        for step in program {
            match step {
                Step::Execute(_) => {
                    for word in words(step).into_iter().flatten() {
                        self.word(&word, &mut compare, &mut flags)?;
                        self.words += 1;
                    }
                }
                Step::Level(level) => {
                    self.level = Some(*level);
                    self.sums.level(*level);
                }
                step => self.replay.step(step),
            }
        }
        Ok(())
    }

    fn word(
        &mut self,
        word: &Word,
        compare: &mut impl FnMut(&mut Self, Sum) -> Option<()>,
        flags: &mut impl FnMut(&Replay<S>) -> Option<Flags>,
    ) -> Result<(), InPixelProofError> {
        let unclear = InPixelProofError::Word { word: self.words };
        if let Word::Where(sum) = word {
            compare(self, *sum).ok_or(unclear)?;
            // No analogue word is executed while FLAG is the result of a comparison.
            self.sums.flags(Flags::Unknown);
        } else {
            self.replay.word(word);
            match word {
                Word::All => self.sums.flags(Flags::All),
                Word::WhereBits(_) => self.sums.flags(flags(&self.replay).unwrap_or(Flags::Unknown)),
                _ => {}
            }
            self.sums.word(word).ok_or(unclear)?;
        }
        Ok(())
    }

    /// Checks that a register holds this in the end, and that FLAG is 1.
    pub(crate) fn leaves(&self, reg: Reg, wanted: Option<Combination>) -> Result<(), InPixelProofError> {
        let wanted = wanted.unwrap_or_default();
        if !self.replay.is(Bit::Flag, |_| S::known(true)) {
            return Err(InPixelProofError::Weight { word: self.words });
        }
        match self.sums.value(reg) {
            Some(found) if *found == wanted => Ok(()),
            found => Err(InPixelProofError::Sums {
                found: found.map_or_else(|| "unknown".to_owned(), ToString::to_string),
                wanted: wanted.to_string(),
            }),
        }
    }
}

/// Checks that no word writes a register in which weights are kept.
pub(crate) fn keeps(program: &[Step], planes: &[WeightPlane]) -> Result<(), InPixelProofError> {
    let kept = |register: &Dreg| planes.iter().any(|plane| plane.register == *register);
    let mut words = program.iter().filter_map(words).flatten();
    match words.find_map(|word| word.targets().iter().copied().find(kept)) {
        Some(register) => Err(InPixelProofError::Overwritten(register)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use cain_analysis::owned::Step;

    use super::Follower;
    use crate::InPixelProofError;
    use crate::truth::Symbol;

    #[test]
    fn the_word_that_is_unclear_is_named() {
        let words = |lines: &[&str]| Step::Execute(lines.iter().map(|line| line.parse().unwrap()).collect());
        let program = [words(&["SET(R5);", "CLR(R6);"]), words(&["SET(R7);", "where(A);", "all();"])];
        let found = Follower::<Symbol>::new(2).follow(&program, |_, _| None, |_| None);
        assert_eq!(found, Err(InPixelProofError::Word { word: 3 }));
    }
}
