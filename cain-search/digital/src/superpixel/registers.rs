//! Which registers are in use while words are written down.

use std::collections::BTreeSet;

use cain_isa::{Bit, Direction, Dreg, FromNeighbours, Instruction, Macro, Op, Operation, Word};

use super::planes::{Planes, logic};

/// What a register that switches a direction holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Switch {
    Constant(bool),
    /// Where the next lower bit lies in that direction.
    Lower,
    /// Something else.
    Other,
}

/// The registers between two words, and the words so far.
///
/// Every method is `None` if no register is free.
#[derive(Clone, Debug)]
pub(super) struct Registers<'p> {
    planes: &'p Planes,
    free: BTreeSet<Dreg>,
    /// Registers of directions that hold something on the way.
    borrowed: BTreeSet<Dreg>,
    switches: [Switch; 4],
    gate_is_one: bool,
    pub(super) words: Vec<Instruction>,
}

pub(super) const GATE: Dreg = Dreg::ALL[0];
pub(super) const GATED: Dreg = Dreg::ALL[12];

impl<'p> Registers<'p> {
    pub(super) fn new(planes: &'p Planes) -> Self {
        let is_reserved = |register: &Dreg| planes.reserved().any(|reserved| reserved == *register);
        let free = Dreg::ALL[5..=11].iter().copied().filter(|register| !is_reserved(register)).collect();
        let standing = |direction: Direction| {
            let has_plane = planes.registers.iter().any(|(used, _)| *used == direction);
            if has_plane { Switch::Lower } else { Switch::Constant(false) }
        };
        let switches = if planes.are_standing { Direction::ALL.map(standing) } else { [Switch::Other; 4] };
        Self { planes, free, borrowed: BTreeSet::new(), switches, gate_is_one: false, words: Vec::new() }
    }

    /// A register that keeps what is written to it.
    pub(super) fn take(&mut self) -> Option<Dreg> {
        self.free.pop_first()
    }

    /// A register for a bit on the way: one of a direction, if there is no other.
    pub(super) fn borrow(&mut self) -> Option<Dreg> {
        if let Some(register) = self.take() {
            return Some(register);
        }
        if self.planes.are_standing {
            return None;
        }
        let free = Direction::ALL.into_iter().find(|direction| !self.borrowed.contains(&direction.switch()))?;
        self.switches[free as usize] = Switch::Other;
        self.borrowed.insert(free.switch());
        Some(free.switch())
    }

    /// Gives a register back.
    pub(super) fn give_back(&mut self, register: Dreg) {
        if !self.borrowed.remove(&register) && register != GATE && register != GATED {
            self.free.insert(register);
        }
    }

    pub(super) fn free(&self) -> usize {
        self.free.len()
    }

    /// Writes a word down.
    pub(super) fn write(&mut self, operation: Operation, target: Dreg, sources: &[Dreg]) {
        let sources: Vec<Bit> = sources.iter().map(|&source| Bit::Reg(source)).collect();
        self.words.extend(logic(operation, &[target], &sources));
        if target == GATE {
            self.gate_is_one = operation == Operation::Set;
        }
    }

    /// The NOR of registers, in one on the way.
    pub(super) fn nor(&mut self, sources: &[Dreg]) -> Option<Dreg> {
        let target = self.borrow()?;
        self.write(Operation::Nor, target, sources);
        Some(target)
    }

    /// Lets `R12` be written everywhere.
    pub(super) fn open(&mut self) {
        if !self.gate_is_one {
            self.write(Operation::Set, GATE, &[]);
        }
    }

    /// Lets `DNEWS` read the neighbour in one direction.
    pub(super) fn look(&mut self, to: Direction) -> Option<()> {
        self.switch(|direction| Switch::Constant(direction == to))
    }

    /// Lets `DNEWS` and `PROP` read the PE with the next lower bit.
    pub(super) fn look_lower(&mut self) -> Option<()> {
        let planes = self.planes;
        self.switch(|direction| {
            let has_plane = planes.registers.iter().any(|(used, _)| *used == direction);
            if has_plane { Switch::Lower } else { Switch::Constant(false) }
        })
    }

    fn switch(&mut self, wanted: impl Fn(Direction) -> Switch) -> Option<()> {
        if !self.borrowed.is_empty() {
            return None;
        }
        for (value, operation) in [(false, Operation::Clr), (true, Operation::Set)] {
            let wrong = |direction: &Direction| {
                wanted(*direction) == Switch::Constant(value)
                    && self.switches[*direction as usize] != Switch::Constant(value)
            };
            let wrong: Vec<Dreg> = Direction::ALL.into_iter().filter(wrong).map(Direction::switch).collect();
            if !wrong.is_empty() {
                self.words.extend(logic(operation, &wrong, &[]));
            }
        }
        for &(direction, plane) in &self.planes.registers {
            if wanted(direction) == Switch::Lower && self.switches[direction as usize] != Switch::Lower {
                self.words.extend(logic(Operation::Or, &[direction.switch()], &[Bit::Reg(plane)]));
            }
        }
        self.switches = Direction::ALL.map(wanted);
        Some(())
    }

    /// Writes `DNEWS0` down.
    pub(super) fn neighbours(&mut self, target: Dreg, source: Dreg) {
        self.gate_is_one &= target != GATE;
        let word = FromNeighbours::new(target, Bit::Reg(source), false).ok();
        self.words.extend(word.map(|word| Instruction::Word(Word::FromNeighbours(word))));
    }

    /// Writes `PROP0` down.
    pub(super) fn propagate(&mut self) {
        self.words.extend(Macro::new(Op::Prop0, &[]).ok().map(Instruction::Macro));
    }

    /// Lets `DNEWS` read the PE with the next higher bit.
    ///
    /// The register of that direction is that of the opposite one, as the neighbour has it.
    pub(super) fn look_higher(&mut self) -> Option<()> {
        let count = self.planes.registers.len();
        let mut seen = Vec::new();
        for (i, &(lower, plane)) in self.planes.registers.iter().enumerate() {
            self.look(lower.opposite())?;
            // The two scratch registers hold what does not fit: first the one that the other lets be written.
            let mut target = if i + 1 == count { GATE } else { self.take()? };
            self.neighbours(target, plane);
            if i == 0 && count == Direction::ALL.len() {
                self.open();
                self.write(Operation::Or, GATED, &[target]);
                self.give_back(target);
                target = GATED;
            }
            seen.push((lower.opposite(), target));
        }
        let unused: Vec<Dreg> = Direction::ALL
            .into_iter()
            .filter(|direction| seen.iter().all(|(used, _)| used != direction))
            .filter(|direction| self.switches[*direction as usize] != Switch::Constant(false))
            .map(Direction::switch)
            .collect();
        if !unused.is_empty() {
            self.words.extend(logic(Operation::Clr, &unused, &[]));
        }
        for direction in Direction::ALL {
            self.switches[direction as usize] = Switch::Constant(false);
        }
        for (direction, register) in seen {
            self.write(Operation::Or, direction.switch(), &[register]);
            self.switches[direction as usize] = Switch::Other;
            self.give_back(register);
        }
        Some(())
    }
}
