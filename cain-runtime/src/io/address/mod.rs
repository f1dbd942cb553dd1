//! Addresses, regions and patterns as the controller counts them.

mod check;
#[cfg(test)]
mod tests;

use core::fmt;

#[cfg(any(feature = "sim", feature = "device"))]
pub(crate) use check::front;

/// The address of a PE: row 0 is the top row, column 0 is the **right-most** column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The row, counted from the top.
    pub row: u16,
    /// The column, counted from the right.
    pub column: u16,
}

impl Address {
    /// The address of the PE in this row from the top and this column from the right.
    #[must_use]
    pub const fn new(row: u16, column: u16) -> Self {
        Self { row, column }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.column)
    }
}

/// A rectangle of PEs, given by its top right and its bottom left corner, both of which belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// The top right corner, with the smaller numbers.
    pub first: Address,
    /// The bottom left corner.
    pub last: Address,
}

impl Region {
    /// The rectangle between two corners, the top right one first.
    #[must_use]
    pub const fn new(first: Address, last: Address) -> Self {
        Self { first, last }
    }

    /// Whether the PE lies in the rectangle.
    #[must_use]
    pub const fn contains(&self, address: Address) -> bool {
        self.first.row <= address.row
            && address.row <= self.last.row
            && self.first.column <= address.column
            && address.column <= self.last.column
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.first, self.last)
    }
}

/// A set of PEs that the row and column selectors address: those whose row and column agree with the pattern's in every
/// bit that is not free.
///
/// (SCAMP-5d library headers: `r`, `c`, `rx`, `cx` of `scamp5_load_pattern`.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The row that PEs must have, counted from the top, except for the free bits.
    pub row: u16,
    /// The column that PEs must have, counted from the right, except for the free bits.
    pub column: u16,
    /// The bits of the row that do not matter.
    pub free_row_bits: u16,
    /// The bits of the column that do not matter.
    pub free_column_bits: u16,
}

impl Pattern {
    /// Every PE.
    pub const ALL: Self = Self { row: 0, column: 0, free_row_bits: u16::MAX, free_column_bits: u16::MAX };

    /// Every second row and column, the vendor's choice for sparse sums.
    pub const SPARSE: Self = Self { row: 2, column: 2, free_row_bits: 254, free_column_bits: 254 };

    /// One PE.
    #[must_use]
    pub const fn point(at: Address) -> Self {
        Self { row: at.row, column: at.column, free_row_bits: 0, free_column_bits: 0 }
    }

    /// A whole row.
    #[must_use]
    pub const fn row(row: u16) -> Self {
        Self { row, free_row_bits: 0, ..Self::ALL }
    }

    /// A whole column.
    #[must_use]
    pub const fn column(column: u16) -> Self {
        Self { column, free_column_bits: 0, ..Self::ALL }
    }

    /// Whether the PE belongs to the set.
    #[must_use]
    pub const fn contains(&self, address: Address) -> bool {
        (address.row ^ self.row) & !self.free_row_bits == 0
            && (address.column ^ self.column) & !self.free_column_bits == 0
    }
}

/// The size of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// The number of PEs from west to east.
    pub width: usize,
    /// The number of PEs from north to south.
    pub height: usize,
}

impl Size {
    /// The size of SCAMP-5, 256×256 PEs.
    pub const SCAMP5: Self = Self { width: 256, height: 256 };

    /// All PEs, row by row from the top, each row from the right. Ends where rows and columns exceed 16 bits.
    pub fn addresses(self) -> impl Iterator<Item = Address> {
        (0..=u16::MAX)
            .take(self.height)
            .flat_map(move |row| (0..=u16::MAX).take(self.width).map(move |column| Address { row, column }))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}

/// A selection of the PEs of an analogue plane that are read out.
///
/// Scans run column by column from the right, each column from the top: on the whole array, the fourth byte is the
/// first column from the right, the fourth row down (SCAMP-5d library headers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scan {
    /// The region within which PEs are read.
    pub region: Region,
    /// The distance between rows that are read, at least 1.
    pub row_step: u16,
    /// The distance between columns that are read, at least 1.
    pub column_step: u16,
}

impl Scan {
    /// A scan of every PE of a region.
    #[must_use]
    pub const fn every(region: Region) -> Self {
        Self { region, row_step: 1, column_step: 1 }
    }

    /// The PEs in the order in which they are read; none if a step is 0.
    pub fn addresses(self) -> impl Iterator<Item = Address> {
        let Self { region: Region { first, last }, row_step, column_step } = self;
        steps(first.column, last.column, column_step)
            .flat_map(move |column| steps(first.row, last.row, row_step).map(move |row| Address { row, column }))
    }
}

fn steps(first: u16, last: u16, step: u16) -> impl Iterator<Item = u16> {
    core::iter::successors((step > 0 && first <= last).then_some(first), move |at| {
        at.checked_add(step).filter(|next| *next <= last)
    })
}
