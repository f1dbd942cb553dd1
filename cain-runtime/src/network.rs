//! Carrying out compiled networks.
//!
//! A network is a list of [`Step`]s: programs of words, levels and read-outs. [`run`] carries it out on any array, for one
//! picture or for several that share it.

mod events;

use crate::io::{Address, ArrayIo, IoError, Region, Scan, Size};
use crate::isa::asm::digital::{RECT, clr, not_in_place, or_in_place};
use crate::isa::network::{Area, EventRead, Grid, Held, ReadOut, Step};
use crate::isa::{Bit, Dreg, Instruction, Reg, network};

pub use events::{EventList, Pixel, event_counts, event_lists, event_means};

/// Where the north-west corner of a picture is on the array, in PEs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Rows from the top.
    pub row: usize,
    /// Columns from the left.
    pub column: usize,
}

/// PEs around a picture, on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    /// In the north.
    pub top: usize,
    /// In the west.
    pub left: usize,
    /// In the south.
    pub bottom: usize,
    /// In the east.
    pub right: usize,
}

/// The places of as many pictures of `size` rows and columns as an array can hold, at least `gap` rows and columns apart,
/// with a margin to the border of the array. A picture for which there is no margin is in the middle; one that is larger
/// than the array has no place.
pub fn places(
    array: Size,
    size: (usize, usize),
    gap: (usize, usize),
    margin: Margin,
) -> impl Iterator<Item = Place> + Clone {
    let along = |side: usize, length: usize, gap: usize, before: usize, after: usize| {
        let free = side.checked_sub(length);
        let first = free.map(|free| if before + after <= free { before } else { free / 2 });
        let last = free.map(|free| if before + after <= free { free - after } else { free / 2 });
        first.zip(last).into_iter().flat_map(move |(first, last)| (first..=last).step_by((length + gap).max(1)))
    };
    let rows = along(array.height, size.0, gap.0, margin.top, margin.bottom);
    let columns = along(array.width, size.1, gap.1, margin.left, margin.right);
    rows.flat_map(move |row| columns.clone().map(move |column| Place { row, column }))
}

/// The bytes that are read out at once, as many as the controller's buffer holds.
const BUFFER: usize = 8192;

/// Carries out the steps of a network on an array that holds pictures in these places, and writes the numbers that are read
/// out: those of the first picture, then those of the second, and so on, `count` of each.
///
/// ```
/// # #[cfg(feature = "sim")]
/// # fn main() -> Result<(), cain_runtime::sim::SimError> {
/// use cain_runtime::isa::asm::digital::R5;
/// use cain_runtime::isa::network::{Area, Grid, Held, ReadOut, Step};
/// use cain_runtime::isa::{Instruction, PlaneOperation, Reg, asm::*};
/// use cain_runtime::network::{Place, run};
/// use cain_runtime::sim::Array;
///
/// // How many pixels of a picture of 2×2 are brighter than their east neighbours.
/// let grid = Grid { top: 0, left: 0, row_step: 1, column_step: 1, height: 2, width: 2 };
/// let all = [Area { top: 0, left: 0, height: 2, width: 2 }];
/// let steps: [Step<Vec<Instruction>, _>; 2] = [
///     Step::Execute(vec![subx(B, A, EAST, A), neg(C, B), where_positive(&[reg(C)])]),
///     Step::Read(ReadOut {
///         from: Held::Bit(cain_runtime::isa::Bit::Flag),
///         grid,
///         windows: Some(all),
///         first: 0,
///         scale: 1.0,
///         shift: 0.0,
///         mean: false,
///         adds: false,
///     }),
/// ];
/// let mut array = Array::new(3, 2);
/// array.load_reg(Reg::A, &[
///     5.0, 4.0, 9.0,
///     7.0, 6.0, 3.0,
/// ])?;
/// let mut numbers = [0.0];
/// run(&mut array, &steps, &[Place::default()], 1, &mut numbers)?;
/// assert_eq!(numbers, [3.0]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "sim"))]
/// # fn main() {}
/// ```
pub fn run<'s, A, L, W>(
    array: &mut A,
    steps: impl IntoIterator<Item = &'s Step<L, W>>,
    places: &[Place],
    count: usize,
    numbers: &mut [f64],
) -> Result<(), A::Error>
where
    A: ArrayIo + ?Sized,
    L: AsRef<[Instruction]> + 's,
    W: AsRef<[Area]> + 's,
{
    for step in steps {
        match step {
            Step::Execute(listing) => {
                listing.as_ref().iter().try_for_each(|&instruction| array.execute(instruction))?;
            }
            Step::Level(level) => array.set_level(*level)?,
            Step::Compensation { level, errors } => {
                let held = errors.iter().zip(array.transfer_errors());
                let held: f64 = held.map(|(count, error)| count.to_f64() * f64::from(error)).sum();
                array.set_level(nearest(f64::from(*level) + held))?;
            }
            Step::Outside(register, grid) => outside(array, *register, *grid, places)?,
            Step::Read(read) => {
                for (place, numbers) in places.iter().zip(numbers.chunks_mut(count.max(1))) {
                    read_out(array, read, *place, numbers)?;
                }
            }
            Step::Events(read) => {
                let is_alone = read.is_alone && places.len() == 1;
                for (place, numbers) in places.iter().zip(numbers.chunks_mut(count.max(1))) {
                    events::list(array, &EventRead { is_alone, ..*read }, *place, numbers)?;
                }
            }
        }
    }
    Ok(())
}

/// Numbers that were read out, from that place on, in single precision.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
pub fn reals<const N: usize>(read: &[f64], first: usize) -> [f32; N] {
    let mut numbers = [0.0; N];
    numbers.iter_mut().zip(read.iter().skip(first)).for_each(|(number, &read)| *number = read as f32);
    numbers
}

/// Numbers that were read out, from that place on, as the nearest whole ones: counts.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
pub fn counts<const N: usize>(read: &[f64], first: usize) -> [i32; N] {
    let mut numbers = [0; N];
    numbers.iter_mut().zip(read.iter().skip(first)).for_each(|(number, &read)| *number = (read + half(read)) as i32);
    numbers
}

/// Counts in single precision.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts are below 2^24")]
pub fn reals_of<const N: usize>(counts: &[i32; N]) -> [f32; N] {
    counts.map(|count| count as f32)
}

/// Writes 1 outside of the rectangles of a grid around each picture.
fn outside<A: ArrayIo + ?Sized>(array: &mut A, register: Dreg, grid: Grid, places: &[Place]) -> Result<(), A::Error> {
    let bit = Bit::Reg(register);
    if let [place] = places {
        array.select_region(clipped(array.size(), grid, *place)?)?;
        return array.execute(network::outside(register));
    }
    array.execute(clr(&[bit]))?;
    for place in places {
        array.select_region(clipped(array.size(), grid, *place)?)?;
        array.execute(or_in_place(bit, RECT))?;
    }
    array.execute(not_in_place(bit))
}

/// The rectangle that a grid covers, as far as it is on the array.
fn clipped(size: Size, grid: Grid, place: Place) -> Result<Region, IoError> {
    let end = |first: usize, length: usize, side: usize| first.saturating_add(length).min(side.saturating_sub(1));
    let (top, left) = (place.row.saturating_add_signed(grid.top), place.column.saturating_add_signed(grid.left));
    let (height, width) = extent(grid);
    let (bottom, right) = (end(top, height, size.height), end(left, width, size.width));
    Ok(Region::new(address(size, top, right)?, address(size, bottom, left)?))
}

/// The rectangle that a grid covers, which is on the array.
fn region(size: Size, grid: Grid, place: Place) -> Result<Region, IoError> {
    let outside = IoError::NoAddresses(size);
    let top = place.row.checked_add_signed(grid.top).ok_or(outside)?;
    let left = place.column.checked_add_signed(grid.left).ok_or(outside)?;
    let (height, width) = extent(grid);
    let region =
        Region::new(address(size, top, left.saturating_add(width))?, address(size, top.saturating_add(height), left)?);
    size.check(region)?;
    Ok(region)
}

/// The rows and columns from the first to the last pixel of a grid.
fn extent(grid: Grid) -> (usize, usize) {
    let along = |count: usize, step: usize| count.saturating_sub(1).saturating_mul(step);
    (along(grid.height, grid.row_step), along(grid.width, grid.column_step))
}

/// The address of a PE in that row from the top and that column from the left.
fn address(size: Size, row: usize, column: usize) -> Result<Address, IoError> {
    let outside = IoError::NoAddresses(size);
    let from_right = size.width.checked_sub(column.saturating_add(1)).ok_or(outside)?;
    let narrow = |number: usize| u16::try_from(number).map_err(|_| outside);
    Ok(Address::new(narrow(row)?, narrow(from_right)?))
}

fn read_out<A, W>(array: &mut A, read: &ReadOut<W>, place: Place, numbers: &mut [f64]) -> Result<(), A::Error>
where
    A: ArrayIo + ?Sized,
    W: AsRef<[Area]>,
{
    let grid = read.grid;
    if let (Held::Reg(reg), Some(windows), true) = (read.from, &read.windows, read.mean)
        && are_blocks(array.size(), grid, place, windows.as_ref())
    {
        return means(array, reg, read, numbers);
    }
    let count = read.windows.as_ref().map_or(grid.height * grid.width, |windows| windows.as_ref().len());
    let numbers = numbers.get_mut(read.first..).unwrap_or_default();
    let count = count.min(numbers.len());
    let numbers = &mut numbers[..count];
    if !read.adds {
        numbers.fill(0.0);
    }
    rows(array, read.from, grid, place, |row, pixels| match &read.windows {
        None => {
            for (number, pixel) in numbers.iter_mut().skip(row * grid.width).zip(pixels) {
                *number += read.scale * pixel + read.shift;
            }
        }
        Some(windows) => {
            let mut line = [0.0; LONGEST];
            let width = line.iter_mut().zip(pixels).map(|(place, pixel)| *place = pixel).count();
            for (number, area) in numbers.iter_mut().zip(windows.as_ref()) {
                if (area.top..area.top + area.height).contains(&row) {
                    let sum = line[area.left.min(width)..(area.left + area.width).min(width)].iter().sum::<f64>();
                    let sum = read.scale * sum + read.shift * real(area.width);
                    *number += if read.mean { sum / real(area.height * area.width) } else { sum };
                }
            }
        }
    })
}

/// The most pixels of a row.
const LONGEST: usize = 256;

/// Reads a map row by row, as many rows at a time as the buffer holds: analogue values in DN, and bits as 0 and 1.
fn rows<A: ArrayIo + ?Sized>(
    array: &mut A,
    from: Held,
    grid: Grid,
    place: Place,
    mut each: impl FnMut(usize, &mut dyn Iterator<Item = f64>),
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
        let region = region(size, part, place)?;
        match from {
            Held::Reg(reg) => {
                let scan = Scan { region, row_step: step(grid.row_step), column_step: step(grid.column_step) };
                let scanned = array.scan(reg, scan, &mut buffer)?;
                for row in 0..count {
                    // Columns come from the right.
                    let value = |column: usize| {
                        let code = buffer[..scanned].get((grid.width - 1 - column) * count + row);
                        f64::from(*code.unwrap_or(&ZERO)) - f64::from(ZERO)
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
                        f64::from(packed[column / 8] >> (column % 8) & 1)
                    };
                    each(first + row, &mut (0..grid.width).map(value));
                }
            }
        }
        first += count;
    }
    Ok(())
}

/// The converter's code of 0 DN.
const ZERO: u8 = 128;

/// The level nearest to a value; there is no `round` without the standard library.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn nearest(value: f64) -> i8 {
    (value + half(value)) as i8
}

/// What added to a value lets the whole part be the nearest whole number.
const fn half(value: f64) -> f64 {
    if value < 0.0 { -0.5 } else { 0.5 }
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

fn means<A, W>(array: &mut A, reg: Reg, read: &ReadOut<W>, numbers: &mut [f64]) -> Result<(), A::Error>
where
    A: ArrayIo + ?Sized,
{
    let mut codes = [0; 64];
    array.scan_means(reg, &mut codes)?;
    for (i, number) in numbers.iter_mut().skip(read.first).take(codes.len()).enumerate() {
        // Columns come from the right, each from the top.
        let code = codes[(7 - i % 8) * 8 + i / 8];
        *number = read.scale * (f64::from(code) - f64::from(ZERO)) + read.shift;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a map has fewer pixels than 2^53")]
const fn real(count: usize) -> f64 {
    count as f64
}
