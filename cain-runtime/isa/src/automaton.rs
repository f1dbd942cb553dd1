//! What a controller does for a neural cellular automaton, as data.

use crate::program::Program;
use crate::{Dreg, Instruction, Reg};

/// A neural cellular automaton, as constant data.
#[derive(Clone, Copy, Debug)]
pub struct AutomatonPlan {
    /// A step of all cells: new random bits, the layers, and the update of the cells that live and are chosen.
    pub step: Program,
    /// Rows and columns of a picture.
    pub size: (usize, usize),
    /// The least grey of a cell that lives.
    pub alive: u8,
    /// From how many PEs away values come on their way: an array needs so much room around the picture.
    pub reach: usize,
    /// The registers of the grey, which programs leave as it is, and of the numbers of the state.
    pub state: &'static [Reg],
    /// Bits of 0 below the numbers of the state.
    pub guard: u8,
    /// What is in which digital register.
    pub bits: StateBits,
    /// Makes the state of all cells that do not live 0.
    pub clear: &'static [Instruction],
    /// Finds the classes of all cells: after each of the lists [`class`](StateBits::class) is 1 where the cell is of the next
    /// one.
    pub classes: &'static [&'static [Instruction]],
}

/// The digital registers of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateBits {
    /// 1 where the cell lives.
    pub alive: Dreg,
    /// The random bit.
    pub noise: Dreg,
    /// The rule of the random bit, which stays.
    pub rule: Dreg,
    /// Where the cell is of the class that was looked for last.
    pub class: Dreg,
}
