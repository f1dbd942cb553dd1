//! Bits as symbols, in every PE: what digital words do with weights and ink that may be anything.

use cain_isa::in_pixel::{Rectangle, Selection, Step};
use cain_isa::{Bit, Direction, Dreg, FromNeighbours, Logic, Operation, Word};

/// A bit of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Known(bool),
    /// What follows from an unknown from 0 to 3: which, and for which values of it the bit is 1.
    Where(u32, Values),
    /// Something else, which no program may depend on.
    Other,
}

/// Some of the values 0 to 3, as the bits of a number; neither none nor all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Values(u8);

impl Values {
    const ALL: u8 = 0b1111;
}

impl Symbol {
    /// Where the unknown has a bit: 0, which is the only one of most of them, or 1.
    pub(super) const fn bit(unknown: u32, bit: usize) -> Self {
        Self::Where(unknown, Values(if bit == 0 { 0b1010 } else { 0b1100 }))
    }

    /// Where the unknown is at least a value from 1 to 3.
    pub(super) const fn at_least(unknown: u32, value: u8) -> Self {
        Self::Where(unknown, Values(Values::ALL << value & Values::ALL))
    }

    pub(super) const fn inverse(self) -> Self {
        match self {
            Self::Known(bit) => Self::Known(!bit),
            Self::Where(unknown, Values(values)) => Self::Where(unknown, Values(!values & Values::ALL)),
            Self::Other => Self::Other,
        }
    }

    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(true), _) | (_, Self::Known(true)) => Self::Known(true),
            (Self::Known(false), symbol) | (symbol, Self::Known(false)) => symbol,
            (Self::Where(one, Values(here)), Self::Where(other, Values(there))) if one == other => match here | there {
                Values::ALL => Self::Known(true),
                values => Self::Where(one, Values(values)),
            },
            _ => Self::Other,
        }
    }
}

/// The bits of all PEs of a square array.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    side: usize,
    registers: Vec<Vec<Symbol>>,
    flag: Vec<Symbol>,
    select: Vec<Symbol>,
    rect: Vec<Symbol>,
}

impl Replay {
    /// With FLAG at 1 and nothing known of registers.
    pub(super) fn new(side: usize) -> Self {
        let plane = |symbol| vec![symbol; side * side];
        let registers = vec![plane(Symbol::Other); Dreg::COUNT];
        let other = || plane(Symbol::Other);
        Self { side, registers, flag: plane(Symbol::Known(true)), select: other(), rect: other() }
    }

    pub(super) fn load(&mut self, bit: Bit, symbols: Vec<Symbol>) {
        *self.plane_mut(bit) = symbols;
    }

    pub(super) fn plane(&self, bit: Bit) -> &[Symbol] {
        match bit {
            Bit::Reg(register) => &self.registers[usize::from(register.number())],
            Bit::Flag => &self.flag,
            Bit::Select => &self.select,
            Bit::Rect => &self.rect,
        }
    }

    fn plane_mut(&mut self, bit: Bit) -> &mut Vec<Symbol> {
        match bit {
            Bit::Reg(register) => &mut self.registers[usize::from(register.number())],
            Bit::Flag => &mut self.flag,
            Bit::Select => &mut self.select,
            Bit::Rect => &mut self.rect,
        }
    }

    fn places(&self, contains: impl Fn(usize, usize) -> bool) -> Vec<Symbol> {
        (0..self.side * self.side).map(|pe| Symbol::Known(contains(pe / self.side, pe % self.side))).collect()
    }

    pub(super) fn select(&mut self, selection: Selection) {
        self.select = self.places(|row, column| selection.contains(row, column));
    }

    pub(super) fn region(&mut self, rectangle: Rectangle) {
        self.rect = self.places(|row, column| rectangle.contains(row, column));
    }

    /// Carries out the digital words of a step, and those that write FLAG from bits.
    pub(super) fn step(&mut self, step: &Step<Vec<Word>>) {
        match step {
            Step::Execute(words) => words.iter().for_each(|word| self.word(word)),
            Step::Select(selection) => self.select(*selection),
            Step::Region(rectangle) => self.region(*rectangle),
            Step::Level(_) | Step::Sum(_) => {}
        }
    }

    pub(super) fn word(&mut self, word: &Word) {
        match word {
            Word::Logic(logic) => self.logic(logic),
            Word::FromNeighbours(word) => self.neighbours(*word),
            Word::WhereBits(bits) => self.flag = self.any(bits.bits()),
            Word::All => self.flag.fill(Symbol::Known(true)),
            _ => {}
        }
    }

    fn any(&self, bits: &[Bit]) -> Vec<Symbol> {
        let mut sum = vec![Symbol::Known(false); self.side * self.side];
        for &bit in bits {
            sum.iter_mut().zip(self.plane(bit)).for_each(|(sum, symbol)| *sum = sum.or(*symbol));
        }
        sum
    }

    /// Words in place and gated registers are not used in these programs; their results count as unknown.
    fn logic(&mut self, logic: &Logic) {
        let mut result = match logic.operation() {
            Operation::Set | Operation::Clr | Operation::Or | Operation::Nor => self.any(logic.sources()),
            _ => vec![Symbol::Other; self.side * self.side],
        };
        if logic.inverts() {
            for symbol in &mut result {
                *symbol = symbol.inverse();
            }
        }
        for &target in logic.targets() {
            let known = target.gate().is_none();
            let written = if known { result.clone() } else { vec![Symbol::Other; result.len()] };
            self.load(target.into(), written);
        }
    }

    fn neighbours(&mut self, word: FromNeighbours) {
        let mut result = vec![Symbol::Known(false); self.side * self.side];
        for direction in Direction::ALL {
            let (switch, source) = (self.plane(direction.switch().into()), self.plane(word.source()));
            for (pe, (result, switch)) in result.iter_mut().zip(switch).enumerate() {
                let seen = match switch {
                    Symbol::Known(false) => continue,
                    Symbol::Known(true) => {
                        self.neighbour(pe, direction).map_or(Symbol::Known(word.outside()), |pe| source[pe])
                    }
                    _ => Symbol::Other,
                };
                *result = result.or(seen);
            }
        }
        self.load(word.target().into(), result);
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
