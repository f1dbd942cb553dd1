//! Bits as symbols, in every PE: what digital words do with weights and ink that may be anything.

#[cfg(test)]
mod tests;

use std::rc::Rc;

use cain_isa::in_pixel::{Rectangle, Selection, Step};
use cain_isa::{Bit, Direction, Dreg, FromNeighbours, Logic, Operation, Word};

use super::truth::{Symbol, Truth};

/// The bits of a register.
#[derive(Clone, Debug)]
enum Plane<S> {
    Same(S),
    /// What others had that many rows to the south and columns to the east, and from outside of the array a known bit.
    /// A plane that is moved word by word is not written anew each time.
    Moved {
        from: Rc<Vec<S>>,
        rows: isize,
        columns: isize,
        outside: bool,
    },
}

/// The bits of all PEs of a square array.
#[derive(Clone, Debug)]
pub(super) struct Replay<S = Symbol> {
    side: usize,
    registers: Vec<Plane<S>>,
    flag: Plane<S>,
    select: Plane<S>,
    rect: Plane<S>,
}

impl<S: Truth> Replay<S> {
    /// With FLAG at 1 and nothing known of registers.
    pub(super) fn new(side: usize) -> Self {
        let other = || Plane::Same(S::other());
        let registers = (0..Dreg::COUNT).map(|_| other()).collect();
        Self { side, registers, flag: Plane::Same(S::known(true)), select: other(), rect: other() }
    }

    /// PEs along each side of the array.
    pub(super) const fn side(&self) -> usize {
        self.side
    }

    pub(super) fn load(&mut self, bit: Bit, symbols: Vec<S>) {
        self.store(bit, Plane::Moved { from: Rc::new(symbols), rows: 0, columns: 0, outside: false });
    }

    /// The bits of a register, row by row.
    pub(super) fn plane(&self, bit: Bit) -> Vec<S> {
        (0..self.side * self.side).map(|pe| self.at(self.held(bit), pe)).collect()
    }

    /// Whether the bits are these, which are told by the number of the PE.
    pub(super) fn is(&self, bit: Bit, wanted: impl Fn(usize) -> S) -> bool {
        let plane = self.held(bit);
        (0..self.side * self.side).all(|pe| self.at(plane, pe) == wanted(pe))
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

    fn held(&self, bit: Bit) -> &Plane<S> {
        match bit {
            Bit::Reg(register) => &self.registers[usize::from(register.number())],
            Bit::Flag => &self.flag,
            Bit::Select => &self.select,
            Bit::Rect => &self.rect,
        }
    }

    fn store(&mut self, bit: Bit, plane: Plane<S>) {
        match bit {
            Bit::Reg(register) => self.registers[usize::from(register.number())] = plane,
            Bit::Flag => self.flag = plane,
            Bit::Select => self.select = plane,
            Bit::Rect => self.rect = plane,
        }
    }

    fn places(&self, contains: impl Fn(usize, usize) -> bool) -> Vec<S> {
        (0..self.side * self.side).map(|pe| S::known(contains(pe / self.side, pe % self.side))).collect()
    }

    pub(super) fn select(&mut self, selection: Selection) {
        let places = self.places(|row, column| selection.contains(row, column));
        self.load(Bit::Select, places);
    }

    pub(super) fn region(&mut self, rectangle: Rectangle) {
        let places = self.places(|row, column| rectangle.contains(row, column));
        self.load(Bit::Rect, places);
    }

    /// Carries out the digital words of a step, and those that write FLAG from bits.
    pub(super) fn step(&mut self, step: &Step<Vec<Word>>) {
        match step {
            Step::Execute(words) => words.iter().for_each(|word| self.word(word)),
            Step::Select(selection) => self.select(*selection),
            Step::Region(rectangle) => self.region(*rectangle),
            Step::Level(_) | Step::Sum(_) | Step::Count(_) => {}
        }
    }

    pub(super) fn word(&mut self, word: &Word) {
        match word {
            Word::Logic(logic) => self.logic(logic),
            Word::FromNeighbours(word) => self.neighbours(*word),
            Word::WhereBits(bits) => self.flag = self.any(bits.bits(), false),
            Word::All => self.flag = Plane::Same(S::known(true)),
            // It depends on analogue cells.
            Word::Where(_) => self.flag = Plane::Same(S::other()),
            _ => {}
        }
    }

    /// The disjunction of some bits, or its inverse.
    fn any(&self, bits: &[Bit], inverts: bool) -> Plane<S> {
        let planes: Vec<&Plane<S>> = bits.iter().map(|bit| self.held(*bit)).collect();
        let of = |symbol: S| if inverts { symbol.inverse() } else { symbol };
        if let [plane] = planes[..]
            && !inverts
        {
            return plane.clone();
        }
        let same = planes.iter().try_fold(S::known(false), |sum, plane| match plane {
            Plane::Same(symbol) => Some(sum.or(symbol)),
            Plane::Moved { .. } => None,
        });
        if let Some(symbol) = same {
            return Plane::Same(of(symbol));
        }
        let sum = |pe: usize| planes.iter().fold(S::known(false), |sum, plane| sum.or(&self.at(plane, pe)));
        let symbols = (0..self.side * self.side).map(|pe| of(sum(pe))).collect();
        Plane::Moved { from: Rc::new(symbols), rows: 0, columns: 0, outside: false }
    }

    /// Words in place and gated registers are not used in these programs; their results count as unknown.
    fn logic(&mut self, logic: &Logic) {
        let result = match logic.operation() {
            Operation::Set | Operation::Clr | Operation::Or | Operation::Nor => {
                self.any(logic.sources(), logic.inverts())
            }
            _ => Plane::Same(S::other()),
        };
        logic.targets().iter().for_each(|&target| self.write(target, result.clone()));
    }

    /// What has a gate may stay as it was.
    fn write(&mut self, target: Dreg, written: Plane<S>) {
        let held = if target.gate().is_none() { written } else { Plane::Same(S::other()) };
        self.store(target.into(), held);
    }

    fn neighbours(&mut self, word: FromNeighbours) {
        let moved = self.moved(word).unwrap_or_else(|| {
            let symbols = (0..self.side * self.side).map(|pe| self.seen(word, pe)).collect();
            Plane::Moved { from: Rc::new(symbols), rows: 0, columns: 0, outside: false }
        });
        self.write(word.target(), moved);
    }

    /// The plane that a word makes which looks in one direction everywhere.
    fn moved(&self, word: FromNeighbours) -> Option<Plane<S>> {
        let mut open = None;
        for direction in Direction::ALL {
            let Plane::Same(switch) = self.held(direction.switch().into()) else { return None };
            match (switch.as_known()?, open) {
                (true, Some(_)) => return None,
                (true, None) => open = Some(direction),
                (false, _) => {}
            }
        }
        let step = match open? {
            Direction::North => (-1, 0),
            Direction::South => (1, 0),
            Direction::West => (0, -1),
            Direction::East => (0, 1),
        };
        match self.held(word.source()) {
            // What has left the array does not come back.
            Plane::Moved { from, rows, columns, outside }
                if *outside == word.outside() && rows * step.0 >= 0 && columns * step.1 >= 0
                    || (*rows, *columns) == (0, 0) =>
            {
                Some(Plane::Moved {
                    from: Rc::clone(from),
                    rows: rows + step.0,
                    columns: columns + step.1,
                    outside: word.outside(),
                })
            }
            _ => None,
        }
    }

    fn seen(&self, word: FromNeighbours, pe: usize) -> S {
        let source = self.held(word.source());
        Direction::ALL.into_iter().fold(S::known(false), |seen, direction| {
            let switch = self.at(self.held(direction.switch().into()), pe);
            seen.or(&match switch.as_known() {
                Some(false) => S::known(false),
                Some(true) => match self.neighbour(pe, direction) {
                    Some(other) => self.at(source, other),
                    None => S::known(word.outside()),
                },
                None => S::other(),
            })
        })
    }

    fn neighbour(&self, pe: usize, direction: Direction) -> Option<usize> {
        let (row, column) = (pe / self.side, pe % self.side);
        match direction {
            Direction::North => (row > 0).then(|| pe - self.side),
            Direction::South => (row + 1 < self.side).then(|| pe + self.side),
            Direction::West => (column > 0).then(|| pe - 1),
            Direction::East => (column + 1 < self.side).then(|| pe + 1),
        }
    }
}
