//! Addresses, regions and patterns as the controller counts them, and the one place where they become positions.

#[cfg(test)]
mod tests;

use core::fmt;

use super::IoError;

/// A PE as the controller addresses it: row 0 is the top row, column 0 is the **right-most** column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// Rows from the top.
    pub row: u16,
    /// Columns from the right.
    pub column: u16,
}

impl Address {
    /// The PE in that row from the top and that column from the right.
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

/// A rectangle of PEs: its top right and its bottom left corner, both within.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// The corner at the top right, with the smaller numbers.
    pub first: Address,
    /// The corner at the bottom left.
    pub last: Address,
}

impl Region {
    /// The rectangle between two corners: the top right one first.
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

/// A set of PEs that the row and column selectors address: those whose row and column agree with the pattern's in
/// every bit that matters.
///
/// (SCAMP-5d library headers: `r`, `c`, `rx`, `cx` of `scamp5_load_pattern`.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The row that PEs must have, from the top, but for its free bits.
    pub row: u16,
    /// The column that PEs must have, from the right, but for its free bits.
    pub column: u16,
    /// Bits of the row that do not matter.
    pub free_row_bits: u16,
    /// Bits of the column that do not matter.
    pub free_column_bits: u16,
}

impl Pattern {
    /// Every PE.
    pub const ALL: Self = Self { row: 0, column: 0, free_row_bits: u16::MAX, free_column_bits: u16::MAX };

    /// Every second row and column, which is the vendor's choice for sparse sums.
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
    /// PEs from west to east.
    pub width: usize,
    /// PEs from north to south.
    pub height: usize,
}

impl Size {
    /// 256×256 PEs.
    pub const SCAMP5: Self = Self { width: 256, height: 256 };

    /// Where an image holds the PE: images are in rows from the north, and each row begins in the west.
    pub fn position(self, address: Address) -> Result<usize, IoError> {
        let (row, column) = (usize::from(address.row), usize::from(address.column));
        if row >= self.height || column >= self.width {
            return Err(IoError::Outside { address, size: self });
        }
        // Sides that addresses can name fit; a device may claim others.
        let from_west = self.width - 1 - column;
        row.checked_mul(self.width).and_then(|start| start.checked_add(from_west)).ok_or(IoError::NoAddresses(self))
    }

    /// All PEs: row after row from the top, each from the right. Ends where rows and columns exceed 16 bits.
    pub fn addresses(self) -> impl Iterator<Item = Address> {
        (0..=u16::MAX)
            .take(self.height)
            .flat_map(move |row| (0..=u16::MAX).take(self.width).map(move |column| Address { row, column }))
    }

    /// The whole array, if it has any PEs.
    pub fn region(self) -> Result<Region, IoError> {
        let end = |count: usize| u16::try_from(count.checked_sub(1)?).ok();
        match (end(self.height), end(self.width)) {
            (Some(row), Some(column)) => Ok(Region::new(Address::new(0, 0), Address::new(row, column))),
            _ => Err(IoError::NoAddresses(self)),
        }
    }

    /// Whether the region is a rectangle within the array.
    pub fn check(self, region: Region) -> Result<(), IoError> {
        self.position(region.first)?;
        self.position(region.last)?;
        let ordered = region.first.row <= region.last.row && region.first.column <= region.last.column;
        if ordered { Ok(()) } else { Err(IoError::Corners(region)) }
    }

    /// The bytes that [`scan_bits`](super::ArrayIo::scan_bits) reads of the rows from the first to the last one, if they
    /// are rows of the array; the largest number there is if they are more than that.
    pub fn bytes_of_rows(self, (first, last): (u16, u16)) -> Result<usize, IoError> {
        self.check(Region::new(Address::new(first, 0), Address::new(last, 0)))?;
        Ok((usize::from(last - first) + 1).saturating_mul(self.width.div_ceil(8)))
    }

    /// The rows and columns of each of `count`×`count` equal blocks, if the array can be divided into them.
    pub fn block(self, count: usize) -> Result<(usize, usize), IoError> {
        let fits = |side: usize| side > 0 && side.is_multiple_of(count);
        if fits(self.height) && fits(self.width) {
            Ok((self.height / count, self.width / count))
        } else {
            Err(IoError::Blocks { count, size: self })
        }
    }

    /// The columns and rows of blocks of so many PEs, if they divide the array.
    pub fn blocks_of(self, (width, height): (usize, usize)) -> Result<(usize, usize), IoError> {
        let fits = |side: usize, part: usize| side > 0 && part > 0 && side.is_multiple_of(part);
        if fits(self.width, width) && fits(self.height, height) {
            Ok((self.width / width, self.height / height))
        } else {
            Err(IoError::BlockSize { width, height, size: self })
        }
    }
}

/// The front of a buffer, which a result of that length takes.
#[cfg(any(feature = "sim", feature = "device"))]
pub(crate) fn front(buffer: &mut [u8], needed: usize) -> Result<&mut [u8], IoError> {
    let found = buffer.len();
    buffer.get_mut(..needed).ok_or(IoError::Buffer { needed, found })
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}

/// Which PEs of an analogue plane are read out.
///
/// Scans run column after column from the right, each from the top: on the whole array, the fourth byte is the first
/// column from the right, the fourth row down (SCAMP-5d library headers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scan {
    /// The PEs that are scanned lie within this region.
    pub region: Region,
    /// The distance from one row to the next that is read, at least 1.
    pub row_step: u16,
    /// The distance from one column to the next that is read, at least 1.
    pub column_step: u16,
}

impl Scan {
    /// Every PE of a region.
    #[must_use]
    pub const fn every(region: Region) -> Self {
        Self { region, row_step: 1, column_step: 1 }
    }

    /// The PEs in the order in which they are read; nothing if a step is 0.
    pub fn addresses(self) -> impl Iterator<Item = Address> {
        let Self { region: Region { first, last }, row_step, column_step } = self;
        steps(first.column, last.column, column_step)
            .flat_map(move |column| steps(first.row, last.row, row_step).map(move |row| Address { row, column }))
    }

    /// The number of bytes that the scan reads, if it lies within the array; the largest number there is if they are more
    /// than that.
    pub fn check(self, size: Size) -> Result<usize, IoError> {
        size.check(self.region)?;
        if self.row_step == 0 || self.column_step == 0 {
            return Err(IoError::NoStep);
        }
        let Region { first, last } = self.region;
        let count = |first: u16, last: u16, step: u16| usize::from((last - first) / step) + 1;
        let columns = count(first.column, last.column, self.column_step);
        Ok(count(first.row, last.row, self.row_step).saturating_mul(columns))
    }
}

fn steps(first: u16, last: u16, step: u16) -> impl Iterator<Item = u16> {
    core::iter::successors((step > 0 && first <= last).then_some(first), move |at| {
        at.checked_add(step).filter(|next| *next <= last)
    })
}
