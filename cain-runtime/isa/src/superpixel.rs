//! What a controller does for numbers whose bits are spread over blocks of PEs, as data.

use core::fmt;

use crate::{Dreg, Instruction, Plan, Reg};

/// PEs of all blocks whose row and column agree in some bits, for `scamp5_select_pattern`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    /// The row, from the top.
    pub row: u8,
    /// The column, from the right.
    pub column: u8,
    /// Bits of the row that may differ.
    pub free_row_bits: u8,
    /// Bits of the column that may differ.
    pub free_column_bits: u8,
}

impl Pattern {
    /// The pattern of these arguments of `scamp5_select_pattern`.
    #[must_use]
    pub const fn new(row: u8, column: u8, free_row_bits: u8, free_column_bits: u8) -> Self {
        Self { row, column, free_row_bits, free_column_bits }
    }

    /// Whether it selects a PE, whose row counts from the top and whose column from the right.
    #[must_use]
    pub const fn contains(self, row: u8, column: u8) -> bool {
        (row ^ self.row) & !self.free_row_bits == 0 && (column ^ self.column) & !self.free_column_bits == 0
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, column, free_row_bits, free_column_bits } = self;
        write!(f, "scamp5_select_pattern({row},{column},{free_row_bits},{free_column_bits});")
    }
}

/// A step of the preparation, or of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The controller selects PEs: SELECT is 1 there and 0 elsewhere.
    Select(Pattern),
    /// The controller gives a level, which `IN` is then.
    Level(i8),
    /// Words.
    Instruction(Instruction),
}

impl Step {
    /// How many control words it is.
    #[must_use]
    pub fn words(&self) -> usize {
        match self {
            Self::Select(_) | Self::Level(_) => 0,
            Self::Instruction(instruction) => instruction.words().count(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Select(pattern) => pattern.fmt(f),
            Self::Level(level) => write!(f, "scamp5_load_in({level});"),
            Self::Instruction(instruction) => instruction.fmt(f),
        }
    }
}

/// A program on super-pixels, as constant data.
#[derive(Clone, Copy, Debug)]
pub struct SuperPixelPlan {
    /// Columns of a block.
    pub width: u8,
    /// Rows of a block.
    pub height: u8,
    /// What is done once, before the first run: it writes the registers that tell each PE where the next lower bit is.
    pub setup: &'static [Step],
    /// What converts analogue registers into numbers in every run, before the program.
    pub before: &'static [Step],
    /// The program between the conversions, and what it costs without them.
    pub program: Plan,
    /// What converts numbers into analogue registers in every run, after the program.
    pub after: &'static [Step],
}

impl SuperPixelPlan {
    /// Control words of a run, with the conversions.
    #[must_use]
    pub fn words(&self) -> usize {
        let conversions = self.before.iter().chain(self.after);
        self.program.listing.iter().map(|instruction| instruction.words().count()).sum::<usize>()
            + conversions.map(Step::words).sum::<usize>()
    }
}

/// Where the bits of a number are in each block. Numbers are in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its name in the declaration.
    pub name: &'static str,
    /// The register.
    pub register: Dreg,
    /// Columns of a block.
    pub width: u8,
    /// Rows of a block.
    pub height: u8,
    /// Row from the north and column from the west of each bit in its block, lowest first.
    pub places: &'static [(u8, u8)],
    /// The analogue register that it is converted from or to, if it is.
    pub analogue: Option<Reg>,
}
