//! What a controller does for a network whose weights are in the pixels, as data.

use crate::Reg;

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
    /// Reads the sum of a register over the whole array, which is the next number.
    Sum(Reg),
}
