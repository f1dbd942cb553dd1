//! A step of an automaton as instructions, the contents of registers, and the time that a step takes.

use cain_analysis::owned::{Made, Part, Step};
use cain_isa::asm::digital::where_bits;
use cain_isa::operations::Place;
use cain_isa::program::{Format, Held};
use cain_isa::{
    Bit, Cell, Cells, Direction, Directions, Dreg, Instruction, OperationError, PlaneOperation, Reg, Word, asm,
};
use cain_search::switches::Steps;

use super::compile::CompiledAutomaton;
use super::declaration::{Automaton, Bits};
use super::registers::Registers;

impl CompiledAutomaton {
    /// The parts of a step. Numbers are rounded and saturated where they are stored.
    pub(super) fn parts(&self) -> Result<Vec<Part>, OperationError> {
        let mut parts = vec![Part::new("random bits", vec![Step::Execute(Self::noise()?)])];
        for (number, layer) in self.layers.iter().enumerate() {
            let results = self.registers.outputs(number);
            let format = self.format(number);
            let sums = Step::Execute(layer.program.listing().to_vec());
            let rectification = self.rectification(number)?;
            let mut part = |name: &str, step: Step, is_stored: bool| {
                let stored = results.iter().filter(|_| is_stored).map(|&reg| Step::Store(reg, format));
                let mut part = Part::new(format!("{name} {}", number + 1), [step].into_iter().chain(stored).collect());
                part.made = Some(made(results));
                parts.push(part);
            };
            part("layer", sums, rectification.is_empty());
            if !rectification.is_empty() {
                part("rectifier", Step::Execute(rectification), true);
            }
        }
        let state = self.registers.state().get(1..).unwrap_or_default();
        let stored = state.iter().map(|&reg| Step::Store(reg, self.state_format()));
        let steps = [Step::Execute(self.update()?)].into_iter().chain(stored).collect();
        parts.push(Part { made: Some(made(state)), ..Part::new("update", steps) });
        Ok(parts)
    }

    /// The instructions of a step as a program that can be left. It may use all registers of its machine except those of the
    /// random bits; these and the state are preserved at its end.
    #[must_use]
    pub fn steps(&self) -> Steps {
        let bits: Cells = [Registers::ALIVE, Registers::NOISE, Registers::RULE].into_iter().collect();
        let state = self.registers.state().iter().copied();
        let own = self.automaton.machine.cells().without(bits);
        let listing: Vec<Instruction> = self.instructions().copied().collect();
        Steps::of_listing(&listing, own, bits.union(Cells::registers(state.collect())))
    }

    /// Makes the next random bits; see [`Noise`](super::Noise).
    fn noise() -> Result<Vec<Instruction>, OperationError> {
        let [noise, rule] = [Registers::NOISE, Registers::RULE].map(Bit::Reg);
        let ts = [OTHER, Dreg::ALL[0]];
        let mut listing = words(PlaneOperation::And { y: SUM, x: noise, z: rule, ts })?;
        // The exclusive or alternates between two registers, and finally goes to the random bit.
        let [sum, other] = [SUM, Registers::CLASS];
        let ways = [(sum, other), (other, sum), (sum, other), (other, Registers::NOISE)];
        for (direction, (from, to)) in Direction::ALL.into_iter().zip(ways) {
            let from_there = Directions::new(&[direction]);
            listing.extend(words(PlaneOperation::Neighbours { y: SPARE, x: noise, from: from_there, outside: false })?);
            listing.extend(words(PlaneOperation::Xor { y: to, x: Bit::Reg(from), z: Bit::Reg(SPARE), ts })?);
        }
        Ok(listing)
    }

    /// Replaces negative results of a layer by 0; does nothing for the last layer, whose results are updates.
    fn rectification(&self, layer: usize) -> Result<Vec<Instruction>, OperationError> {
        let mut listing = vec![];
        if layer + 1 < self.layers.len() {
            for &reg in self.registers.outputs(layer) {
                listing.extend(words(PlaneOperation::Relu { y: reg, x: reg })?);
            }
        }
        Ok(listing)
    }

    /// The format in which the results of a layer are stored: activations have the guard bits that the next layer
    /// needs, updates those of the state.
    fn format(&self, layer: usize) -> Format {
        let Automaton { bits, .. } = &self.automaton;
        let dropped = self.guard(layer);
        if layer + 1 < self.layers.len() {
            Format { dropped, least: 0, most: Bits::unsigned(bits.activation), guard: self.guard(layer + 1) }
        } else {
            let (least, most) = Bits::signed(bits.update);
            Format { dropped, least, most, guard: self.guard(0) }
        }
    }

    /// The format in which the state is stored after an update: with the guard bits that the first layer needs.
    fn state_format(&self) -> Format {
        let (least, most) = Bits::signed(self.automaton.bits.state);
        Format { dropped: self.guard(0), least, most, guard: self.guard(0) }
    }

    /// The distance in PEs that the first layer reads from, including values in transit: an array of integers needs
    /// that much room around the picture.
    #[must_use]
    pub fn reach(&self) -> usize {
        let reach = self.layers.iter().map(|layer| {
            let reach = layer.program.reach();
            let ends = [reach.min.x, reach.min.y, reach.max.x, reach.max.y].map(i16::unsigned_abs);
            usize::from(ends.into_iter().max().unwrap_or(0))
        });
        // A word reads from up to two PEs away.
        reach.max().unwrap_or(0).max(2)
    }

    /// The bits of 0 below the numbers that a layer reads; those of the state, for the first one.
    #[must_use]
    pub fn guard(&self, layer: usize) -> u8 {
        self.layers.get(layer).map_or(0, |layer| u8::try_from(layer.guard).unwrap_or(u8::MAX))
    }

    /// Makes the instructions that [clear](Self::clear).
    pub(super) fn cleared(&self) -> Result<Vec<Instruction>, OperationError> {
        let mut listing = words(PlaneOperation::Not { y: SPARE, x: Bit::Reg(Registers::ALIVE) })?;
        listing.push(where_bits(&[Bit::Reg(SPARE)]));
        listing.extend(self.registers.state().iter().skip(1).map(|&reg| asm::bus(&[Cell::Reg(reg)], &[])));
        listing.push(Instruction::Word(Word::All));
        Ok(listing)
    }

    /// Adds the results of the last layer to the state.
    fn update(&self) -> Result<Vec<Instruction>, OperationError> {
        let chosen = PlaneOperation::And {
            y: SUM,
            x: Bit::Reg(Registers::ALIVE),
            z: Bit::Reg(Registers::NOISE),
            ts: [SPARE, OTHER],
        };
        let mut listing = words(chosen)?;
        listing.push(where_bits(&[Bit::Reg(SUM)]));
        let updates = self.registers.outputs(self.layers.len().saturating_sub(1));
        for (&state, &update) in self.registers.state().iter().skip(1).zip(updates) {
            listing.push(asm::add(state, state, update));
        }
        listing.push(Instruction::Word(Word::All));
        Ok(listing)
    }

    /// Makes the instructions that find [classes](Self::classes).
    pub(super) fn classified(&self) -> Result<Vec<Vec<Instruction>>, OperationError> {
        let classes: Vec<Reg> = self.registers.state().iter().skip(1 + self.automaton.hidden()).copied().collect();
        let state = self.registers.state();
        let free: Vec<Reg> = self.automaton.machine.registers.iter().filter(|reg| !state.contains(reg)).collect();
        let (Some(&first), [most, scratch, ..]) = (classes.first(), free.as_slice()) else { return Ok(vec![]) };
        let (most, scratch) = (*most, *scratch);
        let mut lists = vec![];
        let mut list = vec![asm::mov(most, first)];
        for &class in classes.iter().skip(1) {
            list.extend(words(PlaneOperation::MaxInPlace { x: most, z: class, at: Place::Here, t: scratch })?);
        }
        // These cells have no class yet.
        list.extend(words(PlaneOperation::Or {
            y: SUM,
            x: Bit::Reg(Registers::ALIVE),
            z: Bit::Reg(Registers::ALIVE),
        })?);
        for &class in &classes {
            let is_largest = PlaneOperation::Above { b: SPARE, x: most, z: class, t: scratch, inverted: true };
            list.extend(words(is_largest)?);
            let found = PlaneOperation::And {
                y: Registers::CLASS,
                x: Bit::Reg(SUM),
                z: Bit::Reg(SPARE),
                ts: [OTHER, Dreg::ALL[0]],
            };
            list.extend(words(found)?);
            list.extend(words(PlaneOperation::AndNot { y: SUM, x: Bit::Reg(SUM), z: Bit::Reg(SPARE), t: OTHER })?);
            lists.push(std::mem::take(&mut list));
        }
        Ok(lists)
    }
}

/// Results in these registers.
fn made(results: &[Reg]) -> Made {
    Made { held: results.iter().copied().map(Held::Reg).collect(), range: None }
}

/// Registers for intermediate bits.
const SUM: Dreg = Dreg::ALL[9];
const SPARE: Dreg = Dreg::ALL[10];
const OTHER: Dreg = Dreg::ALL[11];

fn words(operation: PlaneOperation) -> Result<Vec<Instruction>, OperationError> {
    Ok(operation.words()?.iter().copied().map(Instruction::Word).collect())
}

/// The clock periods of a control word on the simulator of Dudziak, "Neural Cellular Automata on a Focal Plane": 1 with
/// one source, 4 to 6 with two to four, 3 to halve, and 1 for every step between PEs.
#[must_use]
pub fn clock_periods(word: &Word) -> u32 {
    let Word::Bus(_) = word else {
        return if matches!(word, Word::Where(_) | Word::WhereBits(_)) { 2 } else { 1 };
    };
    let is_step = |cell: &&Cell| matches!(cell, Cell::Port(_));
    let steps = word.destinations().iter().chain(word.sources()).filter(is_step).count();
    let own = match (word.destinations().len(), word.sources().len()) {
        (2.., _) => 3,
        (_, 0 | 1) => 1,
        (_, sources) => sources + 2,
    };
    u32::try_from(own + steps).unwrap_or(u32::MAX)
}
