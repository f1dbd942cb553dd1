//! Operands of words that are neither transfers nor logic within a PE.

use core::fmt;

use super::{Bus, Transfer, WordError};
use crate::{Bit, Cell, Displacement, Dreg, Renaming, Store};

/// A sum of one to three analogue cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    cells: [Cell; Self::MAX_CELLS],
    count: u8,
}

impl Sum {
    /// The most cells of a sum.
    pub const MAX_CELLS: usize = 3;

    /// The sum of these cells, if one bus can form it.
    pub const fn new(cells: &[Cell]) -> Result<Self, WordError> {
        if cells.is_empty() {
            return Err(WordError::TooFewRegisters);
        }
        if cells.len() > Self::MAX_CELLS {
            return Err(WordError::TooManySources { max: Self::MAX_CELLS });
        }
        let sum = Self::assemble(cells);
        match sum.broken_rule() {
            Some(error) => Err(error),
            None => Ok(sum),
        }
    }

    /// Assembles a sum without checking the rules; lists beyond the limit are truncated.
    pub(crate) const fn assemble(cells: &[Cell]) -> Self {
        let mut sum = Self { cells: [Cell::News; Self::MAX_CELLS], count: 0 };
        let mut i = 0;
        while i < cells.len() && i < Self::MAX_CELLS {
            sum.cells[i] = cells[i];
            sum.count += 1;
            i += 1;
        }
        sum
    }

    /// The same sum on other registers.
    pub(crate) const fn renamed(mut self, renaming: Renaming<'_>) -> Self {
        let mut i = 0;
        while i < self.cells.len() {
            self.cells[i] = renaming.cell(self.cells[i]);
            i += 1;
        }
        self
    }

    pub(crate) const fn broken_rule(self) -> Option<WordError> {
        WordError::clash(self.cells.split_at(self.count as usize).0)
    }

    /// The cells, in the order of the listing.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.count)]
    }

    /// The storage cells that are summed, each with the displacement it is read from.
    #[must_use]
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (Store, Displacement)> + use<> {
        let cells = self.cells;
        (0..usize::from(self.count)).map(move |i| cells[i].seen_from(Displacement::ZERO))
    }
}

/// A sum of one or two analogue cells that is squared into NEWS.
///
/// `sq` is a word of its own in the vendor's library, not a macro instruction; the scale of its result is not
/// published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(Sum);

impl Square {
    /// The most cells whose sum is squared.
    pub const MAX_CELLS: usize = 2;

    /// The square of the sum of these cells, if one bus can form it together with NEWS.
    pub const fn new(cells: &[Cell]) -> Result<Self, WordError> {
        if cells.len() > Self::MAX_CELLS {
            return Err(WordError::TooManySources { max: Self::MAX_CELLS });
        }
        let square = match Sum::new(cells) {
            Ok(sum) => Self(sum),
            Err(error) => return Err(error),
        };
        match square.broken_rule() {
            Some(error) => Err(error),
            None => Ok(square),
        }
    }

    pub(crate) const fn broken_rule(self) -> Option<WordError> {
        let mut connected = [Cell::News; Self::MAX_CELLS + 1];
        let count = self.0.count as usize;
        let mut i = 0;
        while i < count {
            connected[i + 1] = self.0.cells[i];
            i += 1;
        }
        WordError::clash(connected.split_at(count + 1).0)
    }

    /// The same square on other registers.
    pub(crate) const fn renamed(self, renaming: Renaming<'_>) -> Self {
        Self(self.0.renamed(renaming))
    }

    /// The sum that is squared.
    #[must_use]
    pub const fn sum(&self) -> Sum {
        self.0
    }

    /// The cells, in the order of the listing.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        self.0.cells()
    }
}

/// A list of one to three bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    bits: [Bit; Self::MAX_BITS],
    count: u8,
}

impl Bits {
    /// The most bits that `WHERE` takes.
    pub const MAX_BITS: usize = 3;

    /// The OR of these bits; an error if there are none or too many.
    pub const fn new(bits: &[Bit]) -> Result<Self, WordError> {
        if bits.is_empty() {
            return Err(WordError::TooFewRegisters);
        }
        if bits.len() > Self::MAX_BITS {
            return Err(WordError::TooManyRegisters);
        }
        Ok(Self::assemble(bits))
    }

    /// Assembles a list without checking the rules; lists beyond the limit are truncated.
    pub(crate) const fn assemble(bits: &[Bit]) -> Self {
        let mut list = Self { bits: [Bit::Flag; Self::MAX_BITS], count: 0 };
        let mut i = 0;
        while i < bits.len() && i < Self::MAX_BITS {
            list.bits[i] = bits[i];
            list.count += 1;
            i += 1;
        }
        list
    }

    /// The bits, in the order of the listing.
    #[must_use]
    pub fn bits(&self) -> &[Bit] {
        &self.bits[..usize::from(self.count)]
    }
}

/// The word `DNEWS0` or `DNEWS1`: a digital register becomes the OR of a bit of those neighbours whose directions are
/// enabled.
///
/// In the PE that receives, `R1` enables the south, `R2` the west, `R3` the north and `R4` the east.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FromNeighbours {
    pub(crate) target: Dreg,
    pub(crate) source: Bit,
    pub(crate) outside: bool,
}

impl FromNeighbours {
    /// The word that writes `target` from the `source` of the neighbours; PEs outside the array hold `outside`.
    pub const fn new(target: Dreg, source: Bit, outside: bool) -> Result<Self, WordError> {
        let word = Self { target, source, outside };
        match word.broken_rule() {
            Some(error) => Err(error),
            None => Ok(word),
        }
    }

    /// The first rule that the word breaks: it must not write a register that it reads, and it reads the four switches.
    pub(crate) const fn broken_rule(self) -> Option<WordError> {
        if self.source.is(self.target) || matches!(self.target.number(), 1..=4) {
            return Some(WordError::InPlace(self.target));
        }
        None
    }

    /// The register that is written.
    #[must_use]
    pub const fn target(&self) -> Dreg {
        self.target
    }

    /// The bit that is read.
    #[must_use]
    pub const fn source(&self) -> Bit {
        self.source
    }

    /// The bit that PEs outside the array hold.
    #[must_use]
    pub const fn outside(&self) -> bool {
        self.outside
    }
}

impl fmt::Display for FromNeighbours {
    /// Writes, for example, `DNEWS0(R5,R6);`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DNEWS{}({},{});", u8::from(self.outside), self.target, self.source)
    }
}

/// The word `blur`, `blurh` or `blurv`: a cell becomes minus another one, spread out to the neighbours where `R1` and
/// `R2` permit.
///
/// How far it spreads is not published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blur {
    pub(crate) axes: Axes,
    pub(crate) to: Cell,
    pub(crate) from: Cell,
}

/// The axes along which a diffusion spreads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axes {
    /// East and west, north and south.
    Both,
    /// East and west.
    Horizontal,
    /// North and south.
    Vertical,
}

impl Blur {
    /// The diffusion from one cell into another.
    pub const fn new(axes: Axes, to: Cell, from: Cell) -> Result<Self, WordError> {
        let word = Self { axes, to, from };
        match word.broken_rule() {
            Some(error) => Err(error),
            None => Ok(word),
        }
    }

    pub(crate) const fn broken_rule(self) -> Option<WordError> {
        match (self.to, self.from) {
            (Cell::Pix | Cell::In, _) => Some(WordError::ReadOnly(self.to)),
            (Cell::Port(port), _) | (_, Cell::Port(port)) => Some(WordError::BlurredPort(port)),
            _ => WordError::clash(&[self.to, self.from]),
        }
    }

    /// The same diffusion on other registers.
    pub(crate) const fn renamed(self, renaming: Renaming<'_>) -> Self {
        Self { axes: self.axes, to: renaming.cell(self.to), from: renaming.cell(self.from) }
    }

    /// The transfer that the word would carry out if nothing spread.
    #[must_use]
    pub fn transfer(&self) -> Transfer {
        Transfer::to(&Bus::assemble(&[self.to], &[self.from]), self.to)
    }

    /// The axes along which it spreads.
    #[must_use]
    pub const fn axes(&self) -> Axes {
        self.axes
    }

    /// The cell that is written.
    #[must_use]
    pub const fn to(&self) -> Cell {
        self.to
    }

    /// The cell that is read.
    #[must_use]
    pub const fn from(&self) -> Cell {
        self.from
    }
}

impl fmt::Display for Blur {
    /// Writes, for example, `blurh(NEWS,A);`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = match self.axes {
            Axes::Both => "",
            Axes::Horizontal => "h",
            Axes::Vertical => "v",
        };
        write!(f, "blur{axis}({},{});", self.to, self.from)
    }
}
