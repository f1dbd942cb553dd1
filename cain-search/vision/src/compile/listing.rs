//! Digital programs in other registers, once it is known where their results are wanted.

use cain_digital::in_registers;
use cain_isa::{Bit, Dreg, Instruction, Logic, Operation, Word};

/// The words of a function.
pub(super) struct Listing {
    words: Vec<Word>,
    /// The register of the result.
    pub(super) result: Dreg,
}

impl Listing {
    pub(super) fn of(listing: &[Instruction], result: Dreg) -> Self {
        Self { words: listing.iter().flat_map(Instruction::words).collect(), result }
    }

    pub(super) fn instructions(&self) -> Vec<Instruction> {
        self.words.iter().copied().map(Instruction::Word).collect()
    }

    /// Makes the result in one of these registers, if that takes no other word.
    pub(super) fn made_in(&mut self, free: &[Dreg]) -> bool {
        let Some(made) = self.words.iter().rposition(|word| word.targets().contains(&self.result)) else {
            return false;
        };
        let renamed = |to: &Dreg| Some((self.renamed(made, self.words.len(), self.result, *to)?, *to));
        let Some((words, to)) = free.iter().find_map(renamed) else { return false };
        (self.words, self.result) = (words, to);
        true
    }

    /// Copies the result.
    pub(super) fn copy_to(&mut self, to: Dreg) {
        if let Ok(copy) = Logic::new(Operation::Or, &[to], &[Bit::Reg(self.result)]) {
            self.words.push(Word::Logic(copy));
            self.result = to;
        }
    }

    /// Makes what is in registers of directions in spare ones, so that directions stay set up.
    pub(super) fn leave_switches(&mut self, spare: &[Dreg]) {
        for place in 0..self.words.len() {
            let [target] = self.words[place].targets() else { continue };
            let target = *target;
            let is_value = matches!(&self.words[place], Word::Logic(logic)
                if matches!(logic.operation(), Operation::Or | Operation::Nor))
                || matches!(self.words[place], Word::FromNeighbours(_));
            if !is_value || !Dreg::ALL[1..=4].contains(&target) {
                continue;
            }
            let later = self.words[place + 1..].iter().position(|word| word.targets().contains(&target));
            let end = later.map_or(self.words.len(), |later| place + 1 + later);
            // Preferably one that nothing else needs.
            let is_new = |to: &&Dreg| !self.words.iter().any(|word| touches(word, **to));
            let renamed = |to: &Dreg| Some((self.renamed(place, end, target, *to)?, *to));
            let found = spare.iter().filter(is_new).find_map(renamed).or_else(|| spare.iter().find_map(renamed));
            if let Some((words, to)) = found {
                self.words = words;
                if end == self.words.len() && self.result == target {
                    self.result = to;
                }
            }
        }
    }

    /// The words with what one of them writes in another register, up to a place; `None` if that register is used there, or the
    /// value is read as a direction.
    fn renamed(&self, made: usize, end: usize, from: Dreg, to: Dreg) -> Option<Vec<Word>> {
        let range = &self.words[made..end];
        let is_switch = |word: &Word| Dreg::ALL[1..=4].contains(&from) && matches!(word, Word::FromNeighbours(_));
        let is_needed = self.words.get(end).is_some_and(|word| from.gate().is_some() || reads(word, from));
        if range[0].targets() != [from]
            || range[1..].iter().any(is_switch)
            || range.iter().any(|word| touches(word, to))
            || is_needed
            || self.is_live(end, to)
        {
            return None;
        }
        let renamed = |register: Dreg| if register == from { to } else { register };
        let same = |register: Dreg| register;
        let mut words = self.words.clone();
        words[made] = in_registers(words[made], &same, &renamed)?;
        for word in &mut words[made + 1..end] {
            *word = in_registers(*word, &renamed, &same)?;
        }
        Some(words)
    }

    /// Whether what a register holds at a place is read later.
    fn is_live(&self, place: usize, register: Dreg) -> bool {
        let next = self.words[place..].iter().find(|word| touches(word, register));
        next.map_or(register == self.result, |word| reads(word, register) || register.gate().is_some())
    }
}

fn reads(word: &Word, register: Dreg) -> bool {
    word.effect(true).reads.contains([register].into_iter().collect())
}

/// Whether a word reads or writes a register.
fn touches(word: &Word, register: Dreg) -> bool {
    let effect = word.effect(true);
    !effect.reads.union(effect.written()).intersection([register].into_iter().collect()).is_empty()
}
