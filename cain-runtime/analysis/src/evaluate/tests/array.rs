//! An array of PEs modelled on the vendor's description alone, PE by PE, without the notions of transfers and planes.
//!
//! PEs outside of the array hold 0, and write like any others.

use alloc::vec::Vec;

use cain_isa::{Bit, Cell, Direction, Dreg, Fraction, Operation, Reg, Word};

pub(super) const WIDTH: i32 = 4;
pub(super) const HEIGHT: i32 = 3;
/// The number of analogue registers that words use.
pub(super) const REGS: u8 = 4;

#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "a PE has single bits")]
pub(super) struct Pe {
    pub(super) registers: [bool; Dreg::COUNT],
    pub(super) flag: bool,
    pub(super) select: bool,
    pub(super) rect: bool,
    pub(super) analogue: [Fraction; REGS as usize],
    pub(super) news: Fraction,
    held: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    /// The PEs, row by row from the north.
    pub(super) pes: Vec<Pe>,
    pub(super) level: Fraction,
}

/// A step by columns to the east and rows to the south.
type Step = (i32, i32);

const fn step(direction: Direction) -> Step {
    match direction {
        Direction::North => (0, -1),
        Direction::East => (1, 0),
        Direction::South => (0, 1),
        Direction::West => (-1, 0),
    }
}

/// The columns and rows of the array and of the PEs around it.
fn with_border() -> impl Iterator<Item = Step> {
    (-1..=HEIGHT).flat_map(|row| (-1..=WIDTH).map(move |column| (column, row)))
}

fn pe((column, row): Step) -> Option<usize> {
    let is_inside = (0..WIDTH).contains(&column) && (0..HEIGHT).contains(&row);
    is_inside.then(|| usize::try_from(row * WIDTH + column).unwrap())
}

fn places() -> impl Iterator<Item = Step> {
    with_border().filter(|place| pe(*place).is_some())
}

const fn next((column, row): Step, direction: Direction) -> Step {
    let (right, down) = step(direction);
    (column + right, row + down)
}

impl Array {
    pub(super) fn new(mut bit: impl FnMut() -> bool, mut number: impl FnMut() -> Fraction) -> Self {
        let mut one = || Pe {
            registers: [(); Dreg::COUNT].map(|()| bit()),
            flag: true,
            select: bit(),
            rect: bit(),
            analogue: [(); REGS as usize].map(|()| number()),
            news: number(),
            held: false,
        };
        let pes = (0..WIDTH * HEIGHT).map(|_| one()).collect();
        Self { pes, level: number() }
    }

    pub(super) fn bit(&self, pe: usize, bit: Bit) -> bool {
        let pe = &self.pes[pe];
        match bit {
            Bit::Reg(register) => pe.registers[usize::from(register.number())],
            Bit::Flag => pe.flag,
            Bit::Select => pe.select,
            Bit::Rect => pe.rect,
        }
    }

    fn cell(&self, place: Step, cell: Cell) -> Fraction {
        let (place, cell) = match cell {
            Cell::Port(direction) => (next(place, direction), Cell::News),
            cell => (place, cell),
        };
        match (cell, pe(place)) {
            (Cell::In, _) => self.level,
            (_, None) => Fraction::ZERO,
            (Cell::Reg(reg), Some(pe)) => self.pes[pe].analogue[usize::from(reg.index())],
            (Cell::News, Some(pe)) => self.pes[pe].news,
            (Cell::Pix | Cell::Port(_), Some(_)) => unreachable!("no test has {cell}"),
        }
    }

    /// The sum of the cells as a PE sees them; `None` if it does not fit.
    fn sum(&self, place: Step, cells: &[Cell]) -> Option<Fraction> {
        cells.iter().try_fold(Fraction::ZERO, |sum, cell| sum.checked_add(self.cell(place, *cell)))
    }

    fn any(&self, pe: usize, bits: &[Bit]) -> bool {
        bits.iter().any(|bit| self.bit(pe, *bit))
    }

    /// Executes a word; `None` if a number does not fit.
    pub(super) fn word(&mut self, word: Word) -> Option<()> {
        let before = self.clone();
        match word {
            Word::Nop | Word::ReadPropagation => {}
            Word::Bus(bus) => {
                let ports = if bus.is_mean() { bus.sources().len() } else { 1 };
                let share = i64::try_from(bus.destinations().len() * ports).unwrap();
                // Every PE writes the cells that it connects to its bus, including a neighbour's NEWS.
                for place in with_border() {
                    let written = before.sum(place, bus.sources())?.checked_mul(Fraction::new(-1, share)?)?;
                    for destination in bus.destinations() {
                        let owner = match destination {
                            Cell::Port(direction) => next(place, *direction),
                            _ => place,
                        };
                        let Some(owner) = pe(owner).filter(|owner| before.pes[*owner].flag) else { continue };
                        match destination {
                            Cell::Reg(reg) => self.pes[owner].analogue[usize::from(reg.index())] = written,
                            _ => self.pes[owner].news = written,
                        }
                    }
                }
            }
            Word::Where(sum) => {
                for place in places() {
                    self.pes[pe(place)?].flag = before.sum(place, sum.cells())? > Fraction::ZERO;
                }
            }
            word => (0..self.pes.len()).for_each(|pe| self.digital(&before, pe, word)),
        }
        if let Word::Propagate { outside } = word {
            while self.propagate(outside) {}
        }
        Some(())
    }

    fn digital(&mut self, before: &Self, pe: usize, word: Word) {
        match word {
            Word::All => self.pes[pe].flag = true,
            Word::WhereBits(bits) => self.pes[pe].flag = before.any(pe, bits.bits()),
            Word::Logic(logic) => {
                let any = before.any(pe, logic.sources());
                let written = match logic.operation() {
                    Operation::Set => true,
                    Operation::Clr => false,
                    Operation::Or => any,
                    Operation::Nor => !any,
                    Operation::HoldOr | Operation::HoldRefresh => return self.pes[pe].held = any,
                    Operation::HoldNor => return self.pes[pe].held = !any,
                    Operation::StoreOr | Operation::StoreNor | Operation::StoreRefresh => before.pes[pe].held,
                };
                logic.targets().iter().for_each(|target| self.write(before, pe, *target, written));
            }
            Word::FromNeighbours(word) => {
                let seen = before.around(pe, word.source(), word.outside());
                self.write(before, pe, word.target(), seen);
            }
            _ => {}
        }
    }

    /// Writes a register; `R12` is written only where `R0` is 1.
    fn write(&mut self, before: &Self, pe: usize, target: Dreg, bit: bool) {
        if target != Dreg::ALL[12] || before.pes[pe].registers[0] {
            self.pes[pe].registers[usize::from(target.number())] = bit;
        }
    }

    /// Whether a neighbour has a 1 to which `R1` (south), `R2` (west), `R3` (north) or `R4` (east) is open.
    fn around(&self, at: usize, source: Bit, outside: bool) -> bool {
        let place = places().nth(at).unwrap();
        let switches = [(1, Direction::South), (2, Direction::West), (3, Direction::North), (4, Direction::East)];
        switches.into_iter().any(|(switch, direction)| {
            let there = pe(next(place, direction)).map_or(outside, |neighbour| self.bit(neighbour, source));
            self.pes[at].registers[switch] && there
        })
    }

    /// Carries out one step of a propagation; returns whether it changed anything.
    fn propagate(&mut self, outside: bool) -> bool {
        let before = self.clone();
        for pe in 0..self.pes.len() {
            self.pes[pe].registers[12] |=
                before.pes[pe].registers[0] && before.around(pe, Dreg::ALL[12].into(), outside);
        }
        *self != before
    }

    pub(super) fn analogue(&self, pe: usize, reg: Reg) -> Fraction {
        self.pes[pe].analogue[usize::from(reg.index())]
    }
}
