//! What the controller reads of the array, as numbers.

use super::{Place, Real, address};
use crate::io::{Address, ArrayIo, Scan, Size};
use crate::isa::program::{Area, Count, EventRead, Grid, Held, ReadOutOf, Storage};
use crate::isa::{Bit, Reg};

/// The bytes that are read out at once, as many as the controller's buffer holds.
const BUFFER: usize = 8192;

/// The most pixels that are listed at once, as many as the controller's buffer holds.
const MOST: usize = BUFFER / size_of::<Address>();

/// The converter's code of 0 DN.
pub(super) const ZERO: u8 = 128;

/// Reads a map: pixels or sums, or means if it is `MEAN`. Division takes a kilobyte on controllers that have to calculate it.
pub(super) fn map<const MEAN: bool, A, S, N>(
    array: &mut A,
    read: &ReadOutOf<S>,
    place: Place,
    numbers: &mut [N],
) -> Result<(), A::Error>
where
    A: ArrayIo + ?Sized,
    S: Storage,
    N: Real,
{
    let grid = read.grid;
    if let (Held::Reg(reg), Some(windows), true) = (read.from, &read.windows, MEAN)
        && are_blocks(array.size(), grid, place, windows.as_ref())
    {
        return means(array, reg, read, numbers);
    }
    let (scale, shift) = scale_and_shift::<S, N>(read, array.transfer_errors());
    let count = read.windows.as_ref().map_or(grid.height * grid.width, |windows| windows.as_ref().len());
    let numbers = numbers.get_mut(read.first..).unwrap_or_default();
    let count = count.min(numbers.len());
    let numbers = &mut numbers[..count];
    if !read.adds {
        numbers.fill(N::default());
    }
    rows(array, read.from, grid, place, |row, pixels| match &read.windows {
        None => {
            for (number, pixel) in numbers.iter_mut().skip(row * grid.width).zip(pixels) {
                *number += scale * N::whole(pixel.into()) + shift;
            }
        }
        Some(windows) => {
            let mut line = [0; LONGEST];
            let width = line.iter_mut().zip(pixels).map(|(place, pixel)| *place = pixel).count();
            for (number, area) in numbers.iter_mut().zip(windows.as_ref()) {
                if (area.top..area.top + area.height).contains(&row) {
                    let pixels = &line[area.left.min(width)..(area.left + area.width).min(width)];
                    let sum: i32 = pixels.iter().copied().map(i32::from).sum();
                    let sum = scale * N::whole(sum) + shift * real(area.width);
                    *number += if MEAN { sum / real(area.height * area.width) } else { sum };
                }
            }
        }
    })
}

fn scale_and_shift<S: Storage, N: Real>(read: &ReadOutOf<S>, errors: [f32; 3]) -> (N, N) {
    let (scale, shift) = read.scale_and_shift(errors);
    (N::of(scale), N::of(shift))
}

/// Lists the pixels of a map that are 1; `is_alone` tells whether the controller's list of events is that of the map.
pub(super) fn events<A: ArrayIo + ?Sized, N: Real>(
    array: &mut A,
    read: &EventRead,
    is_alone: bool,
    place: Place,
    numbers: &mut [N],
) -> Result<(), A::Error> {
    let end = read.first.saturating_add(EventRead::numbers(read.capacity)).min(numbers.len());
    let numbers = numbers.get_mut(read.first..end).unwrap_or_default();
    numbers.fill(N::default());
    let Some((count, places)) = numbers.split_first_mut() else { return Ok(()) };
    let mut found = 0;
    let mut push = |row: usize, column: usize| {
        if let Some([first, second]) = places.get_mut(2 * found..2 * found + 2) {
            [*first, *second] = [real(row), real(column)];
        }
        found = (found + 1).min(read.capacity + 1);
    };
    let grid = read.grid;
    if is_alone {
        let size = array.size();
        let mut buffer = [Address::default(); MOST];
        let room = read.capacity.min(MOST);
        let events = array.scan_events(read.from, &mut buffer[..room])?;
        let (top, left) = (place.row.saturating_add_signed(grid.top), place.column.saturating_add_signed(grid.left));
        let along = |at: usize, first: usize, step: usize| at.saturating_sub(first) / step.max(1);
        for address in &buffer[..events.listed.min(room)] {
            let column = size.width.saturating_sub(1 + usize::from(address.column));
            push(along(address.row.into(), top, grid.row_step), along(column, left, grid.column_step));
        }
        if !events.complete {
            found = read.capacity + 1;
        }
    } else {
        rows(array, Held::Bit(read.from), grid, place, |row, pixels| {
            let mut line = [0; LONGEST];
            let width = line.iter_mut().zip(pixels).map(|(place, pixel)| *place = pixel).count();
            for column in (0..width).rev().filter(|&column| line[column] > 0) {
                push(row, column);
            }
        })?;
    }
    *count = real(found);
    Ok(())
}

/// Writes the scores that bits hold.
pub(super) fn counted<A: ArrayIo + ?Sized, N: Real>(
    array: &mut A,
    count: &Count,
    numbers: &mut [N],
) -> Result<(), A::Error> {
    let size = array.size();
    let numbers = numbers.get_mut(count.first..).unwrap_or_default();
    // An array of 256 columns is the widest that numbers are laid out for.
    let mut bytes = [0; 32];
    for row in 0..count.rows() {
        let last = address::address(size, row, count.columns().saturating_sub(1))?;
        array.scan_bits(Bit::Reg(count.register), (last.row, last.row), &mut bytes)?;
        // Columns count from the right there.
        let bit = |_, column: usize| {
            let place = size.width - 1 - column;
            bytes[place / 8] >> (place % 8) & 1 == 1
        };
        for class in (row * count.group..count.classes).take(count.group) {
            if let Some(number) = numbers.get_mut(class) {
                *number = N::whole(count.score(class, bit));
            }
        }
    }
    Ok(())
}

/// The most pixels of a row.
const LONGEST: usize = 256;

/// Reads a map row by row, as many rows at a time as the buffer holds: analogue values in DN, and bits as 0 and 1.
pub(super) fn rows<A: ArrayIo + ?Sized>(
    array: &mut A,
    from: Held,
    grid: Grid,
    place: Place,
    mut each: impl FnMut(usize, &mut dyn Iterator<Item = i16>),
) -> Result<(), A::Error> {
    let size = array.size();
    let bytes_per_row = match from {
        Held::Reg(_) => grid.width,
        Held::Bit(_) => size.width.div_ceil(8) * grid.row_step,
    };
    let at_once = (BUFFER / bytes_per_row.max(1)).max(1);
    let mut buffer = [0; BUFFER];
    let mut first = 0;
    while first < grid.height {
        let count = at_once.min(grid.height - first);
        let top = grid.top + (first * grid.row_step).cast_signed();
        let part = Grid { top, height: count, ..grid };
        let region = address::covered(size, part, place)?;
        match from {
            Held::Reg(reg) => {
                let scan = Scan { region, row_step: step(grid.row_step), column_step: step(grid.column_step) };
                let scanned = array.scan(reg, scan, &mut buffer)?;
                for row in 0..count {
                    // Columns come from the right.
                    let value = |column: usize| {
                        let code = buffer[..scanned].get((grid.width - 1 - column) * count + row);
                        i16::from(*code.unwrap_or(&ZERO)) - i16::from(ZERO)
                    };
                    each(first + row, &mut (0..grid.width).map(value));
                }
            }
            Held::Bit(bit) => {
                let lines = (region.first.row, region.last.row);
                array.scan_bits(bit, lines, &mut buffer)?;
                let line = size.width.div_ceil(8);
                let left = place.column.saturating_add_signed(grid.left);
                for row in 0..count {
                    let packed = &buffer[row * grid.row_step * line..][..line];
                    let value = |column: usize| {
                        let column = size.width - 1 - (left + column * grid.column_step);
                        i16::from(packed[column / 8] >> (column % 8) & 1)
                    };
                    each(first + row, &mut (0..grid.width).map(value));
                }
            }
        }
        first += count;
    }
    Ok(())
}

fn step(step: usize) -> u16 {
    u16::try_from(step).unwrap_or(u16::MAX)
}

/// Whether windows are the 8×8 blocks of the whole array whose means the controller has at once.
fn are_blocks(size: Size, grid: Grid, place: Place, windows: &[Area]) -> bool {
    let whole = Grid { top: 0, left: 0, row_step: 1, column_step: 1, height: size.height, width: size.width };
    let Ok((height, width)) = size.block(8) else { return false };
    let block = |i: usize| Area { top: i / 8 * height, left: i % 8 * width, height, width };
    grid == whole
        && place == Place::default()
        && windows.len() == 64
        && windows.iter().enumerate().all(|(i, area)| *area == block(i))
}

fn means<A, S, N>(array: &mut A, reg: Reg, read: &ReadOutOf<S>, numbers: &mut [N]) -> Result<(), A::Error>
where
    A: ArrayIo + ?Sized,
    S: Storage,
    N: Real,
{
    let (scale, shift) = scale_and_shift::<S, N>(read, array.transfer_errors());
    let mut codes = [0; 64];
    array.scan_means(reg, &mut codes)?;
    for (i, number) in numbers.iter_mut().skip(read.first).take(codes.len()).enumerate() {
        // Columns come from the right, each from the top.
        let code = codes[(7 - i % 8) * 8 + i / 8];
        *number = scale * N::whole(i32::from(code) - i32::from(ZERO)) + shift;
    }
    Ok(())
}

/// A number of pixels.
fn real<N: Real>(count: usize) -> N {
    N::whole(i32::try_from(count).unwrap_or(i32::MAX))
}
