//! What the controller reads of registers, as numbers.

use super::storage::{Constant, Storage};
use super::{Area, Grid};
use crate::{Bit, Cells, Dreg, Reg, SCANNED_BYTE_TIME};

/// What holds a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// An analogue register.
    Reg(Reg),
    /// A digital register.
    Bit(Bit),
}

impl Held {
    /// All cells of the register.
    #[must_use]
    pub const fn cells(self) -> Cells {
        match self {
            Self::Reg(reg) => Cells::register(reg),
            Self::Bit(bit) => Cells::bit(bit),
        }
    }
}

/// A read-out of one map: its pixels, or sums over windows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadOutOf<S: Storage> {
    /// What holds the map.
    pub from: Held,
    /// Where its pixels are.
    pub grid: Grid,
    /// The areas that are summed up; if `None`, each pixel is a number, row by row.
    pub windows: Option<S::List<Area>>,
    /// The place of the first number.
    pub first: usize,
    /// What a DN, or a bit that is 1, counts.
    pub scale: f64,
    /// What each pixel counts in any case.
    pub shift: f64,
    /// The scale and the shift instead of these on an array whose transfers err, if the errors of the chip for which the program
    /// was made change the values on the average.
    pub corrected: Option<(f64, f64)>,
    /// Whether sums are divided by the number of pixels.
    pub mean: bool,
    /// Whether they are added to the numbers that are there, as the bits of a number are, instead of replacing them.
    pub adds: bool,
}

impl<S: Storage> ReadOutOf<S> {
    /// The scale and the shift on an array with these constant errors of transfers to one, two and three cells, in DN.
    #[must_use]
    pub fn scale_and_shift(&self, errors: [f32; 3]) -> (f64, f64) {
        on_chip(self.corrected, errors).unwrap_or((self.scale, self.shift))
    }

    /// Corrects what is read by a factor and a summand, if there are any.
    pub fn correct(&mut self, line: Option<(f64, f64)>) {
        self.corrected = line.map(|(factor, summand)| (self.scale * factor, self.scale * summand + self.shift));
    }
}

/// A factor and a summand that correct the errors of a chip, on an array with these constant errors of transfers: none if it has none.
#[must_use]
pub fn on_chip(corrected: Option<(f64, f64)>, errors: [f32; 3]) -> Option<(f64, f64)> {
    corrected.filter(|_| errors.iter().any(|error| *error != 0.0))
}

/// A read-out of one map, as constant data.
pub type ReadOut = ReadOutOf<Constant>;

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

/// Scores that are read out of a digital register, exactly.
///
/// The columns of the array are cut into equal parts, which each hold numbers of their own; a class has one in each of them,
/// in the first rows. Bits of a number are `group` columns apart, the lowest in the west. The score is the sum of a class's
/// numbers, less what they exceed it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The register.
    pub register: Dreg,
    /// The place of the first score.
    pub first: usize,
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
