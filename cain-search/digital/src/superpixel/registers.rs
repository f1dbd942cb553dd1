//! Tracks the use of registers while words are written.

use std::collections::BTreeSet;

use cain_isa::{Bit, Direction, Dreg, FromNeighbours, Instruction, Macro, Op, Operation, Word};

use super::planes::{Planes, logic};

/// The contents of a direction register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Switch {
    Constant(bool),
    /// The plane of the next lower bits in that direction.
    Lower,
    /// Another value.
    Other,
}

/// The registers between two words, and the words so far.
///
/// Every method returns `None` if no register is free.
#[derive(Clone, Debug)]
pub(super) struct Registers<'p> {
    planes: &'p Planes,
    free: BTreeSet<Dreg>,
    /// Direction registers that hold an intermediate result.
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

    /// Reserves a register that keeps its content.
    pub(super) fn take(&mut self) -> Option<Dreg> {
        self.free.pop_first()
    }

    /// Reserves a register for an intermediate bit: a direction register if there is no other.
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

    /// Frees a register.
    pub(super) fn give_back(&mut self, register: Dreg) {
        if !self.borrowed.remove(&register) && register != GATE && register != GATED {
            self.free.insert(register);
        }
    }

    pub(super) fn free(&self) -> usize {
        self.free.len()
    }

    /// Appends a word.
    pub(super) fn write(&mut self, operation: Operation, target: Dreg, sources: &[Dreg]) {
        let sources: Vec<Bit> = sources.iter().map(|&source| Bit::Reg(source)).collect();
        self.words.extend(logic(operation, &[target], &sources));
        if target == GATE {
            self.gate_is_one = operation == Operation::Set;
        }
    }

    /// The NOR of registers, in a register for intermediate bits.
    pub(super) fn nor(&mut self, sources: &[Dreg]) -> Option<Dreg> {
        let target = self.borrow()?;
        self.write(Operation::Nor, target, sources);
        Some(target)
    }

    /// Makes `R12` writable everywhere.
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

    /// Appends `DNEWS0`.
    pub(super) fn neighbours(&mut self, target: Dreg, source: Dreg) {
        self.gate_is_one &= target != GATE;
        let word = FromNeighbours::new(target, Bit::Reg(source), false).ok();
        self.words.extend(word.map(|word| Instruction::Word(Word::FromNeighbours(word))));
    }

    /// Appends `PROP0`.
    pub(super) fn propagate(&mut self) {
        self.words.extend(Macro::new(Op::Prop0, &[]).ok().map(Instruction::Macro));
    }

    /// Lets `DNEWS` read the PE with the next higher bit.
    ///
    /// The register of a direction then equals that of the opposite direction in the neighbour. `is_tight`: with one free register,
    /// if the directions are no more than three.
    pub(super) fn look_higher(&mut self, is_tight: bool) -> Option<()> {
        let count = self.planes.registers.len();
        let mut seen = Vec::new();
        for (i, &(lower, plane)) in self.planes.registers.iter().enumerate() {
            self.look(lower.opposite())?;
            // The two scratch registers take the values that do not fit elsewhere, first the one that the other makes
            // writable.
            let mut target = if i + 1 == count { GATE } else { self.take()? };
            self.neighbours(target, plane);
            if i == 0 && (count == Direction::ALL.len() || is_tight && count > 1) {
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
