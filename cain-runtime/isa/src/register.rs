//! Analogue registers and the cells that a control word can name.

use core::fmt;
use core::str::FromStr;

use crate::Direction;

/// An analogue register: `A` to `F` on SCAMP-5.
///
/// Machines with more registers use the further letters up to `Z` and then `R0` to `R229`, so that a name means the
/// same register everywhere without a table of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(u8);

impl Reg {
    /// Register A.
    pub const A: Self = Self(0);
    /// Register B.
    pub const B: Self = Self(1);
    /// Register C.
    pub const C: Self = Self(2);
    /// Register D.
    pub const D: Self = Self(3);
    /// Register E.
    pub const E: Self = Self(4);
    /// Register F.
    pub const F: Self = Self(5);

    /// The six analogue registers of SCAMP-5.
    pub const SCAMP5: [Self; 6] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F];

    const LETTERS: u8 = 26;

    /// The register with this index: 0 to 25 are `A` to `Z`, and from 26 on `R0`, `R1`, ...
    #[must_use]
    pub const fn from_index(index: u8) -> Self {
        Self(index)
    }

    /// The index, see [`from_index`](Self::from_index).
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    pub(crate) const fn same(self, other: Self) -> bool {
        self.0 == other.0
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < Self::LETTERS {
            write!(f, "{}", char::from(b'A' + self.0))
        } else {
            write!(f, "R{}", self.0 - Self::LETTERS)
        }
    }
}

/// An error: a text does not name an analogue register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseRegError;

impl fmt::Display for ParseRegError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an analogue register: `A` to `Z`, or `R0` to `R229`")
    }
}

impl core::error::Error for ParseRegError {}

impl FromStr for Reg {
    type Err = ParseRegError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            [letter @ b'A'..=b'Z'] => Ok(Self(letter - b'A')),
            [b'R', digits @ ..]
                if digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits.first() != Some(&b'0')) =>
            {
                text[1..].parse::<u8>().ok().and_then(|n| n.checked_add(Self::LETTERS)).map(Self).ok_or(ParseRegError)
            }
            _ => Err(ParseRegError),
        }
    }
}

/// A cell that a word can connect to the bus: a register, the PE's own NEWS, or a neighbour's NEWS.
///
/// There is one cell per PE that neighbours can see, NEWS. `XN`, `XE`, `XS` and `XW` are not storage: each names the
/// NEWS of the PE in that direction, both for reading and for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// An analogue register.
    Reg(Reg),
    /// The PE's own NEWS.
    News,
    /// The NEWS of a neighbour: `XN`, `XE`, `XS` or `XW`.
    Port(Direction),
    /// The photo-sensor, which can only be a source.
    ///
    /// The ranges documented for the library permit only one interpretation: as a source it counts −R + L, where R
    /// (about 127 DN) is the reset level and L, from 0, the light since the reset.
    Pix,
    /// The level that the controller's converter holds, the same for all PEs, which can only be a source.
    In,
}

impl Cell {
    const fn is_news_family(self) -> bool {
        matches!(self, Self::News | Self::Port(_))
    }

    /// Whether both cells are the same storage as seen by one bus.
    pub(crate) const fn conflicts(self, other: Self) -> bool {
        match (self, other) {
            (Self::Reg(a), Self::Reg(b)) => a.same(b),
            (Self::Pix, Self::Pix) | (Self::In, Self::In) => true,
            _ => self.is_news_family() && other.is_news_family(),
        }
    }
}

impl From<Reg> for Cell {
    fn from(reg: Reg) -> Self {
        Self::Reg(reg)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reg(reg) => reg.fmt(f),
            Self::News => f.write_str("NEWS"),
            Self::Pix => f.write_str("PIX"),
            Self::In => f.write_str("IN"),
            Self::Port(Direction::North) => f.write_str("XN"),
            Self::Port(Direction::East) => f.write_str("XE"),
            Self::Port(Direction::South) => f.write_str("XS"),
            Self::Port(Direction::West) => f.write_str("XW"),
        }
    }
}

/// An error: a text does not name a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseCellError;

impl fmt::Display for ParseCellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an analogue register, `NEWS`, `XN`, `XE`, `XS`, `XW`, `PIX` or `IN`")
    }
}

impl core::error::Error for ParseCellError {}

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "NEWS" => Self::News,
            "PIX" => Self::Pix,
            "IN" => Self::In,
            "XN" => Self::Port(Direction::North),
            "XE" => Self::Port(Direction::East),
            "XS" => Self::Port(Direction::South),
            "XW" => Self::Port(Direction::West),
            _ => Self::Reg(text.parse().map_err(|_| ParseCellError)?),
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{Cell, Reg};
    use std::string::ToString;

    #[test]
    fn every_register_prints_and_parses() {
        for index in 0..=u8::MAX {
            let reg = Reg::from_index(index);
            assert_eq!(reg.to_string().parse(), Ok(reg));
        }
        for text in ["", "a", "AA", "R230", "R300", "R+1", "R01", "NEWS", "XN"] {
            assert!(text.parse::<Reg>().is_err(), "{text}");
        }
        assert_eq!("XW".parse::<Cell>().unwrap().to_string(), "XW");
    }
}
