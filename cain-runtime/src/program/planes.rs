//! What a frame results in: planes on the array, and numbers of the controller.

use core::marker::PhantomData;

use super::{Place, read};
use crate::io::{ArrayIo, IoError, Size};
use crate::isa::program::{Grid, Held};
use crate::isa::{Bit, Reg};

/// A plane of levels that is a result. It is on the array until the next frame begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels<'f> {
    register: Reg,
    frame: PhantomData<&'f ()>,
}

impl Levels<'_> {
    /// The plane in a register.
    #[must_use]
    pub const fn new(register: Reg) -> Self {
        Self { register, frame: PhantomData }
    }

    /// The register that holds it.
    #[must_use]
    pub const fn register(&self) -> Reg {
        self.register
    }

    /// Reads it, in DN, row by row from the north-west, as the converter delivers it.
    ///
    /// # Errors
    ///
    /// [`IoError::Buffer`] if there is less room than one level for each PE, and those of the array.
    pub fn read<A: ArrayIo + ?Sized>(&self, array: &mut A, levels: &mut [i8]) -> Result<(), A::Error> {
        whole(array, Held::Reg(self.register), levels, |level| {
            #[expect(clippy::cast_possible_truncation, reason = "codes of the converter are bytes")]
            let level = level as i8;
            level
        })
    }
}

/// A plane of bits that is a result. It is on the array until the next frame begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<'f> {
    bit: Bit,
    frame: PhantomData<&'f ()>,
}

impl Bits<'_> {
    /// The plane in a register.
    #[must_use]
    pub const fn new(bit: Bit) -> Self {
        Self { bit, frame: PhantomData }
    }

    /// What holds it.
    #[must_use]
    pub const fn bit(&self) -> Bit {
        self.bit
    }

    /// Reads it, row by row from the north-west.
    ///
    /// # Errors
    ///
    /// [`IoError::Buffer`] if there is less room than one bit for each PE, and those of the array.
    pub fn read<A: ArrayIo + ?Sized>(&self, array: &mut A, bits: &mut [bool]) -> Result<(), A::Error> {
        whole(array, Held::Bit(self.bit), bits, |bit| bit > 0)
    }
}

/// The PEs in which a plane of bits is 1, as a result. It is on the array until the next frame begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Events<'f> {
    bits: Bits<'f>,
    most: usize,
}

impl Events<'_> {
    /// At most so many PEs of the plane in a register.
    #[must_use]
    pub const fn new(bit: Bit, most: usize) -> Self {
        Self { bits: Bits::new(bit), most }
    }

    /// The plane.
    #[must_use]
    pub const fn bits(&self) -> Bits<'_> {
        self.bits
    }

    /// The most PEs that are listed.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.most
    }

    /// Lists them, row by row from the north-west, as many as there is room for; how many are listed.
    ///
    /// # Errors
    ///
    /// Those of the array.
    pub fn read<A: ArrayIo + ?Sized>(&self, array: &mut A, points: &mut [Point]) -> Result<usize, A::Error> {
        let mut free = points.iter_mut().take(self.most);
        let mut listed = 0;
        read::rows(array, Held::Bit(self.bits.bit), all(array.size()), Place::default(), |row, pixels| {
            let ones = pixels.enumerate().filter(|(_, bit)| *bit > 0);
            for ((column, _), point) in ones.zip(free.by_ref()) {
                *point = Point { row, column };
                listed += 1;
            }
        })?;
        Ok(listed)
    }
}

/// All PEs of an array.
const fn all(size: Size) -> Grid {
    Grid::new((0, 0), (1, 1), (size.height, size.width))
}

/// Reads all PEs of a register.
fn whole<A: ArrayIo + ?Sized, T>(
    array: &mut A,
    from: Held,
    into: &mut [T],
    value: impl Fn(i16) -> T,
) -> Result<(), A::Error> {
    let size = array.size();
    let (needed, found) = (size.width * size.height, into.len());
    if found < needed {
        return Err(IoError::Buffer { needed, found }.into());
    }
    read::rows(array, from, all(size), Place::default(), |row, pixels| {
        let line = into.iter_mut().skip(row * size.width);
        line.zip(pixels).for_each(|(place, pixel)| *place = value(pixel));
    })
}

/// A rectangle of PEs that is a result: both ends belong to it. Rows count from the north, columns from the west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Its first row.
    pub top: usize,
    /// Its first column.
    pub left: usize,
    /// Its last row.
    pub bottom: usize,
    /// Its last column.
    pub right: usize,
}

impl Bounds {
    /// The rectangle of four numbers of the controller, if the fifth one is not 0.
    #[must_use]
    pub fn of([top, left, bottom, right, found]: [i64; 5]) -> Option<Self> {
        let [top, left, bottom, right] = [top, left, bottom, right].map(place);
        (found != 0).then_some(Self { top, left, bottom, right })
    }
}

/// A PE that is a result. Rows count from the north, columns from the west.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
}

impl Point {
    /// The PE of two numbers of the controller, if the third one is not 0.
    #[must_use]
    pub fn of([row, column, found]: [i64; 3]) -> Option<Self> {
        let [row, column] = [row, column].map(place);
        (found != 0).then_some(Self { row, column })
    }
}

fn place(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

/// A list that is a result, with as many numbers in each entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List<'f, const WIDTH: usize> {
    added: usize,
    entries: &'f [f64],
}

impl<'f, const WIDTH: usize> List<'f, WIDTH> {
    /// The list that begins with its length among the numbers of the controller.
    #[must_use]
    pub fn new(numbers: &'f [f64], capacity: usize) -> Self {
        let (added, entries) =
            numbers.split_first().map_or((0, &[][..]), |(added, rest)| (place(number(*added)), rest));
        let room = entries.get(..capacity * WIDTH).unwrap_or(entries);
        Self { added, entries: room.get(..added * WIDTH).unwrap_or(room) }
    }

    /// How many entries it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self.entries.len().checked_div(WIDTH) {
            Some(entries) => entries,
            None => 0,
        }
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many more were found than there was room for.
    #[must_use]
    pub const fn missed(&self) -> usize {
        self.added.saturating_sub(self.len())
    }

    /// The entries.
    pub fn iter(&self) -> impl Iterator<Item = [i64; WIDTH]> + use<'f, WIDTH> {
        self.entries.chunks_exact(WIDTH.max(1)).map(|entry| core::array::from_fn(|place| number(entry[place])))
    }
}

/// A number of the controller as a whole number, which it always is.
#[expect(clippy::cast_possible_truncation, reason = "numbers of a controller are small")]
pub(super) fn number(number: f64) -> i64 {
    number as i64
}
