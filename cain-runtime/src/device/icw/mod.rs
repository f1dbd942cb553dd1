//! Control words as the 80 bits that go to the chip.

mod decode;
mod encode;
mod table;
#[cfg(test)]
mod tests;

use core::fmt;

use crate::isa::{Cell, Clock, Machine};

pub use decode::DecodeError;

/// A control word as it is sent: 80 lines in five words of 16 bits, and the clock that it runs at.
///
/// Line n is bit n mod 16 of word n div 16. Lines, operands and clocks are those of the SCAMP-5d library headers.
/// In the vendor's memory each of the five words also carries its number and the clock; how those are packed is not
/// part of this type.
///
/// ```
/// use cain_runtime::device::Icw;
/// use cain_runtime::isa::{Cell, Reg, Word};
///
/// let word = Word::new(&[Cell::News], &[Cell::Reg(Reg::A)]).unwrap();
/// let icw = Icw::try_from(word)?;
/// // W4 and SEL4 with `selx` for NEWS, SEL1 for A.
/// assert_eq!(icw.words(), [0x0400, 0x0121, 0, 0, 0]);
/// assert_eq!(icw.decode(), Ok(word));
/// # Ok::<(), cain_runtime::device::EncodeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Icw {
    words: table::Words,
    clock: Clock,
}

impl Icw {
    /// The machine that has lines for its words.
    pub const MACHINE: Machine = Machine::SCAMP5;

    /// The number of bytes of [`to_bytes`](Self::to_bytes).
    pub const BYTES: usize = 11;

    /// The five words, in the order in which they are sent.
    #[must_use]
    pub const fn words(self) -> [u16; 5] {
        self.words
    }

    /// The clock that the word runs at.
    #[must_use]
    pub const fn clock(self) -> Clock {
        self.clock
    }

    /// The five words, low byte first, then the number of the clock: 0 analogue, 1 digital, 2 neighbours,
    /// 3 propagation.
    ///
    /// The numbers are the vendor's; their order in eleven bytes is this project's own.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; Self::BYTES] {
        let [[a, b], [c, d], [e, f], [g, h], [i, j]] = {
            let [a, b, c, d, e] = self.words;
            [a.to_le_bytes(), b.to_le_bytes(), c.to_le_bytes(), d.to_le_bytes(), e.to_le_bytes()]
        };
        [a, b, c, d, e, f, g, h, i, j, table::clock_number(self.clock)]
    }

    /// The word with these bytes, which need not be one that [`decode`](Self::decode) knows.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Result<Self, DecodeError> {
        let [a, b, c, d, e, f, g, h, i, j, number] = bytes;
        let words = [[a, b], [c, d], [e, f], [g, h], [i, j]].map(u16::from_le_bytes);
        let clock = Clock::ALL.into_iter().find(|&clock| table::clock_number(clock) == number);
        clock.map(|clock| Self { words, clock }).ok_or(DecodeError::Clock(number))
    }
}

impl fmt::Debug for Icw {
    /// Writes, for example, `Icw(0400 0121 0000 0000 0000, analogue)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e] = self.words();
        write!(f, "Icw({a:04x} {b:04x} {c:04x} {d:04x} {e:04x}, {})", self.clock.name())
    }
}

/// An error: the chip has no lines for a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The cell does not exist: SCAMP-5 only has the analogue registers A to F.
    NoSuchCell(Cell),
    /// One word cannot read both `SELECT` and `RECT`, because the lines of `RECT` contain those of `SELECT`.
    SelectAndRect,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchCell(cell) => write!(
                f,
                "register `{cell}` is not on the chip, which has `A` to `F`; compile the kernel for these registers"
            ),
            Self::SelectAndRect => {
                f.write_str("`SELECT` and `RECT` cannot be read by one word; copy one of them into a register first")
            }
        }
    }
}

impl core::error::Error for EncodeError {}
