//! The rules of words.

use core::fmt;

use crate::{Cell, Direction, Dreg, Reg};

/// A rule that a word breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordError {
    /// The word writes nothing.
    NoDestination,
    /// The word has more than three destinations.
    TooManyDestinations,
    /// The word has more sources than the vendor's form with this number of destinations takes.
    TooManySources {
        /// The most sources that it takes.
        max: usize,
    },
    /// The word has three destinations and no source, a form that the vendor's library does not have.
    NoSource,
    /// A register is connected to the bus twice.
    Repeated(Reg),
    /// Two names of the NEWS family are on one bus. They are one cell, so one word cannot both read and write it, and
    /// reading it twice would give an average and not a sum.
    NewsTwice(Cell, Cell),
    /// A port is one of several destinations; it is not known what the chip does then.
    SharedPort(Direction),
    /// A diffusion reads or writes a port.
    BlurredPort(Direction),
    /// `PIX` or `IN` is written.
    ReadOnly(Cell),
    /// `PIX` or `IN` is connected to the bus twice.
    SourceTwice(Cell),
    /// A digital word has more operands than the vendor's form takes.
    TooManyRegisters,
    /// A digital word lacks operands.
    TooFewRegisters,
    /// The word reads a digital register that it writes.
    InPlace(Dreg),
}

impl WordError {
    /// The first two of these cells that one bus cannot connect.
    pub(crate) const fn clash(cells: &[Cell]) -> Option<Self> {
        let mut i = 0;
        while i < cells.len() {
            let mut j = i + 1;
            while j < cells.len() {
                if cells[i].conflicts(cells[j]) {
                    return Some(match cells[i] {
                        Cell::Reg(reg) => Self::Repeated(reg),
                        Cell::Pix | Cell::In => Self::SourceTwice(cells[i]),
                        _ => Self::NewsTwice(cells[i], cells[j]),
                    });
                }
                j += 1;
            }
            i += 1;
        }
        None
    }
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDestination => f.write_str("a word needs a destination"),
            Self::TooManyDestinations => f.write_str("a word has at most three destinations"),
            Self::TooManySources { max } => write!(f, "this form of a word takes at most {max} sources"),
            Self::NoSource => f.write_str(
                "a word with three destinations needs a source; without one, fill them with a `bus2` and a `bus`",
            ),
            Self::Repeated(reg) => {
                write!(f, "register `{reg}` is connected twice to one bus; use another register for one of them")
            }
            Self::NewsTwice(first, second) => {
                write!(
                    f,
                    "`{first}` and `{second}` are both NEWS, of which one word connects at most one; \
                     several ports are averaged only if they are all the sources of one destination"
                )
            }
            Self::SharedPort(port) => {
                write!(f, "port `{}` cannot share a word with other destinations", Cell::Port(*port))
            }
            Self::BlurredPort(port) => {
                write!(f, "a diffusion takes no port such as `{}`; use a register or NEWS", Cell::Port(*port))
            }
            Self::ReadOnly(cell) => write!(f, "`{cell}` cannot be written; it is a source only"),
            Self::SourceTwice(cell) => write!(f, "`{cell}` is connected twice to one bus; name it once"),
            Self::TooManyRegisters => f.write_str("the digital word takes fewer operands; split it into several"),
            Self::TooFewRegisters => f.write_str("the digital word takes more operands"),
            Self::InPlace(register) => write!(
                f,
                "register `{register}` is read and written by one digital word; use an instruction in place or another register"
            ),
        }
    }
}

impl core::error::Error for WordError {}
