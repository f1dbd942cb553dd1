//! The PEs of a program as the controller addresses them, whose columns count from the right.

use super::Place;
use crate::io::{Address, IoError, Pattern, Region, Size};
use crate::isa::program::{Area, Grid, Selection};

/// The address of a PE in that row from the top and that column from the left.
pub(super) fn address(size: Size, row: usize, column: usize) -> Result<Address, IoError> {
    let outside = IoError::NoAddresses(size);
    let from_right = size.width.checked_sub(column.saturating_add(1)).ok_or(outside)?;
    let narrow = |number: usize| u16::try_from(number).map_err(|_| outside);
    Ok(Address::new(narrow(row)?, narrow(from_right)?))
}

/// A rectangle, which is on the array.
pub(super) fn region(size: Size, area: Area) -> Result<Region, IoError> {
    let outside = IoError::NoAddresses(size);
    let last = |first: usize, length: usize| first.checked_add(length)?.checked_sub(1);
    let bottom = last(area.top, area.height).ok_or(outside)?;
    let right = last(area.left, area.width).ok_or(outside)?;
    let region = Region::new(address(size, area.top, right)?, address(size, bottom, area.left)?);
    size.check(region)?;
    Ok(region)
}

/// The PEs of a selection. Columns from the right are those from the left with all bits turned over that number places in equal
/// parts of the array: all bits, if the columns are a power of two.
pub(super) fn pattern(size: Size, selection: Selection) -> Result<Pattern, IoError> {
    let width = u16::try_from(size.width).map_err(|_| IoError::NoAddresses(size))?;
    let turned = (1_u16 << width.trailing_zeros().min(15)).wrapping_sub(1);
    if !width.is_power_of_two() && !selection.free_column_bits & !turned != 0 {
        return Err(IoError::NoAddresses(size));
    }
    Ok(Pattern {
        row: selection.row,
        column: selection.column ^ turned,
        free_row_bits: selection.free_row_bits,
        free_column_bits: selection.free_column_bits,
    })
}

/// The rectangle that a grid covers, which is on the array.
pub(super) fn covered(size: Size, grid: Grid, place: Place) -> Result<Region, IoError> {
    let outside = IoError::NoAddresses(size);
    let top = place.row.checked_add_signed(grid.top).ok_or(outside)?;
    let left = place.column.checked_add_signed(grid.left).ok_or(outside)?;
    let (height, width) = extent(grid);
    let region =
        Region::new(address(size, top, left.saturating_add(width))?, address(size, top.saturating_add(height), left)?);
    size.check(region)?;
    Ok(region)
}

/// The rectangle that a grid covers, as far as it is on the array.
pub(super) fn clipped(size: Size, grid: Grid, place: Place) -> Result<Region, IoError> {
    let end = |first: usize, length: usize, side: usize| first.saturating_add(length).min(side.saturating_sub(1));
    let (top, left) = (place.row.saturating_add_signed(grid.top), place.column.saturating_add_signed(grid.left));
    let (height, width) = extent(grid);
    let (bottom, right) = (end(top, height, size.height), end(left, width, size.width));
    Ok(Region::new(address(size, top, right)?, address(size, bottom, left)?))
}

/// The rows and columns from the first to the last pixel of a grid.
fn extent(grid: Grid) -> (usize, usize) {
    let along = |count: usize, step: usize| count.saturating_sub(1).saturating_mul(step);
    (along(grid.height, grid.row_step), along(grid.width, grid.column_step))
}
