//! What a controller does for a network whose weights are in the pixels, as data.

use crate::{Dreg, Instruction, Reg, SCANNED_BYTE_TIME, Switches, Word};

/// PEs that the row and column selectors address: those whose row and column agree with these in every bit that is not
/// free. Rows count from the north, columns from the west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selection {
    /// The row, but for its free bits.
    pub row: u16,
    /// The column, but for its free bits.
    pub column: u16,
    /// Bits of the row that do not matter.
    pub free_row_bits: u16,
    /// Bits of the column that do not matter.
    pub free_column_bits: u16,
}

impl Selection {
    /// Every PE.
    pub const ALL: Self = Self { row: 0, column: 0, free_row_bits: u16::MAX, free_column_bits: u16::MAX };

    /// Whether the PE belongs to them.
    #[must_use]
    pub const fn contains(&self, row: usize, column: usize) -> bool {
        agree(row, self.row, self.free_row_bits) && agree(column, self.column, self.free_column_bits)
    }
}

/// Whether a number agrees with the wanted one in the lowest 16 bits, but for the free ones.
#[expect(clippy::cast_possible_truncation, reason = "arrays have fewer than 2^16 rows and columns")]
const fn agree(number: usize, wanted: u16, free: u16) -> bool {
    (number ^ wanted as usize) as u16 & !free == 0
}

/// A rectangle of PEs; its rows count from the north, its columns from the west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rectangle {
    /// The first row.
    pub top: usize,
    /// The first column.
    pub left: usize,
    /// The number of its rows, at least 1.
    pub height: usize,
    /// The number of its columns, at least 1.
    pub width: usize,
}

impl Rectangle {
    /// Whether the PE lies in it.
    #[must_use]
    pub const fn contains(&self, row: usize, column: usize) -> bool {
        row >= self.top && row - self.top < self.height && column >= self.left && column - self.left < self.width
    }
}

/// Scores that are read out of a digital register, exactly.
///
/// The columns of the array are cut into equal parts, which each hold numbers of their own; a class has one in each of them,
/// in the first rows. Bits of a number are `group` columns apart, the lowest in the west. The score is the sum of a class's
/// numbers, less what they exceed it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The register.
    pub register: Dreg,
    /// The number of classes, at most [`MOST_CLASSES`](Self::MOST_CLASSES).
    pub classes: usize,
    /// PEs along each side of a group, at least 1: they hold bits of different classes, row by row.
    pub group: usize,
    /// The bits of a number.
    pub bits: usize,
    /// The numbers of a class.
    pub numbers: usize,
    /// By how much the numbers of each class exceed its score.
    pub excess: [u32; Self::MOST_CLASSES],
}

impl Count {
    /// The most classes that there is room for.
    pub const MOST_CLASSES: usize = 16;

    /// The rows that are read, from the first one on.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.classes.div_ceil(self.group)
    }

    /// The columns of the array.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.numbers * self.bits * self.group
    }

    /// The row and the column of a bit.
    #[must_use]
    pub const fn place(&self, class: usize, number: usize, bit: usize) -> (usize, usize) {
        (class / self.group, (number * self.bits + bit) * self.group + class % self.group)
    }

    /// The score of a class, where `bit` tells the bit in a row and a column.
    pub fn score(&self, class: usize, bit: impl Fn(usize, usize) -> bool) -> i32 {
        let excess = self.excess.get(class).copied().unwrap_or(0);
        (0..self.numbers * self.bits).fold(0_i32.wrapping_sub_unsigned(excess), |score, place| {
            let (row, column) = self.place(class, place / self.bits, place % self.bits);
            score.wrapping_add(i32::from(bit(row, column)) << (place % self.bits))
        })
    }

    /// What the scan of its rows takes on SCAMP-5, in nanoseconds.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "some rows"
    )]
    pub fn nanoseconds(&self) -> u64 {
        ((self.rows() * self.columns() / 8) as f32 * SCANNED_BYTE_TIME * 1000.0) as u64
    }
}

/// One thing that a controller does for such a network. `L` is a list of [words](crate::Word).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<L> {
    /// Has words carried out.
    Execute(L),
    /// Sets the level of `IN`, in DN.
    Level(i8),
    /// Programs the row and column selectors: `SELECT` is 1 in these PEs and 0 elsewhere.
    Select(Selection),
    /// Programs the rectangle: `RECT` is 1 in these PEs and 0 elsewhere.
    Region(Rectangle),
    /// Reads the sum of a register over the whole array, as the converter shows it: the next score.
    Sum(Reg),
    /// Reads exact scores out of bits, one for each class.
    Count(Count),
}

/// A network in the pixels, as constant data.
#[derive(Clone, Copy, Debug)]
pub struct InPixelPlan {
    /// The name of the network.
    pub name: &'static str,
    /// PEs along each side of the array.
    pub side: usize,
    /// The register that a picture is taken into: positive where there is ink. What pixels of two bits are compared with is in
    /// the documentation of the function.
    pub input: Reg,
    /// Where the picture is then, with the PEs of each pixel side by side.
    pub taken: Rectangle,
    /// PEs along each side of a pixel.
    pub scale: usize,
    /// What a pixel of 1 counts in a sum, in DN.
    pub level: i8,
    /// The weights: registers that are loaded before the first picture.
    pub planes: &'static [BitPlane],
    /// What is done for each picture, in this order.
    pub components: &'static [ComponentPlan],
    /// Where it may be left for each of those that may interrupt it.
    pub switches: &'static [Switches<'static>],
}

impl InPixelPlan {
    /// All steps for a picture, in their order.
    pub fn steps(&self) -> impl Iterator<Item = &'static Step<&'static [Word]>> + Clone + use<> {
        self.components.iter().flat_map(|component| component.steps)
    }

    /// Control words for a picture.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.components.iter().map(|component| component.words).sum()
    }

    /// The time of the words and of scans of bits, without that of the sums and of programming selectors.
    #[must_use]
    pub fn nanoseconds(&self) -> u64 {
        self.components.iter().map(|component| component.nanoseconds).sum()
    }
}

/// A part of a network in the pixels.
#[derive(Clone, Copy, Debug)]
pub struct ComponentPlan {
    /// Its name: `convolution`.
    pub name: &'static str,
    /// Control words.
    pub words: u32,
    /// The time of the words and of scans of bits.
    pub nanoseconds: u64,
    /// What is done, in this order.
    pub steps: &'static [Step<&'static [Word]>],
}

/// A digital register with a bit for each PE of a square array, as constant data. Weights repeat along an array, so that
/// many of its rows are the same; each is held once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitPlane {
    /// The register.
    pub register: Dreg,
    /// For each row from the north, which of the distinct ones it is.
    pub rows: &'static [u8],
    /// The distinct rows, one after the other, each with 8 PEs per byte: the first PE from the west is the lowest bit.
    pub distinct: &'static [u8],
}

impl BitPlane {
    /// PEs along each side of the array.
    #[must_use]
    pub const fn side(&self) -> usize {
        self.rows.len()
    }

    /// The bit of a PE.
    ///
    /// # Panics
    ///
    /// If the PE is not on the array.
    #[must_use]
    pub const fn bit(&self, row: usize, column: usize) -> bool {
        let bytes = self.side() / 8;
        self.distinct[self.rows[row] as usize * bytes + column / 8] >> (column % 8) & 1 == 1
    }
}

/// Single control words out of a listing, for constant data.
///
/// # Panics
///
/// If one of them is a macro instruction; in a constant that is a compile error.
#[must_use]
#[track_caller]
pub const fn words<const N: usize>(listing: [Instruction; N]) -> [Word; N] {
    let mut words = [Word::Nop; N];
    let mut i = 0;
    while i < N {
        words[i] = match listing[i] {
            Instruction::Word(word) => word,
            Instruction::Macro(_) => panic!("the program has a macro instruction; expected control words"),
        };
        i += 1;
    }
    words
}
