//! A plain simulation of an array, bit by bit, to test proofs against.
#![allow(dead_code, reason = "two packages include this file, and each of them uses a part of it")]

use cain_isa::{Bit, Bits, Cell, Direction, Dreg, FromNeighbours, Logic, Operation, Word};

use cain_isa::random::SplitMix64;

/// The contents of all PEs of an array, row by row from the north.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    width: usize,
    pes: Vec<Pe>,
    /// The level from the controller.
    pub(crate) level: i32,
}

#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a PE has single bits")]
struct Pe {
    registers: [bool; Dreg::COUNT],
    flag: bool,
    select: bool,
    rect: bool,
    /// The value left on the digital bus by a word in place.
    held: bool,
    /// The analogue registers A to F, and NEWS.
    cells: [i32; 7],
}

const NEWS: usize = 6;

impl Grid {
    /// An array of this size, with bits that the caller chooses; FLAG is 1.
    pub(crate) fn new(width: usize, height: usize, mut bit: impl FnMut() -> bool) -> Self {
        let pe = |_| Pe { registers: std::array::from_fn(|_| bit()), flag: true, ..Pe::default() };
        Self { width, pes: (0..width * height).map(pe).collect(), level: 0 }
    }

    /// Sets whether a PE is selected, and whether it is in the selected rectangle.
    pub(crate) fn select(&mut self, pe: usize, select: bool, rect: bool) {
        (self.pes[pe].select, self.pes[pe].rect) = (select, rect);
    }

    pub(crate) fn read(&self, pe: usize, bit: Bit) -> bool {
        match bit {
            Bit::Reg(register) => self.pes[pe].registers[usize::from(register.number())],
            Bit::Flag => self.pes[pe].flag,
            Bit::Select => self.pes[pe].select,
            Bit::Rect => self.pes[pe].rect,
        }
    }

    pub(crate) fn cell(&self, pe: usize, cell: Cell) -> i32 {
        self.pes[pe].cells[place(cell)]
    }

    fn any(&self, pe: usize, bits: &[Bit]) -> bool {
        bits.iter().any(|&bit| self.read(pe, bit))
    }

    /// The PE `x` columns to the east and `y` rows to the north, if it is in the array.
    pub(crate) fn neighbour(&self, pe: usize, x: i32, y: i32) -> Option<usize> {
        let (width, height) = (self.width, self.pes.len() / self.width);
        let column = i32::try_from(pe % width).ok()? + x;
        let row = i32::try_from(pe / width).ok()? - y;
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        (column < width && row < height).then_some(row * width + column)
    }

    pub(crate) fn word(&mut self, word: Word) {
        let before = self.clone();
        for pe in 0..self.pes.len() {
            match word {
                Word::All => self.pes[pe].flag = true,
                Word::WhereBits(bits) => self.pes[pe].flag = before.any(pe, bits.bits()),
                Word::Logic(logic) => self.logic(&before, pe, &logic),
                Word::FromNeighbours(word) => {
                    let value = before.around(pe, word.source(), word.outside());
                    self.write(&before, pe, word.target(), value);
                }
                Word::Bus(_) if before.pes[pe].flag => self.transfer(&before, pe, &word),
                Word::Where(sum) => {
                    let sum: i32 = sum.cells().iter().map(|&cell| before.source(pe, cell)).sum();
                    self.pes[pe].flag = sum > 0;
                }
                // A propagation covers all PEs at once; see below.
                Word::Nop | Word::ReadPropagation | Word::Bus(_) | Word::Propagate { .. } => {}
                other => unreachable!("no test has {other}"),
            }
        }
        if let Word::Propagate { outside } = word {
            while self.propagate(outside) {}
        }
    }

    fn logic(&mut self, before: &Self, pe: usize, logic: &Logic) {
        let any = before.any(pe, logic.sources());
        let held = before.pes[pe].held;
        let (value, is_held) = match logic.operation() {
            Operation::Set => (true, false),
            Operation::Clr => (false, false),
            Operation::Or => (any, false),
            Operation::Nor => (!any, false),
            Operation::HoldOr | Operation::HoldRefresh => (any, true),
            Operation::HoldNor => (!any, true),
            Operation::StoreOr | Operation::StoreNor | Operation::StoreRefresh => (held, false),
        };
        if is_held {
            self.pes[pe].held = value;
        }
        logic.targets().iter().for_each(|&target| self.write(before, pe, target, value));
    }

    /// `R12` is written only where `R0` is 1.
    fn write(&mut self, before: &Self, pe: usize, target: Dreg, value: bool) {
        if target.number() != 12 || before.pes[pe].registers[0] {
            self.pes[pe].registers[usize::from(target.number())] = value;
        }
    }

    /// Whether a neighbour has a 1 to which `R1` (south), `R2` (west), `R3` (north) or `R4` (east) is open.
    fn around(&self, pe: usize, source: Bit, outside: bool) -> bool {
        let steps = [(1, 0, -1), (2, -1, 0), (3, 0, 1), (4, 1, 0)];
        steps
            .into_iter()
            .filter(|(switch, ..)| self.pes[pe].registers[*switch])
            .any(|(_, x, y)| self.neighbour(pe, x, y).map_or(outside, |neighbour| self.read(neighbour, source)))
    }

    /// Carries out one step of a propagation; returns whether it changed anything.
    fn propagate(&mut self, outside: bool) -> bool {
        let before = self.clone();
        let mut is_changed = false;
        for pe in 0..self.pes.len() {
            let registers = &mut self.pes[pe].registers;
            if registers[0] && !registers[12] && before.around(pe, Bit::Reg(Dreg::ALL[12]), outside) {
                registers[12] = true;
                is_changed = true;
            }
        }
        is_changed
    }

    /// Writes minus the sum of the sources to a single cell.
    fn transfer(&mut self, before: &Self, pe: usize, word: &Word) {
        let &[to] = word.destinations() else { unreachable!("no test has {word}") };
        let sum: i32 = word.sources().iter().map(|&cell| before.source(pe, cell)).sum();
        self.pes[pe].cells[place(to)] = -sum;
    }

    fn source(&self, pe: usize, cell: Cell) -> i32 {
        match cell {
            Cell::In => self.level,
            Cell::Port(direction) => {
                let (x, y) = match direction {
                    Direction::North => (0, 1),
                    Direction::East => (1, 0),
                    Direction::South => (0, -1),
                    Direction::West => (-1, 0),
                };
                self.neighbour(pe, x, y).map_or(0, |neighbour| self.pes[neighbour].cells[NEWS])
            }
            cell => self.pes[pe].cells[place(cell)],
        }
    }
}

fn place(cell: Cell) -> usize {
    match cell {
        Cell::Reg(reg) => usize::from(reg.index()),
        Cell::News => NEWS,
        other => unreachable!("{other} is not held"),
    }
}

/// Random words on a few registers, of every kind that occurs in digital programs.
pub(crate) fn random_words(random: &mut SplitMix64) -> Vec<Word> {
    let numbers = [0, 0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 12, 12];
    let register = |random: &mut SplitMix64| Dreg::ALL[numbers[random.below(numbers.len())]];
    let bit = |random: &mut SplitMix64| match random.below(8) {
        0 => Bit::Flag,
        _ => register(random).into(),
    };
    let target = Dreg::ALL[numbers[random.below(numbers.len())]];
    let sources: Vec<Bit> = (0..=random.below(2)).map(|_| bit(random)).filter(|bit| *bit != target.into()).collect();
    let logic =
        |operation, targets: &[Dreg], sources: &[Bit]| Logic::new(operation, targets, sources).ok().map(Word::Logic);
    let words = match random.below(12) {
        0 => [logic(Operation::Set, &[target], &[]), None],
        1 => [logic(Operation::Clr, &[target, Dreg::ALL[1 + random.below(4)]], &[]), None],
        2 | 3 => [logic(Operation::Or, &[target], &sources), None],
        4 | 5 => [logic(Operation::Nor, &[target], &sources), None],
        6 => [logic(Operation::HoldNor, &[], &[target.into()]), logic(Operation::StoreNor, &[target], &[])],
        7 => [logic(Operation::HoldOr, &[], &sources), logic(Operation::StoreOr, &[target], &[])],
        8 => [Bits::new(&sources).ok().map(Word::WhereBits), None],
        9 => [Some(Word::All), Some(Word::Nop)],
        _ => {
            let source = bit(random);
            let seen = FromNeighbours::new(target, source, random.below(3) == 0);
            [seen.ok().map(Word::FromNeighbours), None]
        }
    };
    words.into_iter().flatten().collect()
}
