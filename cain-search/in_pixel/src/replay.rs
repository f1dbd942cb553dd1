//! Follows bits as symbols in every PE: executes digital words on arbitrary weights and ink.

#[cfg(test)]
mod tests;

use std::marker::PhantomData;
use std::rc::Rc;

use cain_analysis::evaluate::{Digital, DigitalDomain};
use cain_analysis::owned::Step;
use cain_isa::program::{Area, Selection};
use cain_isa::{Bit, Direction, Word};

use crate::steps::words;
use crate::truth::{Symbol, Truth};

/// The bits of a register.
#[derive(Clone, Debug, PartialEq)]
enum Plane<S> {
    Same(S),
    /// The bits that PEs had this many rows to the south and columns to the east, and a known bit from outside of the
    /// array. So a plane that is moved word by word is not copied each time.
    Moved {
        from: Rc<Vec<S>>,
        rows: isize,
        columns: isize,
        outside: bool,
    },
}

/// The bits of all PEs of a square array.
#[derive(Clone, Debug)]
pub(crate) struct Replay<S = Symbol> {
    pes: Pes<S>,
    bits: Digital<Plane<S>>,
}

impl<S: Truth> Replay<S> {
    /// The initial state: FLAG is 1, and registers are unknown.
    pub(crate) fn new(side: usize) -> Self {
        Self { pes: Pes { side, symbols: PhantomData }, bits: Digital::default() }
    }

    /// The number of PEs along each side of the array.
    pub(crate) const fn side(&self) -> usize {
        self.pes.side
    }

    pub(crate) fn load(&mut self, bit: Bit, symbols: Vec<S>) {
        self.bits.give(bit, Plane::of(symbols));
    }

    /// The bits of a register, row by row.
    pub(crate) fn plane(&self, bit: Bit) -> Vec<S> {
        let plane = self.held(bit);
        self.pes.all().map(|pe| self.pes.at(&plane, pe)).collect()
    }

    /// Whether the bits are the wanted ones, given by the index of the PE.
    pub(crate) fn is(&self, bit: Bit, wanted: impl Fn(usize) -> S) -> bool {
        let plane = self.held(bit);
        self.pes.all().all(|pe| self.pes.at(&plane, pe) == wanted(pe))
    }

    fn held(&self, bit: Bit) -> Plane<S> {
        match self.bits.get(bit) {
            Some(plane) => plane.clone(),
            None => Plane::Same(if bit == Bit::Flag { S::known(true) } else { S::other() }),
        }
    }

    fn places(&self, contains: impl Fn(usize, usize) -> bool) -> Vec<S> {
        let side = self.pes.side;
        self.pes.all().map(|pe| S::known(contains(pe / side, pe % side))).collect()
    }

    pub(crate) fn select(&mut self, selection: Selection) {
        let places = self.places(|row, column| selection.contains(row, column));
        self.load(Bit::Select, places);
    }

    pub(crate) fn region(&mut self, rectangle: Area) {
        let places = self.places(|row, column| rectangle.contains(row, column));
        self.load(Bit::Rect, places);
    }

    /// Executes the digital words of a step, and those that write FLAG from bits.
    pub(crate) fn step(&mut self, step: &Step) {
        match step {
            Step::Execute(_) => words(step).into_iter().flatten().for_each(|word| self.word(&word)),
            Step::Select(selection) => self.select(*selection),
            Step::Region(rectangle) => self.region(*rectangle),
            _ => {}
        }
    }

    /// Executes a word. If it cannot be followed, like a comparison of analogue cells, the bits that it writes become
    /// unknown.
    pub(crate) fn word(&mut self, word: &Word) {
        if self.bits.word(&mut self.pes, *word) == Err(NotFollowed) {
            for bit in word.effect(false).written().bits() {
                self.bits.give(bit, Plane::Same(S::other()));
            }
        }
    }
}

impl<S> Plane<S> {
    /// The bits of all PEs, row by row.
    fn of(symbols: Vec<S>) -> Self {
        Self::Moved { from: Rc::new(symbols), rows: 0, columns: 0, outside: false }
    }
}

/// The PEs of a square array.
#[derive(Clone, Debug)]
struct Pes<S> {
    side: usize,
    symbols: PhantomData<S>,
}

/// The error for a word that is not on bits, or does not occur in these programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NotFollowed;

impl<S: Truth> Pes<S> {
    const fn all(&self) -> std::ops::Range<usize> {
        0..self.side * self.side
    }

    fn at(&self, plane: &Plane<S>, pe: usize) -> S {
        match plane {
            Plane::Same(symbol) => symbol.clone(),
            Plane::Moved { from, rows: 0, columns: 0, .. } => from[pe].clone(),
            Plane::Moved { from, rows, columns, outside } => {
                let within = |at: usize, by: isize| at.checked_add_signed(by).filter(|at| *at < self.side);
                match (within(pe / self.side, *rows), within(pe % self.side, *columns)) {
                    (Some(row), Some(column)) => from[row * self.side + column].clone(),
                    _ => S::known(*outside),
                }
            }
        }
    }
}

impl<S: Truth> DigitalDomain for Pes<S> {
    type Plane = Plane<S>;
    type Error = NotFollowed;

    fn constant(&mut self, bit: bool) -> Plane<S> {
        Plane::Same(S::known(bit))
    }

    fn as_constant(&self, plane: &Plane<S>) -> Option<bool> {
        if let Plane::Same(symbol) = plane { symbol.as_known() } else { None }
    }

    fn inverse(&mut self, plane: &Plane<S>) -> Plane<S> {
        match plane {
            Plane::Same(symbol) => Plane::Same(symbol.inverse()),
            Plane::Moved { from, rows, columns, outside } => {
                let from = Rc::new(from.iter().map(S::inverse).collect());
                Plane::Moved { from, rows: *rows, columns: *columns, outside: !outside }
            }
        }
    }

    fn any(&mut self, planes: &[Plane<S>]) -> Result<Plane<S>, NotFollowed> {
        let open: Vec<&Plane<S>> = planes.iter().filter(|plane| self.as_constant(plane) != Some(false)).collect();
        if let [plane] = open[..] {
            return Ok(plane.clone());
        }
        let same = open.iter().try_fold(S::known(false), |sum, plane| match plane {
            Plane::Same(symbol) => Some(sum.or(symbol)),
            Plane::Moved { .. } => None,
        });
        if let Some(symbol) = same {
            return Ok(Plane::Same(symbol));
        }
        let sum = |pe: usize| open.iter().fold(S::known(false), |sum, plane| sum.or(&self.at(plane, pe)));
        Ok(Plane::of(self.all().map(sum).collect()))
    }

    fn both(&mut self, one: &Plane<S>, other: &Plane<S>) -> Result<Plane<S>, NotFollowed> {
        let both = |pe: usize| self.at(one, pe).inverse().or(&self.at(other, pe).inverse()).inverse();
        Ok(Plane::of(self.all().map(both).collect()))
    }

    fn neighbours(
        &mut self,
        plane: &Plane<S>,
        direction: Direction,
        outside: bool,
        _: &Plane<S>,
    ) -> Result<Plane<S>, NotFollowed> {
        let (row, column) = match direction {
            Direction::North => (-1, 0),
            Direction::South => (1, 0),
            Direction::West => (0, -1),
            Direction::East => (0, 1),
        };
        let (from, rows, columns) = match plane {
            Plane::Same(symbol) if symbol.as_known() == Some(outside) => return Ok(plane.clone()),
            // Values that have left the array do not come back.
            Plane::Moved { from, rows, columns, outside: before }
                if *before == outside && rows * row >= 0 && columns * column >= 0 || (*rows, *columns) == (0, 0) =>
            {
                (Rc::clone(from), *rows, *columns)
            }
            _ => (Rc::new(self.all().map(|pe| self.at(plane, pe)).collect()), 0, 0),
        };
        Ok(Plane::Moved { from, rows: rows + row, columns: columns + column, outside })
    }

    fn unwritten_bit(&mut self, _: Bit) -> Result<Plane<S>, NotFollowed> {
        Ok(Plane::Same(S::other()))
    }

    fn unsupported(&mut self, _: Word) -> NotFollowed {
        NotFollowed
    }
}
