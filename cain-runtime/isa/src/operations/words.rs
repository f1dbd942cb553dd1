//! The words of an operation, as a value that can be made at compile time.

use core::ops::Deref;

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
    /// The most words of an operation.
    pub const MAX: usize = 64;

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

/// Words that are being put together, or the first rule that they break.
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
    #[cfg(feature = "prove")]
    pub(super) const fn is_empty(&self) -> bool {
        self.words.len == 0
    }

    /// Puts up with no further word.
    pub(super) const fn fail(&mut self, error: OperationError) -> &mut Self {
        if self.error.is_none() {
            self.error = Some(error);
        }
        self
    }

    /// The register is still needed when the other one is written.
    pub(super) const fn keeps(&mut self, needed: Reg, written: Reg) -> &mut Self {
        if needed.same(written) { self.fail(OperationError::Overwritten(needed)) } else { self }
    }

    /// The bit is still needed when the register is written.
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

    /// A transfer: the destinations become minus the sum of the sources, divided by their number.
    pub(super) const fn bus(&mut self, to: &[Cell], from: &[Cell]) -> &mut Self {
        self.push(Word::new(to, from))
    }

    /// FLAG becomes 1 where the sum is positive.
    pub(super) const fn where_positive(&mut self, cells: &[Cell]) -> &mut Self {
        self.push(match Sum::new(cells) {
            Ok(sum) => Ok(Word::Where(sum)),
            Err(error) => Err(error),
        })
    }

    /// FLAG becomes the bit.
    pub(super) const fn where_bit(&mut self, bit: Bit) -> &mut Self {
        self.push(match Bits::new(&[bit]) {
            Ok(bits) => Ok(Word::WhereBits(bits)),
            Err(error) => Err(error),
        })
    }

    /// FLAG becomes 1 everywhere.
    pub(super) const fn all(&mut self) -> &mut Self {
        self.push(Ok(Word::All))
    }

    /// A word on digital registers.
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

    /// `NOR` of the sources, `NOT` of a single one.
    pub(super) const fn nor(&mut self, target: Dreg, sources: &[Bit]) -> &mut Self {
        self.logic(Operation::Nor, &[target], sources)
    }

    /// `OR` of the sources, `MOV` of a single one.
    pub(super) const fn or(&mut self, target: Dreg, sources: &[Bit]) -> &mut Self {
        self.logic(Operation::Or, &[target], sources)
    }

    /// The target becomes the OR of the source in these neighbours. Leaves the switches `R1` to `R4` as they are then.
    pub(super) const fn neighbours(&mut self, target: Dreg, source: Bit, from: Directions, outside: bool) -> &mut Self {
        let (mut on, mut on_count) = ([Dreg::ALL[0]; 4], 0);
        let (mut off, mut off_count) = ([Dreg::ALL[0]; 4], 0);
        let mut i = 0;
        while i < Direction::ALL.len() {
            let switch = Direction::ALL[i].switch();
            self.keeps_bit(source, switch);
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
        self.logic(Operation::Set, on.split_at(on_count).0, &[]);
        if target.gate().is_some() {
            return self.fail(OperationError::Gated);
        }
        self.push(match FromNeighbours::new(target, source, outside) {
            Ok(word) => Ok(Word::FromNeighbours(word)),
            Err(error) => Err(error),
        })
    }

    /// NEWS or a port of it becomes minus the sum, so that [`seen`](Place::seen) is that of the place.
    pub(super) const fn push_from(&mut self, place: Place, from: &[Cell]) -> &mut Self {
        self.bus(&[place.pushed()], from)
    }

    /// Adds the words that move a plane by `distance` PEs in that direction as seen from the results: y(p) = x(p + distance).
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

impl Place {
    /// The cell that a word writes, so that NEWS arrives from there.
    const fn pushed(self) -> Cell {
        match self {
            Self::Here => Cell::News,
            Self::At(first) | Self::Beyond(first, _) => Cell::Port(first.opposite()),
        }
    }

    /// The cell that then holds what came from there.
    pub(super) const fn seen(self) -> Cell {
        match self {
            Self::Here | Self::At(_) => Cell::News,
            Self::Beyond(_, second) => Cell::Port(second),
        }
    }

    /// The place up to so many PEs in that direction that one pair of words reaches.
    pub(super) const fn towards(direction: Direction, distance: u16) -> Self {
        match distance {
            0 => Self::Here,
            1 => Self::At(direction),
            _ => Self::Beyond(direction, direction),
        }
    }

    /// PEs on the way.
    pub(super) const fn distance(self) -> u16 {
        match self {
            Self::Here => 0,
            Self::At(_) => 1,
            Self::Beyond(..) => 2,
        }
    }
}
