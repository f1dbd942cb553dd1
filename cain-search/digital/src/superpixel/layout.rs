//! The assignment of bits to the PEs of a block.

use core::fmt;

use cain_isa::Direction;

/// The place of a PE in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The column, counted from the west edge of the block.
    pub column: usize,
    /// The row, counted from the north edge.
    pub row: usize,
}

/// Blocks of PEs whose registers hold one bit in each PE: a block has one number per register, or several in banks.
///
/// Blocks begin at the top right corner of the array, from where the controller counts rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    width: usize,
    height: usize,
    /// The PEs of each bank, lowest bit first.
    banks: Vec<Vec<Place>>,
}

impl Layout {
    /// The most PEs along one side of a block.
    pub const MAX_SIDE: usize = 16;
    /// The most bits of a number.
    pub const MAX_BITS: usize = 64;

    /// The layout given by one matrix for each bank, rows from the north: 1 marks the place of the lowest bit, the
    /// largest entry that of the sign, and 0 a PE without a bit.
    pub fn new(orders: &[Vec<Vec<usize>>]) -> Result<Self, LayoutError> {
        let height = orders.first().map_or(0, Vec::len);
        let width = orders.first().and_then(|rows| rows.first()).map_or(0, Vec::len);
        let is_side = |side: usize| side.is_power_of_two() && side <= Self::MAX_SIDE;
        if !is_side(width) || !is_side(height) {
            return Err(LayoutError::Size { width, height });
        }
        let mut layout = Self { width, height, banks: Vec::new() };
        let mut taken = Vec::new();
        for (bank, rows) in orders.iter().enumerate() {
            if rows.len() != height || rows.iter().any(|row| row.len() != width) {
                return Err(LayoutError::Shape { bank });
            }
            let places = places(bank, rows)?;
            if let Some(&place) = places.iter().find(|place| taken.contains(*place)) {
                return Err(LayoutError::Shared { bank, place });
            }
            taken.extend(&places);
            layout.banks.push(places);
        }
        Ok(layout)
    }

    /// The number of columns of a block.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The number of rows of a block.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The number of banks.
    #[must_use]
    pub const fn banks(&self) -> usize {
        self.banks.len()
    }

    /// The PEs of a bank, lowest bit first.
    #[must_use]
    pub fn places(&self, bank: usize) -> &[Place] {
        self.banks.get(bank).map_or(&[], Vec::as_slice)
    }

    /// The matrix of a bank: the number of each bit, from 1, and 0 where there is none.
    #[must_use]
    pub fn order(&self, bank: usize) -> Vec<Vec<usize>> {
        let places = self.places(bank);
        let bit = |place| places.iter().position(|other| *other == place).map_or(0, |bit| bit + 1);
        let row = |row| (0..self.width).map(|column| bit(Place { column, row })).collect();
        (0..self.height).map(row).collect()
    }

    /// The offset between two banks of the same shape, in columns to the east and rows to the north; `None` if their
    /// shapes differ.
    pub(super) fn offset(&self, from: usize, to: usize) -> Option<(i32, i32)> {
        let (from, to) = (self.places(from), self.places(to));
        let mut steps = from.iter().zip(to).map(|(from, to)| between(*from, *to));
        let first = steps.next()?;
        (from.len() == to.len() && steps.all(|step| step == first)).then_some(first)
    }

    /// All PEs of a block, row by row.
    pub(super) fn block(&self) -> impl Iterator<Item = Place> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| (0..width).map(move |column| Place { column, row }))
    }

    /// The same for each PE of a block.
    pub(super) fn same<T: Clone>(&self, one: &T) -> Vec<T> {
        vec![one.clone(); self.width * self.height]
    }

    /// The number of a PE in a block.
    pub(super) const fn index(&self, place: Place) -> usize {
        place.row * self.width + place.column
    }

    /// The direction of the next lower bit, for PEs that have one.
    pub(super) fn lower(&self, place: Place) -> Option<Direction> {
        let bank = self.banks.iter().find(|bank| bank.contains(&place))?;
        let bit = bank.iter().position(|other| *other == place)?;
        towards(place, *bank.get(bit.checked_sub(1)?)?)
    }

    /// The directions in which some PE has its next lower bit.
    pub(super) fn directions(&self) -> impl Iterator<Item = Direction> + use<'_> {
        let is_used = |direction: &Direction| self.block().any(|place| self.lower(place) == Some(*direction));
        Direction::ALL.into_iter().filter(is_used)
    }

    /// Whether a PE holds the lowest bit of a bank.
    pub(super) fn is_lowest(&self, place: Place) -> bool {
        self.banks.iter().any(|bank| bank.first() == Some(&place))
    }

    /// Whether every PE belongs to a bank.
    pub(super) fn is_full(&self) -> bool {
        self.banks.iter().map(Vec::len).sum::<usize>() == self.width * self.height
    }
}

/// The PEs of the bits of a bank.
fn places(bank: usize, rows: &[Vec<usize>]) -> Result<Vec<Place>, LayoutError> {
    let entries = rows
        .iter()
        .enumerate()
        .flat_map(|(row, bits)| bits.iter().enumerate().map(move |(column, &bit)| (bit, Place { column, row })));
    let mut entries: Vec<(usize, Place)> = entries.filter(|(bit, _)| *bit > 0).collect();
    entries.sort_unstable();
    if entries.is_empty() || entries.len() > Layout::MAX_BITS {
        return Err(LayoutError::Bits { bank, bits: entries.len() });
    }
    for (place, pair) in entries.iter().enumerate() {
        if pair.0 != place + 1 {
            return Err(LayoutError::Numbering { bank, bit: place + 1 });
        }
    }
    let jump = entries.windows(2).find(|pair| towards(pair[1].1, pair[0].1).is_none());
    if let Some(jump) = jump {
        return Err(LayoutError::Jump { bank, bit: jump[0].0 });
    }
    Ok(entries.into_iter().map(|(_, place)| place).collect())
}

/// The step from one place to another, in columns to the east and rows to the north.
fn between(from: Place, to: Place) -> (i32, i32) {
    let distance = |from: usize, to: usize| i32::try_from(to).unwrap_or(0) - i32::try_from(from).unwrap_or(0);
    (distance(from.column, to.column), -distance(from.row, to.row))
}

/// The direction from a place to a neighbouring one.
pub(super) fn towards(from: Place, to: Place) -> Option<Direction> {
    let step = between(from, to);
    Direction::ALL.into_iter().find(|direction| {
        let displacement = direction.displacement();
        (i32::from(displacement.x), i32::from(displacement.y)) == step
    })
}

/// An error in a layout; banks and bits are numbered as in the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// The sides of a block are not powers of two, or too long.
    Size {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
    /// A matrix differs in size from the first one.
    Shape {
        /// The bank, from 0.
        bank: usize,
    },
    /// A bank has no bits, or too many.
    Bits {
        /// The bank, from 0.
        bank: usize,
        /// The number of its bits.
        bits: usize,
    },
    /// A bit is missing or given twice.
    Numbering {
        /// The bank, from 0.
        bank: usize,
        /// The bit, from 1.
        bit: usize,
    },
    /// Consecutive bits are not in neighbouring PEs.
    Jump {
        /// The bank, from 0.
        bank: usize,
        /// The lower bit, from 1.
        bit: usize,
    },
    /// Two banks have a PE in common.
    Shared {
        /// The second bank, from 0.
        bank: usize,
        /// The PE.
        place: Place,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Size { width, height } => write!(
                f,
                "a block of {width}×{height} PEs does not divide the array as the controller addresses it; both sides must be \
                 1, 2, 4, 8 or {}",
                Layout::MAX_SIDE
            ),
            Self::Shape { bank } => write!(f, "bank {bank} is not given as rows of the same size as bank 0"),
            Self::Bits { bank, bits } => {
                write!(f, "bank {bank} has {bits} bits; numbers have 1 to {}", Layout::MAX_BITS)
            }
            Self::Numbering { bank, bit } => {
                write!(
                    f,
                    "bank {bank} must have each of the bits 1, 2, 3, .. once, but bit {bit} is missing or given twice"
                )
            }
            Self::Jump { bank, bit } => write!(
                f,
                "bits {bit} and {} of bank {bank} are not in neighbouring PEs; a carry goes from one PE to the next",
                bit + 1
            ),
            Self::Shared { bank, place } => {
                write!(f, "bank {bank} has the PE in row {}, column {} that another bank has", place.row, place.column)
            }
        }
    }
}

impl core::error::Error for LayoutError {}
