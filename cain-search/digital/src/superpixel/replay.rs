//! Carrying out words on functions in all PEs of a block.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use cain_isa::{Bit, Direction, Displacement, Dreg, FromNeighbours, Instruction, Reg, Store, Sum, Word};

use super::Step;
use super::layout::{Layout, Place};
use super::levels::Level;
use super::pattern::selects;
use crate::prove::{Bdd, Function, Machine, ReplayError, Variable};

/// The digital registers of every PE of any block, as functions of the bits around the block.
///
/// Displacements of variables are in blocks. A bit that nothing was written to is not known, nor is one that is not the same
/// function at the border of the array as elsewhere, as happens to PEs without a bit of the number.
///
/// Analogue cells hold levels; one that is read from another block is not known, as it depends on the border.
pub(super) struct Blocks<'l> {
    layout: &'l Layout,
    machines: Vec<Machine>,
    /// The analogue cells of each PE.
    cells: Vec<BTreeMap<Store, Level>>,
    /// The level from the controller.
    level: Option<Level>,
}

const GATE: Bit = Bit::Reg(Dreg::ALL[0]);
const MOVING: Dreg = Dreg::ALL[12];

impl<'l> Blocks<'l> {
    pub(super) fn new(layout: &'l Layout) -> Self {
        let machines: Vec<Machine> = layout.block().map(|_| Machine::new()).collect();
        Self { layout, cells: vec![BTreeMap::new(); machines.len()], machines, level: None }
    }

    /// Forgets everything but some registers and FLAG.
    pub(super) fn forget_all_but(&mut self, kept: &[Dreg]) {
        self.level = None;
        self.cells.iter_mut().for_each(BTreeMap::clear);
        for machine in &mut self.machines {
            machine.forget_all_but(kept);
        }
    }

    pub(super) fn give_level(&mut self, place: Place, register: Reg, level: Level) {
        self.cells[self.layout.index(place)].insert(Store::Reg(register), level);
    }

    /// An analogue register of a PE, if it is known.
    pub(super) fn read_level(&self, place: Place, register: Reg) -> Option<&Level> {
        self.cells[self.layout.index(place)].get(&Store::Reg(register))
    }

    pub(super) fn step(&mut self, bdd: &mut Bdd, step: Step) -> Result<(), ReplayError> {
        match step {
            Step::Select(pattern) => {
                for place in self.layout.block() {
                    self.give(place, Bit::Select, Function::constant(selects(pattern, self.layout, place)));
                }
                Ok(())
            }
            Step::Level(level) => {
                self.level = Some(Level::constant(level.into()));
                Ok(())
            }
            Step::Instruction(instruction) => self.execute(bdd, instruction),
        }
    }

    pub(super) fn give(&mut self, place: Place, bit: Bit, function: Function) {
        self.machines[self.layout.index(place)].give(bit, function);
    }

    /// A bit of a PE, if it is known.
    pub(super) fn read(&self, place: Place, bit: Bit) -> Option<Function> {
        self.machines[self.layout.index(place)].read(bit).ok()
    }

    pub(super) fn flag_is_one(&self) -> bool {
        self.machines.iter().all(Machine::flag_is_one)
    }

    pub(super) fn execute(&mut self, bdd: &mut Bdd, instruction: Instruction) -> Result<(), ReplayError> {
        let mut before = None;
        for word in instruction.words() {
            match word {
                Word::FromNeighbours(word) => self.neighbours(bdd, word)?,
                Word::Bus(_) => self.transfer(bdd, word)?,
                Word::Where(sum) => self.compare(bdd, sum)?,
                Word::ReadPropagation => {}
                Word::Propagate { outside } if before == Some(Word::ReadPropagation) => self.propagate(bdd, outside)?,
                other => self.machines.iter_mut().try_for_each(|machine| local(bdd, machine, other))?,
            }
            before = Some(word);
        }
        Ok(())
    }

    /// What analogue cells become where FLAG is 1.
    fn transfer(&mut self, bdd: &mut Bdd, word: Word) -> Result<(), ReplayError> {
        let mut after = self.cells.clone();
        for transfer in word.transfers() {
            for place in self.layout.block() {
                let index = self.layout.index(place);
                let flag = self.machines[index].read(Bit::Flag).ok();
                if flag == Some(Function::FALSE) {
                    continue;
                }
                let written = if transfer.divisor == 1 {
                    self.minus_sum(bdd, place, transfer.terms())?
                } else {
                    Level::default()
                };
                let unknown = Level::default();
                let before = self.cells[index].get(&transfer.store).unwrap_or(&unknown);
                let now = match flag {
                    Some(flag) => Level::choose(bdd, flag, &written, before)?,
                    None => unknown,
                };
                after[index].insert(transfer.store, now);
            }
        }
        self.cells = after;
        Ok(())
    }

    /// FLAG becomes 1 where a sum is positive.
    fn compare(&mut self, bdd: &mut Bdd, sum: Sum) -> Result<(), ReplayError> {
        let terms: Vec<(Store, Displacement)> = sum.terms().collect();
        for place in self.layout.block() {
            let minus = self.minus_sum(bdd, place, &terms)?;
            let is_known = minus.any(bdd, |_| true)? == Function::TRUE;
            let flag = minus.any(bdd, |level| level < 0)?;
            self.machines[self.layout.index(place)].set_flag(is_known.then_some(flag));
        }
        Ok(())
    }

    /// Minus the sum of analogue cells as a PE sees them.
    fn minus_sum(&self, bdd: &mut Bdd, place: Place, terms: &[(Store, Displacement)]) -> Result<Level, ReplayError> {
        let mut levels = Vec::new();
        for &(store, from) in terms {
            let level = match (store, self.within(place, from)) {
                (Store::In, _) => self.level.as_ref(),
                (_, Some(place)) => self.cells[self.layout.index(place)].get(&store),
                (_, None) => None,
            };
            let Some(level) = level else { return Ok(Level::default()) };
            levels.push(level);
        }
        Ok(Level::minus_sum(bdd, &levels)?)
    }

    /// The PE of the same block that lies there from another.
    fn within(&self, place: Place, by: Displacement) -> Option<Place> {
        let column = place.column.checked_add_signed(by.x.into()).filter(|column| *column < self.layout.width())?;
        let row = place.row.checked_add_signed((-by.y).into()).filter(|row| *row < self.layout.height())?;
        Some(Place { column, row })
    }

    fn neighbours(&mut self, bdd: &mut Bdd, word: FromNeighbours) -> Result<(), ReplayError> {
        let mut found = Vec::new();
        for place in self.layout.block() {
            found.push(self.around(bdd, place, word.source(), word.outside())?);
        }
        for (machine, value) in self.machines.iter_mut().zip(found) {
            match value.map(|value| machine.store(bdd, &[word.target()], value)) {
                None | Some(Err(ReplayError::Unwritten(_))) => machine.forget(word.target()),
                Some(stored) => stored?,
            }
        }
        Ok(())
    }

    /// `R12` where a 1 comes to over PEs whose `R0` is 1.
    fn propagate(&mut self, bdd: &mut Bdd, outside: bool) -> Result<(), ReplayError> {
        // No way within the blocks that a kernel reads is longer.
        let most = 2 * self.machines.len();
        for _ in 0..most {
            let before: Vec<Option<Function>> =
                self.layout.block().map(|place| self.read(place, Bit::Reg(MOVING))).collect();
            let mut after = Vec::new();
            for (place, &now) in self.layout.block().zip(&before) {
                after.push(match (self.read(place, GATE), now) {
                    (Some(Function::FALSE), now) => now,
                    (Some(open), Some(now)) => match self.around(bdd, place, Bit::Reg(MOVING), outside)? {
                        Some(there) => {
                            let comes = bdd.and(open, there)?;
                            Some(bdd.or(now, comes)?)
                        }
                        None => None,
                    },
                    _ => None,
                });
            }
            for (machine, value) in self.machines.iter_mut().zip(&after) {
                match *value {
                    Some(value) => machine.give(Bit::Reg(MOVING), value),
                    None => machine.forget(MOVING),
                }
            }
            if after == before {
                return Ok(());
            }
        }
        Err(ReplayError::Unsupported(Word::Propagate { outside }))
    }

    /// The OR of a bit of the neighbours that a PE reads, if it is known.
    fn around(&self, bdd: &mut Bdd, place: Place, source: Bit, outside: bool) -> Result<Option<Function>, ReplayError> {
        let mut any = Function::FALSE;
        for direction in Direction::ALL {
            let Some(switch) = self.read(place, Bit::Reg(direction.switch())) else { return Ok(None) };
            if switch == Function::FALSE {
                continue;
            }
            let (neighbour, block) = self.neighbour(place, direction);
            let Some(function) = self.read(neighbour, source) else { return Ok(None) };
            let is_outside =
                |variable: Variable| variable.x * i32::from(block.x) + variable.y * i32::from(block.y) >= 0;
            if block != Displacement::ZERO && bdd.without(function, is_outside)? != Function::constant(outside) {
                return Ok(None);
            }
            let there = if block == Displacement::ZERO { function } else { bdd.moved(function, block)? };
            let there = bdd.and(switch, there)?;
            any = bdd.or(any, there)?;
        }
        Ok(Some(any))
    }

    /// The neighbour's place in its block, and where that block lies.
    fn neighbour(&self, place: Place, direction: Direction) -> (Place, Displacement) {
        let step = direction.displacement();
        let (column, x) = next(place.column, self.layout.width(), step.x);
        let (row, south) = next(place.row, self.layout.height(), -step.y);
        (Place { column, row }, Displacement::new(x, -south))
    }
}

/// A word on the registers of one PE; what it writes is not known if that depends on something that is not.
fn local(bdd: &mut Bdd, machine: &mut Machine, word: Word) -> Result<(), ReplayError> {
    match (machine.word(bdd, word), word) {
        (Err(ReplayError::Unwritten(_)), Word::Logic(logic)) => {
            for &target in logic.targets() {
                let gate = target.gate().map(|gate| machine.read(Bit::Reg(gate)));
                if gate != Some(Ok(Function::FALSE)) {
                    machine.forget(target);
                }
            }
            Ok(())
        }
        (Err(ReplayError::Unwritten(_)), Word::WhereBits(_)) => {
            machine.set_flag(None);
            Ok(())
        }
        (result, _) => result,
    }
}

/// The next place along a side, and in which block that is.
fn next(place: usize, side: usize, step: i16) -> (usize, i16) {
    match step {
        1 if place + 1 == side => (0, 1),
        1 => (place + 1, 0),
        -1 if place == 0 => (side - 1, -1),
        -1 => (place - 1, 0),
        _ => (place, 0),
    }
}
