//! What a controller does for a neural cellular automaton, as data.

use crate::{Dreg, Instruction, Reg};

/// How numbers of a register are rounded, and limited, when they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits that are dropped: numbers are divided by 2^`dropped` and rounded down.
    pub dropped: u8,
    /// The least number after that; smaller ones become it.
    pub least: i32,
    /// The largest one; larger ones become it.
    pub most: i32,
    /// Bits of 0 that are then put below, for what reads the number.
    pub guard: u8,
}

impl Format {
    /// What is stored of a number.
    ///
    /// ```
    /// use cain_isa::automaton::Format;
    ///
    /// let format = Format { dropped: 2, least: 0, most: 7, guard: 1 };
    /// assert_eq!([-1, 7, 100].map(|number| format.store(number)), [0, 2, 14]);
    /// ```
    #[must_use]
    pub fn store(self, number: i32) -> i32 {
        let rounded = number.checked_shr(self.dropped.into()).unwrap_or(if number < 0 { -1 } else { 0 });
        rounded.max(self.least).min(self.most).wrapping_shl(self.guard.into())
    }
}

/// A neural cellular automaton, as constant data.
#[derive(Clone, Copy, Debug)]
pub struct AutomatonPlan {
    /// Its name.
    pub name: &'static str,
    /// Rows and columns of a picture.
    pub size: (usize, usize),
    /// The least grey of a cell that lives.
    pub alive: u8,
    /// From how many PEs away values come on their way: an array needs so much room around the picture.
    pub reach: usize,
    /// The registers of the grey, which programs leave as it is, and of the numbers of the state.
    pub state: &'static [Reg],
    /// How numbers of the state are stored.
    pub format: Format,
    /// What is in which digital register.
    pub bits: StateBits,
    /// Makes the state of all cells that do not live 0.
    pub clear: &'static [Instruction],
    /// Makes the next random bits.
    pub noise: &'static [Instruction],
    /// The layers, in their order.
    pub layers: &'static [AutomatonLayer],
    /// Adds the results of the last layer to the state of those cells that live and are chosen.
    pub update: &'static [Instruction],
    /// Finds the classes of all cells: after each of the lists [`class`](StateBits::class) is 1 where the cell is of the next
    /// one.
    pub classes: &'static [&'static [Instruction]],
}

impl AutomatonPlan {
    /// Control words of a step.
    #[must_use]
    pub fn words(&self) -> usize {
        let layers = self.layers.iter().flat_map(|layer| [layer.sums, layer.rectification]);
        let listings = [self.noise, self.update].into_iter().chain(layers);
        listings.flatten().map(|instruction| instruction.words().count()).sum()
    }
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

/// A layer of an automaton.
#[derive(Clone, Copy, Debug)]
pub struct AutomatonLayer {
    /// Makes its sums.
    pub sums: &'static [Instruction],
    /// What makes negative results 0; nothing in the last layer.
    pub rectification: &'static [Instruction],
    /// Where the results are.
    pub results: &'static [Reg],
    /// How they are stored.
    pub format: Format,
}
