//! What a controller does for a network, as data: programs, inputs and read-outs in their order.

use crate::asm::digital::{RECT, nor};
use crate::{Bit, Dreg, Fraction, Instruction, Reg, Switches};

/// Where the pixels of a map are on the array, in PEs from the north-west corner of the picture to the south and to the
/// east; negative in the north and west of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The row of the first pixel.
    pub top: isize,
    /// The column of the first pixel.
    pub left: isize,
    /// The distance from one row of pixels to the next.
    pub row_step: usize,
    /// The distance from one column of pixels to the next.
    pub column_step: usize,
    /// Rows of pixels.
    pub height: usize,
    /// Columns of pixels.
    pub width: usize,
}

impl Grid {
    /// Pixels from that row and column on, so many rows and columns apart, and so many of them.
    #[must_use]
    pub const fn new(
        (top, left): (isize, isize),
        (row_step, column_step): (usize, usize),
        (height, width): (usize, usize),
    ) -> Self {
        Self { top, left, row_step, column_step, height, width }
    }
}

/// A rectangle of a map, in rows and columns of its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Its first row.
    pub top: usize,
    /// Its first column.
    pub left: usize,
    /// The number of its rows.
    pub height: usize,
    /// The number of its columns.
    pub width: usize,
}

impl Area {
    /// The rectangle that begins in that row and column, and has so many of them.
    #[must_use]
    pub const fn new(top: usize, left: usize, height: usize, width: usize) -> Self {
        Self { top, left, height, width }
    }
}

/// One thing that a controller does for a network. `L` is a list of [instructions](crate::Instruction), `W` a
/// list of [areas](Area): owned, or constant data.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<L, W> {
    /// Has words carried out.
    Execute(L),
    /// Sets the level of `IN`, in DN.
    Level(i8),
    /// Sets the level of `IN`, in DN, to `level` plus `errors` times the constant errors of transfers to one, two and three
    /// cells, which depend on the chip. Then a comparison with a value decides rightly that holds as much of these errors,
    /// with the sign turned.
    Compensation {
        /// The level without errors.
        level: i8,
        /// How often each error counts.
        errors: [Fraction; 3],
    },
    /// Writes 1 into the register in all PEs outside of the rectangle that a grid covers, and 0 inside.
    Outside(Dreg, Grid),
    /// Reads a map.
    Read(ReadOut<W>),
    /// Lists the pixels of a map of bits that are 1.
    Events(EventRead),
}

/// The instruction of [`Step::Outside`], where the selectors cover the rectangle of the only picture.
#[must_use]
pub const fn outside(register: Dreg) -> Instruction {
    nor(Bit::Reg(register), &[RECT])
}

/// A read-out of one map: sums over windows, as numbers of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOut<W> {
    /// What holds the map.
    pub from: Held,
    /// Where its pixels are.
    pub grid: Grid,
    /// The areas that are summed up; if `None`, each pixel is a number, row by row.
    pub windows: Option<W>,
    /// The place of the first number.
    pub first: usize,
    /// What a DN, or a bit that is 1, counts.
    pub scale: f64,
    /// What each pixel counts in any case.
    pub shift: f64,
    /// Whether sums are divided by the number of pixels.
    pub mean: bool,
    /// Whether they are added to the numbers that are there, as the bits of a number are, instead of replacing them.
    pub adds: bool,
}

/// A list of the pixels of a map that are 1, as numbers: how many are listed, or one more than the capacity if there are more;
/// then the row and the column of each. Rows follow each other from the top, pixels of a row from the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventRead {
    /// The bits.
    pub from: Bit,
    /// Where the pixels of the map are.
    pub grid: Grid,
    /// The most pixels that are listed.
    pub capacity: usize,
    /// The place of the first number.
    pub first: usize,
    /// Whether all bits outside of the map are 0, so that the controller's list of events is that of the map. Otherwise bits
    /// are read row by row.
    pub is_alone: bool,
}

impl EventRead {
    /// The numbers of a list of so many pixels.
    #[must_use]
    pub const fn numbers(capacity: usize) -> usize {
        1 + 2 * capacity
    }
}

/// What holds a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// An analogue register.
    Reg(Reg),
    /// A digital register.
    Bit(Bit),
}

/// A step as constant data.
pub type ConstStep = Step<&'static [Instruction], &'static [Area]>;

/// What a controller does for a network, as constant data: the part on the array.
#[derive(Clone, Copy, Debug)]
pub struct NetworkPlan {
    /// The name of the network.
    pub name: &'static str,
    /// Rows and columns of the picture.
    pub size: (usize, usize),
    /// The register of the picture.
    pub input: Reg,
    /// What is done, in this order.
    pub stages: &'static [StagePlan],
    /// How many numbers are read out.
    pub numbers: usize,
    /// Where it may be left for each of those that may interrupt it.
    pub switches: &'static [Switches<'static>],
}

impl NetworkPlan {
    /// All steps, in their order.
    pub fn steps(&self) -> impl Iterator<Item = &'static ConstStep> + Clone + use<> {
        self.stages.iter().flat_map(|stage| stage.steps)
    }

    /// Control words.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.stages.iter().map(|stage| stage.words).sum()
    }

    /// The time of the words, without that of read-outs.
    #[must_use]
    pub fn nanoseconds(&self) -> u64 {
        self.stages.iter().map(|stage| stage.nanoseconds).sum()
    }
}

/// A part of a network on the array.
#[derive(Clone, Copy, Debug)]
pub struct StagePlan {
    /// Layer and channels: `edge[0,1]`.
    pub name: &'static str,
    /// Control words.
    pub words: u32,
    /// The time of the words.
    pub nanoseconds: u64,
    /// What is done.
    pub steps: &'static [ConstStep],
}
