//! Conversions between analogue registers and numbers.

mod adc;
mod dac;
mod prove;

pub(super) use adc::adc;
pub(super) use dac::dac;

use cain_analysis::owned::{Step, step_of};
use cain_isa::{Bit, Cell, Dreg, Instruction, Operation, Reg, Word};

use super::planes::logic;
use super::registers::{GATE, GATED};

/// A conversion between a number and an analogue register.
///
/// The converted bits are a code from 0; its highest bit is worth 128 DN, and code 0 stands for −128 DN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Converter {
    /// The analogue register.
    pub register: Reg,
    /// The number of bits to convert.
    pub bits: usize,
    /// The lowest of them, counted from 0.
    pub unit: usize,
}

impl Converter {
    /// The most bits that can be converted.
    pub const MAX_BITS: usize = 8;

    /// The highest converted bit, counted from the lowest bit of the number.
    pub(super) const fn top(self) -> usize {
        self.unit + self.bits - 1
    }

    /// The worth of a bit of the code in DN, counted from the lowest bit of the code.
    const fn worth(self, bit: usize) -> i32 {
        1 << (Self::MAX_BITS - self.bits + bit)
    }

    /// The code of a level.
    ///
    /// Comparisons are with more than zero, so the two lowest levels both become 0.
    pub(super) fn code(self, level: i32) -> i32 {
        (level + 127).max(0) / self.worth(0)
    }

    /// The level of a number; numbers out of range become the lowest or the highest level.
    pub(super) fn level(self, number: i64) -> i32 {
        let most = (1_i64 << self.bits) - 1;
        // The code has at most eight bits.
        let code = i32::try_from((number >> self.unit).clamp(0, most)).unwrap_or(0);
        code * self.worth(0) - 128
    }
}

/// Steps as they are being written.
#[derive(Default)]
struct Steps(Vec<Step>);

impl Steps {
    fn logic(&mut self, operation: Operation, target: Dreg, sources: &[Bit]) {
        self.0.extend(logic(operation, &[target], sources).map(step_of));
    }

    /// Appends a word; one that the machine does not have would be missing, and the proof would fail.
    fn word<E>(&mut self, word: Result<Word, E>) {
        self.0.extend(word.ok().map(|word| step_of(Instruction::Word(word))));
    }

    /// Sets `to` to minus the sum of the sources.
    fn bus(&mut self, to: Cell, sources: &[Cell]) {
        self.word(Word::new(&[to], sources));
    }

    /// Sets the register to the level where FLAG is 1.
    fn set(&mut self, register: Reg, level: i32) {
        self.level(level);
        self.bus(Cell::News, &[Cell::In]);
        self.bus(Cell::Reg(register), &[Cell::News]);
    }

    /// Adds the level to the register where FLAG is 1.
    fn add(&mut self, register: Reg, level: i32) {
        self.level(level);
        self.bus(Cell::News, &[Cell::Reg(register), Cell::In]);
        self.bus(Cell::Reg(register), &[Cell::News]);
    }

    /// Sets `IN` to the level, unless it has it already.
    fn level(&mut self, level: i32) {
        let last = self.0.iter().rev().find(|step| matches!(step, Step::Level(_)));
        let level = i8::try_from(level).ok().map(Step::Level);
        let level = level.filter(|level| last != Some(level));
        self.0.extend(level);
    }
}
