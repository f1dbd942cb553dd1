//! Whether addresses and regions are within an array, and the conversion of addresses to positions in an image.

use super::{Address, Region, Scan, Size};
use crate::io::IoError;

impl Size {
    /// The position of a PE in an image, which is in rows from the north, each beginning in the west.
    pub fn position(self, address: Address) -> Result<usize, IoError> {
        let (row, column) = (usize::from(address.row), usize::from(address.column));
        if row >= self.height || column >= self.width {
            return Err(IoError::Outside { address, size: self });
        }
        // The position fits if addresses can name all PEs, but a device may claim any size.
        let from_west = self.width - 1 - column;
        row.checked_mul(self.width).and_then(|start| start.checked_add(from_west)).ok_or(IoError::NoAddresses(self))
    }

    /// The region of the whole array, if it has any PEs.
    pub fn region(self) -> Result<Region, IoError> {
        let end = |count: usize| u16::try_from(count.checked_sub(1)?).ok();
        match (end(self.height), end(self.width)) {
            (Some(row), Some(column)) => Ok(Region::new(Address::new(0, 0), Address::new(row, column))),
            _ => Err(IoError::NoAddresses(self)),
        }
    }

    /// Checks that the region is a rectangle within the array.
    pub fn check(self, region: Region) -> Result<(), IoError> {
        self.position(region.first)?;
        self.position(region.last)?;
        let ordered = region.first.row <= region.last.row && region.first.column <= region.last.column;
        if ordered { Ok(()) } else { Err(IoError::Corners(region)) }
    }

    /// The number of bytes that [`scan_bits`](crate::io::ArrayIo::scan_bits) reads for the rows from the first to the last
    /// one, if the array has these rows; the largest integer if the number exceeds it.
    pub fn bytes_of_rows(self, (first, last): (u16, u16)) -> Result<usize, IoError> {
        self.check(Region::new(Address::new(first, 0), Address::new(last, 0)))?;
        Ok((usize::from(last - first) + 1).saturating_mul(self.width.div_ceil(8)))
    }

    /// The rows and columns of each block if the array is divided into `count`×`count` equal blocks; an error if that
    /// is impossible.
    pub fn block(self, count: usize) -> Result<(usize, usize), IoError> {
        let fits = |side: usize| side > 0 && side.is_multiple_of(count);
        if fits(self.height) && fits(self.width) {
            Ok((self.height / count, self.width / count))
        } else {
            Err(IoError::Blocks { count, size: self })
        }
    }

    /// The numbers of columns and rows of blocks, if the array is divided into blocks of this width and height; an
    /// error if that is impossible.
    pub fn blocks_of(self, (width, height): (usize, usize)) -> Result<(usize, usize), IoError> {
        let fits = |side: usize, part: usize| side > 0 && part > 0 && side.is_multiple_of(part);
        if fits(self.width, width) && fits(self.height, height) {
            Ok((self.width / width, self.height / height))
        } else {
            Err(IoError::BlockSize { width, height, size: self })
        }
    }
}

impl Scan {
    /// The number of bytes that the scan reads, if it lies within the array; the largest integer if the number exceeds
    /// it.
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

/// The front of a buffer, as long as the result needs.
#[cfg(any(feature = "sim", feature = "device"))]
pub(crate) fn front(buffer: &mut [u8], needed: usize) -> Result<&mut [u8], IoError> {
    let found = buffer.len();
    buffer.get_mut(..needed).ok_or(IoError::Buffer { needed, found })
}
