//! Proves that the programs compute the network, for all pictures and all weights.
//!
//! Bits are followed as symbols in every PE of the array, which shows the weights, pixels and results that reach each
//! PE. Analogue registers are followed as combinations of these, with the errors of transfers as symbols of their own.
//! Each component starts with only the contents that the previous one was proved to leave.

mod convolution;
mod counting;
mod dense;
mod maps;
mod pooling;

use cain_isa::in_pixel::Step;
use cain_isa::{Bit, Dreg, Word};

use super::super::replay::Replay;
use super::super::steps::Program;
use super::super::sums::{Combination, Flags, Sums};
use super::super::truth::Truth;
use super::super::{Declaration, InPixelProofError, Scores, Second};
use super::Parts;
use super::counting::Plan;
use super::geometry::Geometry;

/// Proves the programs of a network.
pub(super) fn network(network: &Declaration, second: &Second, parts: &Parts) -> Result<(), InPixelProofError> {
    (0..parts.components.len()).try_for_each(|number| component(network, second, parts, number))
}

/// Proves one of the programs.
pub(super) fn component(
    network: &Declaration,
    second: &Second,
    parts: &Parts,
    number: usize,
) -> Result<(), InPixelProofError> {
    let geometry = Geometry::of(network, second);
    let program = &parts.components[number].program;
    keeps(program, parts)?;
    match number {
        0 => convolution::first(network, second, program),
        1 => pooling::maxima(network, second, &geometry, program),
        2 => pooling::duplication(second, &geometry, program),
        3 => convolution::second(network, second, program),
        4 => maps::program(network, second, &geometry, program),
        _ => match second.scores {
            Scores::Analogue => dense::program(network, &geometry, program),
            Scores::Exact => {
                let plan = Plan::of(network, second, &geometry).map_err(|_| InPixelProofError::Count { part: 0 })?;
                counting::program(&plan, parts.result_level, program, &parts.counted)
            }
        },
    }
}

/// Checks that no word writes a register in which weights are kept.
fn keeps(program: &Program, parts: &Parts) -> Result<(), InPixelProofError> {
    let is_kept = |register: &Dreg| parts.planes.iter().any(|plane| plane.register == *register);
    let words = program.iter().filter_map(|step| if let Step::Execute(words) = step { Some(words) } else { None });
    match words.flatten().position(|word| word.targets().iter().any(is_kept)) {
        Some(word) => Err(InPixelProofError::Word { word }),
        None => Ok(()),
    }
}

/// The state while a program is followed: its bits, its analogue registers, and the level of `IN`.
struct Follower<S> {
    replay: Replay<S>,
    sums: Sums,
    level: Option<i8>,
    words: usize,
}

impl<S: Truth> Follower<S> {
    fn new(side: usize) -> Self {
        Self { replay: Replay::new(side), sums: Sums::new(), level: None, words: 0 }
    }

    /// Follows a program. `compare` gives the result of each comparison, and `flags` the meaning of FLAG in every PE
    /// whenever a word writes it from bits.
    fn follow(
        &mut self,
        program: &[Step<Vec<Word>>],
        mut compare: impl FnMut(&mut Self, cain_isa::Sum) -> Option<()>,
        mut flags: impl FnMut(&Replay<S>) -> Option<Flags>,
    ) -> Result<(), InPixelProofError> {
        for step in program {
            match step {
                Step::Execute(words) => {
                    for word in words {
                        self.word(word, &mut compare, &mut flags)?;
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
        compare: &mut impl FnMut(&mut Self, cain_isa::Sum) -> Option<()>,
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
    fn leaves(&self, reg: cain_isa::Reg, wanted: Option<Combination>) -> Result<(), InPixelProofError> {
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
