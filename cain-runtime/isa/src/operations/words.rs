//! The words of an operation, as a value that can be made at compile time.

use core::ops::Deref;

use super::limits::MOST_WORDS;
use super::{OperationError, Place};
use crate::{
    Bit, Bits, Cell, Direction, Directions, Dreg, FromNeighbours, Logic, Operation, Reg, Sum, Word, WordError,
};

/// The words of an operation, in the order in which they are carried out.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    list: [Word; Self::MAX],
    len: usize,
}

impl Words {
    /// The most words that an operation may have.
    pub const MAX: usize = MOST_WORDS;

    /// The words.
    #[must_use]
    pub const fn as_slice(&self) -> &[Word] {
        self.list.split_at(self.len).0
    }
}

impl Deref for Words {
    type Target = [Word];

    fn deref(&self) -> &[Word] {
        self.as_slice()
    }
}

/// A list of words in the making, or the first rule that it breaks.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    words: Words,
    error: Option<OperationError>,
}

impl Draft {
    pub(super) const fn new() -> Self {
        Self { words: Words { list: [Word::Nop; Words::MAX], len: 0 }, error: None }
    }

    pub(super) const fn finish(&self) -> Result<Words, OperationError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.words),
        }
    }

    /// Whether there is no word yet.
    pub(super) const fn is_empty(&self) -> bool {
        self.words.len == 0
    }

    /// Records an error; no words are added after it.
    pub(super) const fn fail(&mut self, error: OperationError) -> &mut Self {
        if self.error.is_none() {
            self.error = Some(error);
        }
        self
    }

    /// Requires that writing one register does not overwrite another that is still needed.
    pub(super) const fn keeps(&mut self, needed: Reg, written: Reg) -> &mut Self {
        if needed.same(written) { self.fail(OperationError::Overwritten(needed)) } else { self }
    }

    /// Requires that writing a register does not overwrite a bit that is still needed.
    pub(super) const fn keeps_bit(&mut self, needed: Bit, written: Dreg) -> &mut Self {
        if needed.is(written) { self.fail(OperationError::BitOverwritten(written)) } else { self }
    }

    const fn push(&mut self, word: Result<Word, WordError>) -> &mut Self {
        match word {
            Err(error) => self.fail(OperationError::Word(error)),
            Ok(_) if self.words.len == Words::MAX => self.fail(OperationError::TooLong),
            Ok(word) => {
                self.words.list[self.words.len] = word;
                self.words.len += 1;
                self
            }
        }
    }

    /// Adds a transfer: the destinations become minus the sum of the sources, divided by the number of destinations.
    pub(super) const fn bus(&mut self, to: &[Cell], from: &[Cell]) -> &mut Self {
        self.push(Word::new(to, from))
    }

    /// Adds a word that sets FLAG to 1 where the sum is positive, and to 0 elsewhere.
    pub(super) const fn where_positive(&mut self, cells: &[Cell]) -> &mut Self {
        self.push(match Sum::new(cells) {
            Ok(sum) => Ok(Word::Where(sum)),
            Err(error) => Err(error),
        })
    }

    /// Adds a word that sets FLAG to the bit.
    pub(super) const fn where_bit(&mut self, bit: Bit) -> &mut Self {
        self.push(match Bits::new(&[bit]) {
            Ok(bits) => Ok(Word::WhereBits(bits)),
            Err(error) => Err(error),
        })
    }

    /// Adds a word that sets FLAG to 1 everywhere.
    pub(super) const fn all(&mut self) -> &mut Self {
        self.push(Ok(Word::All))
    }

    /// Adds a word on digital registers.
    pub(super) const fn logic(&mut self, operation: Operation, targets: &[Dreg], sources: &[Bit]) -> &mut Self {
        let mut i = 0;
        while i < targets.len() {
            if targets[i].gate().is_some() {
                return self.fail(OperationError::Gated);
            }
            i += 1;
        }
        self.push(match Logic::new(operation, targets, sources) {
            Ok(word) => Ok(Word::Logic(word)),
            Err(error) => Err(error),
        })
    }

    /// Adds the `NOR` of the sources, which is `NOT` for a single one.
    pub(super) const fn nor(&mut self, target: Dreg, sources: &[Bit]) -> &mut Self {
        self.logic(Operation::Nor, &[target], sources)
    }

    /// Adds the `OR` of the sources, which is `MOV` for a single one.
    pub(super) const fn or(&mut self, target: Dreg, sources: &[Bit]) -> &mut Self {
        self.logic(Operation::Or, &[target], sources)
    }

    /// Sets the target to the OR of the source in these neighbours. Leaves the switches `R1` to `R4` set for these
    /// directions.
    pub(super) const fn neighbours(&mut self, target: Dreg, source: Bit, from: Directions, outside: bool) -> &mut Self {
        let mut i = 0;
        while i < Direction::ALL.len() {
            self.keeps_bit(source, Direction::ALL[i].switch());
            i += 1;
        }
        self.open(from).read_neighbours(target, source, outside)
    }

    /// Opens the switches of these directions and closes those of others.
    pub(super) const fn open(&mut self, from: Directions) -> &mut Self {
        let (mut on, mut on_count) = ([Dreg::ALL[0]; 4], 0);
        let (mut off, mut off_count) = ([Dreg::ALL[0]; 4], 0);
        let mut i = 0;
        while i < Direction::ALL.len() {
            let switch = Direction::ALL[i].switch();
            if from.contains(Direction::ALL[i]) {
                on[on_count] = switch;
                on_count += 1;
            } else {
                off[off_count] = switch;
                off_count += 1;
            }
            i += 1;
        }
        if on_count == 0 {
            return self.fail(OperationError::TooSmall(1));
        }
        if off_count > 0 {
            self.logic(Operation::Clr, off.split_at(off_count).0, &[]);
        }
        self.logic(Operation::Set, on.split_at(on_count).0, &[])
    }

    /// Sets the target to the OR of the source in the neighbours whose switches are open.
    pub(super) const fn read_neighbours(&mut self, target: Dreg, source: Bit, outside: bool) -> &mut Self {
        if target.gate().is_some() {
            return self.fail(OperationError::Gated);
        }
        self.push(match FromNeighbours::new(target, source, outside) {
            Ok(word) => Ok(Word::FromNeighbours(word)),
            Err(error) => Err(error),
        })
    }

    /// Writes minus the sum to NEWS or a port of it, so that it arrives from this place in the cell
    /// [`seen`](Place::seen).
    pub(super) const fn push_from(&mut self, place: Place, from: &[Cell]) -> &mut Self {
        self.bus(&[place.pushed()], from)
    }

    /// Adds the words that move a plane by `distance` PEs in this direction, as seen from the results: y(p) = x(p +
    /// distance).
    pub(super) const fn moved(&mut self, y: Reg, x: Reg, direction: Direction, distance: u16) -> &mut Self {
        let (mut left, mut source) = (distance, x);
        while left > 0 && self.error.is_none() {
            let place = Place::towards(direction, left);
            self.push_from(place, &[Cell::Reg(source)]).bus(&[Cell::Reg(y)], &[place.seen()]);
            left -= place.distance();
            source = y;
        }
        self
    }
}
