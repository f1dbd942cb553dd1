//! Executes words on functions in all PEs of a block.

#[cfg(test)]
mod tests;

use cain_analysis::evaluate::{AnalogueDomain, DigitalDomain, Domain, Evaluator, Source, Write};
use cain_analysis::owned::Step;
use cain_isa::{Bit, Direction, Displacement, Dreg, Instruction, Reg, Store, Word};

use super::layout::{Layout, Place};
use super::levels::Level;
use super::pattern::selects;
use crate::prove::{Bdd, Function, ReplayError, Variable};

/// The contents of every PE of any block, as functions of the bits around the block.
///
/// Displacements of variables are in blocks. A bit that was never written is unknown, and so is one whose function at
/// the border of the array differs from that elsewhere, as happens in PEs without a bit of the number.
///
/// Analogue cells hold levels; one that is read from another block is unknown, as it depends on the border.
pub(super) struct Blocks<'l> {
    layout: &'l Layout,
    machine: Evaluator<Vec<Level>, Plane>,
}

/// A bit of each PE of a block, row by row, where it is known.
type Plane = Vec<Option<Function>>;

impl<'l> Blocks<'l> {
    pub(super) fn new(layout: &'l Layout) -> Self {
        Self { layout, machine: Evaluator::default() }
    }

    /// Forgets everything except some registers and FLAG.
    pub(super) fn forget_all_but(&mut self, kept: &[Dreg]) {
        self.machine.cells.forget_all();
        self.machine.bits.forget_all_but(|bit| matches!(bit, Bit::Reg(register) if kept.contains(&register)));
    }

    pub(super) fn give_level(&mut self, place: Place, register: Reg, level: Level) {
        let store = Store::Reg(register);
        let mut levels = self.machine.cells.get(store).cloned().unwrap_or_else(|| self.layout.same(&Level::default()));
        levels[self.layout.index(place)] = level;
        self.machine.cells.give(store, levels);
    }

    /// The level of an analogue register of a PE, if it was written.
    pub(super) fn read_level(&self, place: Place, register: Reg) -> Option<&Level> {
        Some(&self.machine.cells.get(Store::Reg(register))?[self.layout.index(place)])
    }

    pub(super) fn step(&mut self, bdd: &mut Bdd, step: &Step) -> Result<(), ReplayError> {
        match step {
            Step::Select(pattern) => {
                let selected = self.layout.block().map(|place| selects(*pattern, place));
                let selected = selected.map(|bit| Some(Function::constant(bit))).collect();
                self.machine.bits.give(Bit::Select, selected);
                Ok(())
            }
            Step::Level(level) => {
                self.machine.cells.give(Store::In, self.layout.same(&Level::constant((*level).into())));
                Ok(())
            }
            Step::Execute(listing) => listing.iter().try_for_each(|&instruction| self.execute(bdd, instruction)),
            // Others are refused before.
            _ => Ok(()),
        }
    }

    pub(super) fn give(&mut self, place: Place, bit: Bit, function: Function) {
        let mut plane = self.machine.bits.get(bit).cloned().unwrap_or_else(|| self.layout.same(&None));
        plane[self.layout.index(place)] = Some(function);
        self.machine.bits.give(bit, plane);
    }

    /// A bit of a PE, if it is known.
    pub(super) fn read(&self, place: Place, bit: Bit) -> Option<Function> {
        match self.machine.bits.get(bit) {
            Some(plane) => plane[self.layout.index(place)],
            None => (bit == Bit::Flag).then_some(Function::TRUE),
        }
    }

    pub(super) fn flag_is_one(&self) -> bool {
        self.layout.block().all(|place| self.read(place, Bit::Flag) == Some(Function::TRUE))
    }

    pub(super) fn execute(&mut self, bdd: &mut Bdd, instruction: Instruction) -> Result<(), ReplayError> {
        let mut block = Block { bdd, layout: self.layout };
        instruction.words().try_for_each(|word| self.machine.word(&mut block, word))
    }
}

/// The domain of levels and functions in all PEs of a block. Results that depend on something unknown are unknown too.
struct Block<'b> {
    bdd: &'b mut Bdd,
    layout: &'b Layout,
}

impl Block<'_> {
    /// Minus the sum of the sources in each PE.
    fn minus_sum(&mut self, sources: &[Source<'_, Vec<Level>>]) -> Result<Vec<Level>, ReplayError> {
        let mut sums = Vec::new();
        for place in self.layout.block() {
            let level = |source: &Source<'_, Vec<Level>>| Some(source.value[self.within(place, source.at)?].clone());
            let levels: Option<Vec<Level>> = sources.iter().map(level).collect();
            sums.push(match levels {
                Some(levels) => Level::minus_sum(self.bdd, &levels.iter().collect::<Vec<_>>())?,
                None => Level::default(),
            });
        }
        Ok(sums)
    }

    /// The index of the PE at a displacement in the same block.
    fn within(&self, place: Place, by: Displacement) -> Option<usize> {
        let column = place.column.checked_add_signed(by.x.into()).filter(|column| *column < self.layout.width())?;
        let row = place.row.checked_add_signed((-by.y).into()).filter(|row| *row < self.layout.height())?;
        Some(self.layout.index(Place { column, row }))
    }

    /// A bit of the neighbour in a direction.
    fn neighbour(
        &mut self,
        plane: &Plane,
        place: Place,
        direction: Direction,
        outside: bool,
    ) -> Result<Option<Function>, ReplayError> {
        let step = direction.displacement();
        let (column, x) = next(place.column, self.layout.width(), step.x);
        let (row, south) = next(place.row, self.layout.height(), -step.y);
        let block = Displacement::new(x, -south);
        let function = plane[self.layout.index(Place { column, row })];
        let Some(function) = function.filter(|_| block != Displacement::ZERO) else { return Ok(function) };
        // As seen from a block outside of the array, blocks beside it and farther out are outside too.
        let is_outside = |variable: Variable| variable.x * i32::from(block.x) + variable.y * i32::from(block.y) >= 0;
        if self.bdd.without(function, is_outside)? != Function::constant(outside) {
            return Ok(None);
        }
        Ok(Some(self.bdd.moved(function, block)?))
    }
}

impl AnalogueDomain for Block<'_> {
    type Value = Vec<Level>;
    type Flag = Plane;
    type Error = ReplayError;

    fn unwritten_cell(&mut self, _: Store) -> Result<Vec<Level>, ReplayError> {
        Ok(self.layout.same(&Level::default()))
    }

    fn transfer(&mut self, write: &Write<'_, Vec<Level>>) -> Result<Vec<Level>, ReplayError> {
        let is_whole = write.transfer.divisor == 1;
        if is_whole { self.minus_sum(&write.sources) } else { Ok(self.layout.same(&Level::default())) }
    }

    fn choose(&mut self, flag: &Plane, written: Vec<Level>, before: &Vec<Level>) -> Result<Vec<Level>, ReplayError> {
        let one = |((flag, written), before): ((&Option<Function>, &Level), &Level)| match *flag {
            Some(flag) => Ok(Level::choose(self.bdd, flag, written, before)?),
            None => Ok(Level::default()),
        };
        flag.iter().zip(&written).zip(before).map(one).collect()
    }
}

impl DigitalDomain for Block<'_> {
    type Plane = Plane;
    type Error = ReplayError;

    fn constant(&mut self, bit: bool) -> Plane {
        self.layout.same(&Some(Function::constant(bit)))
    }

    fn as_constant(&self, plane: &Plane) -> Option<bool> {
        [false, true].into_iter().find(|&bit| plane.iter().all(|found| *found == Some(Function::constant(bit))))
    }

    fn inverse(&mut self, plane: &Plane) -> Plane {
        plane.iter().map(|function| function.map(Function::not)).collect()
    }

    fn any(&mut self, planes: &[Plane]) -> Result<Plane, ReplayError> {
        let one = |place: usize| {
            let functions = || planes.iter().map(|plane| plane[place]);
            // A 1 decides the result, whatever the others are.
            if functions().any(|function| function == Some(Function::TRUE)) {
                return Ok(Some(Function::TRUE));
            }
            let mut any = Function::FALSE;
            for function in functions() {
                let Some(function) = function else { return Ok(None) };
                any = self.bdd.or(any, function)?;
            }
            Ok(Some(any))
        };
        (0..self.layout.width() * self.layout.height()).map(one).collect()
    }

    fn neighbours(
        &mut self,
        plane: &Plane,
        direction: Direction,
        outside: bool,
        open: &Plane,
    ) -> Result<Plane, ReplayError> {
        let places = self.layout.block().zip(open);
        let one = |(place, open): (Place, &Option<Function>)| match *open {
            Some(Function::FALSE) => Ok(None),
            _ => self.neighbour(plane, place, direction, outside),
        };
        places.map(one).collect()
    }

    fn unwritten_bit(&mut self, _: Bit) -> Result<Plane, ReplayError> {
        Ok(self.layout.same(&None))
    }

    /// No path within the blocks that a kernel reads is longer.
    fn propagation_steps(&self) -> Option<usize> {
        Some(2 * self.layout.width() * self.layout.height())
    }

    fn unsupported(&mut self, word: Word) -> ReplayError {
        ReplayError::Unsupported(word)
    }
}

impl Domain for Block<'_> {
    fn positive(&mut self, sources: &[Source<'_, Vec<Level>>]) -> Result<Plane, ReplayError> {
        let mut flag = Vec::new();
        for minus in self.minus_sum(sources)? {
            let is_known = minus.any(self.bdd, |_| true)? == Function::TRUE;
            let is_positive = minus.any(self.bdd, |level| level < 0)?;
            flag.push(is_known.then_some(is_positive));
        }
        Ok(flag)
    }
}

/// The next place along a side, and the displacement of its block.
fn next(place: usize, side: usize, step: i16) -> (usize, i16) {
    match step {
        1 if place + 1 == side => (0, 1),
        1 => (place + 1, 0),
        -1 if place == 0 => (side - 1, -1),
        -1 => (place - 1, 0),
        _ => (place, 0),
    }
}
