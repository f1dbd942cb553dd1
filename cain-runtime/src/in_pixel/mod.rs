//! Carrying out networks whose weights are in the pixels.
//!
//! Their programs are lists of [`Step`]s, which [`run`] carries out on any array, after [`load`] has written the weights. What
//! they are, and how they are made, is in `cain_network::in_pixel`.

mod load;

use crate::io::{Address, ArrayIo, IoError, Pattern, Region, Size};
use crate::isa::in_pixel::{Count, Rectangle, Selection, Step};
use crate::isa::{Bit, Word};

pub use load::load;

/// Carries out the steps of a program and writes the scores that are read, as many as there is room for. How many there are.
///
/// A sum over the array is a score in steps of the converter, [`SUM_STEP`](crate::io::SUM_STEP) DN; counted ones are exact.
///
/// ```
/// # #[cfg(feature = "sim")]
/// # fn main() -> Result<(), cain_runtime::sim::SimError> {
/// use cain_runtime::in_pixel::run;
/// use cain_runtime::isa::in_pixel::{Selection, Step};
/// use cain_runtime::isa::{Instruction, Reg, asm::*, asm::digital::*};
/// use cain_runtime::sim::Array;
///
/// // 64 DN in every odd column, and their sum.
/// let words = [bus(&[NEWS], &[]), where_bits(&[SELECT]), bus(&[NEWS], &[IN]), all(), bus(&[reg(A)], &[NEWS])];
/// let words = words.iter().flat_map(Instruction::words).collect::<Vec<_>>();
/// let odd = Selection { column: 1, free_column_bits: !1, ..Selection::ALL };
/// let program = [Step::Level(64), Step::Select(odd), Step::Execute(words), Step::Sum(Reg::A)];
///
/// let mut array = Array::new(64, 64);
/// let mut scores = [0];
/// run(&mut array, &program, &mut scores)?;
/// assert_eq!(scores, [32]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "sim"))]
/// # fn main() {}
/// ```
pub fn run<'s, A, L>(
    array: &mut A,
    steps: impl IntoIterator<Item = &'s Step<L>>,
    scores: &mut [i32],
) -> Result<usize, A::Error>
where
    A: ArrayIo + ?Sized,
    L: AsRef<[Word]> + 's,
{
    let size = array.size();
    let mut scores = scores.iter_mut();
    let mut found = 0;
    let mut add = |score: i32| {
        if let Some(place) = scores.next() {
            *place = score;
        }
        found += 1;
    };
    for step in steps {
        match step {
            Step::Execute(words) => array.issue_all(words.as_ref())?,
            Step::Level(level) => array.set_level(*level)?,
            Step::Select(selection) => array.select_pattern(pattern(size, *selection)?)?,
            Step::Region(rectangle) => array.select_region(region(size, *rectangle)?)?,
            Step::Sum(reg) => add(i32::from(array.sum_fast(*reg)?) - 128),
            Step::Count(count) => counted(array, count)?.into_iter().take(count.classes).for_each(&mut add),
        }
    }
    Ok(found)
}

/// The scores that bits hold.
fn counted<A: ArrayIo + ?Sized>(array: &mut A, count: &Count) -> Result<[i32; Count::MOST_CLASSES], A::Error> {
    let size = array.size();
    let mut scores = [0; Count::MOST_CLASSES];
    // An array of 256 columns is the widest that numbers are laid out for.
    let mut bytes = [0; 32];
    for row in 0..count.rows() {
        let last = address(size, row, count.columns().saturating_sub(1))?;
        array.scan_bits(Bit::Reg(count.register), (last.row, last.row), &mut bytes)?;
        // Columns count from the right there.
        let bit = |_, column: usize| {
            let place = size.width - 1 - column;
            bytes[place / 8] >> (place % 8) & 1 == 1
        };
        for class in (row * count.group..count.classes).take(count.group) {
            if let Some(score) = scores.get_mut(class) {
                *score = count.score(class, bit);
            }
        }
    }
    Ok(scores)
}

/// The class with the largest sum, the first one of equals.
///
/// ```
/// assert_eq!(cain_runtime::in_pixel::class(&[-8, 3, 0, 3]), 1);
/// ```
#[must_use]
pub fn class<T: Ord>(sums: &[T]) -> usize {
    let largest = sums.iter().max();
    sums.iter().position(|sum| Some(sum) == largest).unwrap_or(0)
}

/// The same PEs as the controller addresses them: with columns from the right, which turns the bits of a column's number
/// over where the number of columns is a power of two.
fn pattern(size: Size, selection: Selection) -> Result<Pattern, IoError> {
    let all = u16::try_from(size.width).ok().filter(|width| width.is_power_of_two());
    let last = all.ok_or(IoError::NoAddresses(size))? - 1;
    Ok(Pattern {
        row: selection.row,
        column: selection.column ^ last,
        free_row_bits: selection.free_row_bits,
        free_column_bits: selection.free_column_bits,
    })
}

fn region(size: Size, rectangle: Rectangle) -> Result<Region, IoError> {
    let outside = IoError::NoAddresses(size);
    let last = |first: usize, length: usize| first.checked_add(length)?.checked_sub(1);
    let bottom = last(rectangle.top, rectangle.height).ok_or(outside)?;
    let right = last(rectangle.left, rectangle.width).ok_or(outside)?;
    let region = Region::new(address(size, rectangle.top, right)?, address(size, bottom, rectangle.left)?);
    size.check(region)?;
    Ok(region)
}

/// The address of a PE in that row from the top and that column from the left.
fn address(size: Size, row: usize, column: usize) -> Result<Address, IoError> {
    let outside = IoError::NoAddresses(size);
    let from_right = size.width.checked_sub(column.saturating_add(1)).ok_or(outside)?;
    let narrow = |number: usize| u16::try_from(number).map_err(|_| outside);
    Ok(Address::new(narrow(row)?, narrow(from_right)?))
}
