//! Digital registers and the other bits of a PE.

use core::fmt;
use core::str::FromStr;

/// A digital register, `R0` to `R12`: one bit per PE.
///
/// Some have a second name in the vendor's library and a special role:
///
/// | register | also | role |
/// |---|---|---|
/// | `R0` | `RF` | scratch of the logic macros; where it is 0, `R12` is not written and propagation does not pass |
/// | `R1`, `R2`, `R3`, `R4` | `RS`, `RW`, `RN`, `RE` | take part in `DNEWS` and `PROP` from the south, west, north, east |
/// | `R5` to `R11` | `S0` to `S6` | free |
/// | `R12` | `RP` | the register that propagates |
///
/// (SCAMP-5d library headers.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dreg(u8);

impl Dreg {
    /// The number of digital registers.
    pub const COUNT: usize = 13;

    /// All digital registers, `R0` to `R12`.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self(0); Self::COUNT];
        let mut i = 1;
        while i < Self::COUNT {
            all[i] = Self(all[i - 1].0 + 1);
            i += 1;
        }
        all
    };

    /// The register with this number, up to 12.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// The number in the name.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The register that must be 1 in a PE so that any word can write this one there: `R0` for `R12`.
    #[must_use]
    pub const fn gate(self) -> Option<Self> {
        if self.0 == 12 { Some(Self(0)) } else { None }
    }

    pub(crate) const fn same(self, other: Self) -> bool {
        self.0 == other.0
    }
}

/// A bit of every PE that a digital instruction can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bit {
    /// A digital register.
    Reg(Dreg),
    /// Whether analogue cells of the PE are written.
    Flag,
    /// Whether the controller's row and column selectors address the PE.
    Select,
    /// Whether the PE lies in the controller's rectangle.
    Rect,
}

impl Bit {
    pub(crate) const fn is(self, register: Dreg) -> bool {
        matches!(self, Self::Reg(reg) if reg.same(register))
    }
}

impl From<Dreg> for Bit {
    fn from(register: Dreg) -> Self {
        Self::Reg(register)
    }
}

impl fmt::Display for Dreg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{}", self.0)
    }
}

impl fmt::Display for Bit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reg(register) => register.fmt(f),
            Self::Flag => f.write_str("FLAG"),
            Self::Select => f.write_str("SELECT"),
            Self::Rect => f.write_str("RECT"),
        }
    }
}

/// An error: a text does not name a bit of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseBitError;

impl fmt::Display for ParseBitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a digital register (`R0` to `R12`), `FLAG`, `SELECT` or `RECT`")
    }
}

impl core::error::Error for ParseBitError {}

impl FromStr for Dreg {
    type Err = ParseBitError;

    /// Parses either name of a register.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const NAMES: [(&str, &str); Dreg::COUNT] = [
            ("R0", "RF"),
            ("R1", "RS"),
            ("R2", "RW"),
            ("R3", "RN"),
            ("R4", "RE"),
            ("R5", "S0"),
            ("R6", "S1"),
            ("R7", "S2"),
            ("R8", "S3"),
            ("R9", "S4"),
            ("R10", "S5"),
            ("R11", "S6"),
            ("R12", "RP"),
        ];
        let named = Self::ALL.into_iter().zip(NAMES).find(|(_, (name, alias))| text == *name || text == *alias);
        named.map(|(register, _)| register).ok_or(ParseBitError)
    }
}

impl FromStr for Bit {
    type Err = ParseBitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "FLAG" => Self::Flag,
            "SELECT" => Self::Select,
            "RECT" => Self::Rect,
            _ => Self::Reg(text.parse()?),
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{Bit, Dreg};
    use std::string::ToString;

    #[test]
    fn every_bit_prints_and_parses() {
        let registers = Dreg::ALL.map(Bit::Reg);
        for bit in registers.into_iter().chain([Bit::Flag, Bit::Select, Bit::Rect]) {
            assert_eq!(bit.to_string().parse(), Ok(bit));
        }
        for (alias, number) in
            [("RF", 0), ("RS", 1), ("RW", 2), ("RN", 3), ("RE", 4), ("S0", 5), ("S6", 11), ("RP", 12)]
        {
            assert_eq!(alias.parse::<Dreg>().ok(), Dreg::new(number), "{alias}");
        }
        for text in ["", "R13", "R", "R00", "S7", "A", "flag"] {
            assert!(text.parse::<Bit>().is_err(), "{text}");
        }
        assert_eq!(Dreg::new(13), None);
    }
}
