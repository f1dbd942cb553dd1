//! Rectangles, patterns and grids of PEs or of pixels.

/// A rectangle of PEs, or of pixels of a map. Its rows count from the north, its columns from the west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// Whether that row and column lies in it.
    #[must_use]
    pub const fn contains(&self, row: usize, column: usize) -> bool {
        row >= self.top && row - self.top < self.height && column >= self.left && column - self.left < self.width
    }
}

/// PEs that the row and column selectors address: those whose row and column agree with these in every bit that is not
/// free. Rows count from the north, columns from the west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// Where the pixels of a map are, in PEs to the south and to the east of the north-west corner of the picture or of the array;
/// negative in the north and west of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
