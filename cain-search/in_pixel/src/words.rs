//! Builds lists of words.

use cain_isa::{Bit, Bits, Cell, Dreg, FromNeighbours, Instruction, Logic, Operation, Sum, Word, WordError};

/// Words, or the first rule that one of them breaks.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    listing: Vec<Instruction>,
    broken: Option<WordError>,
}

impl Draft {
    pub(crate) fn finish(self) -> Result<Vec<Instruction>, WordError> {
        match self.broken {
            Some(error) => Err(error),
            None => Ok(self.listing),
        }
    }

    fn push(&mut self, word: Result<Word, WordError>) -> &mut Self {
        match word {
            Ok(word) => self.listing.push(Instruction::Word(word)),
            Err(error) => self.broken = self.broken.or(Some(error)),
        }
        self
    }

    pub(crate) fn bus(&mut self, to: Cell, from: &[Cell]) -> &mut Self {
        self.push(Word::new(&[to], from))
    }

    /// Writes half of minus the sources to two cells.
    pub(crate) fn halve(&mut self, to: [Cell; 2], from: &[Cell]) -> &mut Self {
        self.push(Word::new(&to, from))
    }

    /// Writes only the error of the word.
    pub(crate) fn fill(&mut self, to: &[Cell]) -> &mut Self {
        self.push(Word::new(to, &[]))
    }

    pub(crate) fn all(&mut self) -> &mut Self {
        self.push(Ok(Word::All))
    }

    pub(crate) fn where_positive(&mut self, cells: &[Cell]) -> &mut Self {
        self.push(Sum::new(cells).map(Word::Where))
    }

    pub(crate) fn where_bits(&mut self, bits: &[Bit]) -> &mut Self {
        self.push(Bits::new(bits).map(Word::WhereBits))
    }

    fn logic(&mut self, operation: Operation, targets: &[Dreg], sources: &[Bit]) -> &mut Self {
        self.push(Logic::new(operation, targets, sources).map(Word::Logic))
    }

    pub(crate) fn set(&mut self, targets: &[Dreg]) -> &mut Self {
        self.logic(Operation::Set, targets, &[])
    }

    pub(crate) fn clr(&mut self, targets: &[Dreg]) -> &mut Self {
        self.logic(Operation::Clr, targets, &[])
    }

    pub(crate) fn or(&mut self, target: Dreg, sources: &[Bit]) -> &mut Self {
        self.logic(Operation::Or, &[target], sources)
    }

    pub(crate) fn nor(&mut self, target: Dreg, sources: &[Bit]) -> &mut Self {
        self.logic(Operation::Nor, &[target], sources)
    }

    /// Zeros come in from outside of the array.
    pub(crate) fn neighbours(&mut self, target: Dreg, source: Dreg) -> &mut Self {
        self.push(FromNeighbours::new(target, source.into(), false).map(Word::FromNeighbours))
    }
}
