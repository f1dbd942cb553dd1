//! Templates: words whose operands are filled in later, of which expansions are made.

use crate::{Axes, Bit, Blur, Bus, Cell, Direction, Dreg, FromNeighbours, Logic, Operand, Operation, Sum, Word};

/// A cell or bit in a template: fixed, or taken from the macro's operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// The register given as this operand.
    Operand(usize),
    /// The PE's own NEWS.
    News,
    /// The photo-sensor.
    Pix,
    /// The port in this direction.
    Fixed(Direction),
    /// The port that pushes a value so that it arrives from the direction given as this operand.
    From(usize),
    /// The port in the direction given as this operand.
    Port(usize),
    /// The digital register with this number.
    Dreg(usize),
    /// The switches of the directions given as this operand.
    Chosen(usize),
    /// The bit that PEs outside the array hold, given as this operand.
    Outside(usize),
}

/// The kind of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Bus,
    Mean,
    ResetPixels,
    Nop,
    Where,
    All,
    Logic(Operation),
    FromNeighbours,
    ReadPropagation,
    Propagate { outside: bool },
    PrepareBlur,
    Blur(Axes),
}

/// One word of an expansion.
pub(crate) struct Template {
    pub(crate) form: Form,
    pub(crate) destinations: &'static [Slot],
    pub(crate) sources: &'static [Slot],
}

/// A number of slots that no word exceeds.
const MAX_SLOTS: usize = 4;

impl Template {
    /// The word for these operands, without checking the rules.
    pub(crate) const fn fill(&self, operands: &[Operand]) -> Word {
        let (to, from) = (cells(self.destinations, operands), cells(self.sources, operands));
        let (to, from) = (to.split_at(self.destinations.len()).0, from.split_at(self.sources.len()).0);
        match self.form {
            Form::Bus => Word::Bus(Bus::assemble(to, from)),
            Form::Mean => Word::Bus(Bus::assemble_mean(to, from)),
            Form::ResetPixels => Word::ResetPixels,
            Form::Nop => Word::Nop,
            Form::Where => Word::Where(Sum::assemble(from)),
            Form::All => Word::All,
            Form::Logic(operation) => Word::Logic(self.fill_logic(operation, operands)),
            Form::FromNeighbours => Word::FromNeighbours(self.fill_neighbours(operands)),
            Form::ReadPropagation => Word::ReadPropagation,
            Form::Propagate { outside } => Word::Propagate { outside },
            Form::PrepareBlur => Word::PrepareBlur,
            Form::Blur(axes) => Word::Blur(Blur { axes, to: to[0], from: from[0] }),
        }
    }

    const fn fill_logic(&self, operation: Operation, operands: &[Operand]) -> Logic {
        let (mut targets, mut target_count) = ([Dreg::ALL[0]; Logic::MAX_OPERANDS], 0);
        let mut i = 0;
        while i < self.destinations.len() {
            if let Slot::Chosen(operand) = self.destinations[i] {
                let mut d = 0;
                while d < Direction::ALL.len() {
                    if operands[operand].includes(Direction::ALL[d]) {
                        targets[target_count] = Direction::ALL[d].switch();
                        target_count += 1;
                    }
                    d += 1;
                }
            } else {
                targets[target_count] = self.destinations[i].dreg(operands);
                target_count += 1;
            }
            i += 1;
        }
        let mut sources = [Bit::Flag; MAX_SLOTS];
        let mut i = 0;
        while i < self.sources.len() {
            sources[i] = self.sources[i].bit(operands);
            i += 1;
        }
        Logic::assemble(operation, targets.split_at(target_count).0, sources.split_at(self.sources.len()).0)
    }

    const fn fill_neighbours(&self, operands: &[Operand]) -> FromNeighbours {
        let outside = match self.sources {
            [_, Slot::Outside(operand)] => matches!(operands[*operand], Operand::Boundary(true)),
            _ => false,
        };
        let (target, source) = (self.destinations[0].dreg(operands), self.sources[0].bit(operands));
        FromNeighbours { target, source, outside }
    }
}

/// The analogue cells of a list; the rest of the array is NEWS.
const fn cells(slots: &[Slot], operands: &[Operand]) -> [Cell; MAX_SLOTS] {
    let mut cells = [Cell::News; MAX_SLOTS];
    let mut i = 0;
    while i < slots.len() {
        cells[i] = slots[i].cell(operands);
        i += 1;
    }
    cells
}

impl Slot {
    /// The analogue cell; NEWS for slots that are not analogue cells.
    const fn cell(self, operands: &[Operand]) -> Cell {
        match self {
            Self::Pix => Cell::Pix,
            Self::Fixed(direction) => Cell::Port(direction),
            Self::Operand(i) => match operands[i] {
                Operand::Reg(reg) => Cell::Reg(reg),
                _ => Cell::News,
            },
            Self::From(i) => match operands[i] {
                Operand::Direction(direction) => Cell::Port(direction.opposite()),
                _ => Cell::News,
            },
            Self::Port(i) => match operands[i] {
                Operand::Direction(direction) => Cell::Port(direction),
                _ => Cell::News,
            },
            _ => Cell::News,
        }
    }

    /// The bit; FLAG for slots that are not bits.
    const fn bit(self, operands: &[Operand]) -> Bit {
        match self {
            Self::Dreg(number) => Bit::Reg(Dreg::ALL[number]),
            Self::Operand(i) => match operands[i] {
                Operand::Bit(bit) => bit,
                _ => Bit::Flag,
            },
            _ => Bit::Flag,
        }
    }

    /// The digital register; `R0` for slots that are not digital registers.
    const fn dreg(self, operands: &[Operand]) -> Dreg {
        match self.bit(operands) {
            Bit::Reg(register) => register,
            _ => Dreg::ALL[0],
        }
    }

    /// Whether both slots are the same place in the definition, whatever fills it.
    pub(crate) const fn is_same_place(self, other: Self) -> bool {
        match (self, other) {
            (Self::Operand(a), Self::Operand(b)) | (Self::Dreg(a), Self::Dreg(b)) => a == b,
            _ => false,
        }
    }

    /// Whether both slots name the same register, given these operands.
    pub(crate) const fn is_same_register(self, other: Self, operands: &[Operand]) -> bool {
        match (self.register(operands), other.register(operands)) {
            (Some(Operand::Reg(a)), Some(Operand::Reg(b))) => a.same(b),
            (Some(Operand::Bit(a)), Some(Operand::Bit(Bit::Reg(b)))) => a.is(b),
            _ => false,
        }
    }

    /// The register that a slot names, if it names one.
    const fn register(self, operands: &[Operand]) -> Option<Operand> {
        match self {
            Self::Operand(i) => Some(operands[i]),
            Self::Dreg(number) => Some(Operand::Bit(Bit::Reg(Dreg::ALL[number]))),
            _ => None,
        }
    }
}

impl Direction {
    /// The digital register that enables `DNEWS` and `PROP` from this direction.
    #[must_use]
    pub const fn switch(self) -> Dreg {
        Dreg::ALL[match self {
            Self::South => 1,
            Self::West => 2,
            Self::North => 3,
            Self::East => 4,
        }]
    }
}
