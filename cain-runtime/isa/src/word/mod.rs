//! Control words (ICWs), which the controller can send to all PEs at once.

mod bus;
mod clock;
mod error;
mod logic;
pub(crate) mod native;
mod operands;
#[cfg(test)]
mod tests;

use core::fmt;

use crate::{Cell, Dreg, Renaming};

pub use bus::{Bus, Transfer};
pub use clock::Clock;
pub use error::WordError;
pub use logic::{Logic, Operation, Path};
pub use operands::{Axes, Bits, Blur, FromNeighbours, Square, Sum};

/// An instruction code word (ICW), the only thing that PEs carry out; every macro instruction is a short sequence of
/// them.
///
/// ```
/// use cain_isa::{Cell, Reg, Word};
///
/// let halve = Word::new(&[Cell::Reg(Reg::B), Cell::News], &[Cell::Reg(Reg::A)]).unwrap();
/// assert_eq!(halve.to_string(), "bus2(B,NEWS,A);");
/// // A cell can be connected only once.
/// assert!(Word::new(&[Cell::Reg(Reg::A)], &[Cell::Reg(Reg::A)]).is_err());
/// ```
///
/// Two bits decide which PEs take part. Analogue cells are written only where the FLAG of the PE that owns the cell is
/// 1, so the FLAG of a PE that writes its neighbour's NEWS through a port does not matter. Digital registers are
/// written whatever FLAG is, but `R12` only where `R0` is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// A transfer over the analogue bus: `bus`, `bus2`, `bus3`.
    Bus(Bus),
    /// `rpix`: the photo-sensors start anew from their reset level, in every PE, whatever its FLAG: the photo-sensor is
    /// not a cell that the bus writes, and its reset line has no gate.
    ResetPixels,
    /// `nop`: does nothing for the duration of a word.
    Nop,
    /// `where`: sets FLAG to 1 where the sum of the cells is positive, and to 0 elsewhere.
    Where(Sum),
    /// `WHERE`: sets FLAG to the OR of the bits.
    WhereBits(Bits),
    /// `all`: sets FLAG to 1 in every PE.
    All,
    /// A word on digital registers of the same PE.
    Logic(Logic),
    /// `DNEWS0` or `DNEWS1`.
    FromNeighbours(FromNeighbours),
    /// The first word of `PROP0` and `PROP1`: puts `R12` on the bus that joins the PEs.
    ReadPropagation,
    /// The second word of `PROP0` and `PROP1`: sets `R12` to 1 in all PEs with `R0` = 1 that a 1 in `R12` reaches
    /// through such PEs, along the directions permitted by `R1` to `R4` of the receiving PE.
    Propagate {
        /// The bit that comes in from outside the array: 0 for `PROP0`, 1 for `PROP1`.
        outside: bool,
    },
    /// `blurset`: prepares a diffusion.
    PrepareBlur,
    /// `blur`, `blurh` or `blurv`.
    Blur(Blur),
    /// `sq`: sets NEWS to the square of the sum of the cells, in a scale that is not published.
    Square(Square),
}

impl Word {
    /// The most destinations that a transfer has (`bus3`).
    pub const MAX_DESTINATIONS: usize = Bus::MAX_DESTINATIONS;
    /// The most sources that a transfer has (`bus`).
    pub const MAX_SOURCES: usize = Bus::MAX_SOURCES;

    /// The transfer that writes `destinations` from `sources`, if the bus allows it.
    pub const fn new(destinations: &[Cell], sources: &[Cell]) -> Result<Self, WordError> {
        match Bus::new(destinations, sources) {
            Ok(bus) => Ok(Self::Bus(bus)),
            Err(error) => Err(error),
        }
    }

    /// The analogue cells that are written, in the order of the listing.
    #[must_use]
    pub fn destinations(&self) -> &[Cell] {
        match self {
            Self::Bus(bus) => bus.destinations(),
            Self::Blur(blur) => core::slice::from_ref(&blur.to),
            Self::Square(_) => &[Cell::News],
            Self::ResetPixels
            | Self::Nop
            | Self::Where(_)
            | Self::WhereBits(_)
            | Self::All
            | Self::Logic(_)
            | Self::FromNeighbours(_)
            | Self::ReadPropagation
            | Self::Propagate { .. }
            | Self::PrepareBlur => &[],
        }
    }

    /// The analogue cells that are read, in the order of the listing.
    #[must_use]
    pub fn sources(&self) -> &[Cell] {
        match self {
            Self::Bus(bus) => bus.sources(),
            Self::Where(sum) => sum.cells(),
            Self::Blur(blur) => core::slice::from_ref(&blur.from),
            Self::Square(square) => square.cells(),
            Self::ResetPixels
            | Self::Nop
            | Self::WhereBits(_)
            | Self::All
            | Self::Logic(_)
            | Self::FromNeighbours(_)
            | Self::ReadPropagation
            | Self::Propagate { .. }
            | Self::PrepareBlur => &[],
        }
    }

    /// The digital registers written, in the order of the listing.
    #[must_use]
    pub fn targets(&self) -> &[Dreg] {
        match self {
            Self::Logic(logic) => logic.targets(),
            Self::FromNeighbours(word) => core::slice::from_ref(&word.target),
            Self::Propagate { .. } => const { &[Dreg::ALL[12]] },
            Self::Bus(_)
            | Self::ResetPixels
            | Self::Nop
            | Self::Where(_)
            | Self::WhereBits(_)
            | Self::All
            | Self::ReadPropagation
            | Self::PrepareBlur
            | Self::Blur(_)
            | Self::Square(_) => &[],
        }
    }

    /// What the word transfers between analogue cells, one transfer per destination, with neighbours resolved into
    /// displacements; nothing for words that are no transfer.
    ///
    /// No source of a word is also one of its destinations, so the transfers may be carried out in any order.
    #[must_use]
    pub fn transfers(&self) -> impl ExactSizeIterator<Item = Transfer> + use<> {
        let bus = match self {
            Self::Bus(bus) => *bus,
            _ => Bus::NOTHING,
        };
        bus.transfers()
    }

    /// The clock that the word runs at.
    #[must_use]
    pub const fn clock(&self) -> Clock {
        match self {
            Self::Logic(_) | Self::WhereBits(_) | Self::PrepareBlur => Clock::Digital,
            Self::FromNeighbours(_) => Clock::Neighbours,
            Self::Propagate { .. } => Clock::Propagation,
            Self::Bus(_)
            | Self::ResetPixels
            | Self::Nop
            | Self::Where(_)
            | Self::All
            | Self::ReadPropagation
            | Self::Blur(_)
            | Self::Square(_) => Clock::Analogue,
        }
    }

    /// The same word on other registers.
    #[must_use]
    pub const fn renamed(self, renaming: Renaming<'_>) -> Self {
        match self {
            Self::Bus(bus) => Self::Bus(bus.renamed(renaming)),
            Self::Where(sum) => Self::Where(sum.renamed(renaming)),
            Self::Blur(blur) => Self::Blur(blur.renamed(renaming)),
            Self::Square(square) => Self::Square(square.renamed(renaming)),
            word => word,
        }
    }

    /// The first rule that the word breaks.
    pub(crate) const fn broken_rule(&self) -> Option<WordError> {
        match self {
            Self::Bus(bus) => bus.broken_rule(),
            Self::Where(sum) => sum.broken_rule(),
            Self::Logic(logic) => logic.broken_rule(),
            Self::FromNeighbours(word) => word.broken_rule(),
            Self::Blur(blur) => blur.broken_rule(),
            Self::Square(square) => square.broken_rule(),
            Self::ResetPixels
            | Self::Nop
            | Self::WhereBits(_)
            | Self::All
            | Self::ReadPropagation
            | Self::Propagate { .. }
            | Self::PrepareBlur => None,
        }
    }
}

impl From<Bus> for Word {
    fn from(bus: Bus) -> Self {
        Self::Bus(bus)
    }
}

impl From<Logic> for Word {
    fn from(logic: Logic) -> Self {
        Self::Logic(logic)
    }
}

impl fmt::Display for Word {
    /// Writes the vendor's spelling, destinations first: `bus2(B,NEWS,A);`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bus(bus) => bus.fmt(f),
            Self::ResetPixels => f.write_str("rpix();"),
            Self::Nop => f.write_str("nop();"),
            Self::Where(sum) => list(f, "where", sum.cells()),
            Self::WhereBits(bits) => list(f, "WHERE", bits.bits()),
            Self::All => f.write_str("all();"),
            Self::Logic(logic) => logic.fmt(f),
            Self::FromNeighbours(word) => word.fmt(f),
            Self::ReadPropagation => f.write_str("read_propagation();"),
            Self::Propagate { outside } => write!(f, "propagate_{}();", u8::from(*outside)),
            Self::PrepareBlur => f.write_str("blurset();"),
            Self::Blur(blur) => blur.fmt(f),
            Self::Square(square) => list(f, "sq", square.cells()),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, name: &str, operands: &[impl fmt::Display]) -> fmt::Result {
    write!(f, "{name}(")?;
    for (i, operand) in operands.iter().enumerate() {
        write!(f, "{}{operand}", if i == 0 { "" } else { "," })?;
    }
    f.write_str(");")
}
