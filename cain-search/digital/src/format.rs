//! Formats of numbers in bits.

/// The representation of a number in registers: one register per bit, lowest first, unsigned or in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    bits: u32,
    signed: bool,
}

impl Format {
    /// The largest width of a number, in bits.
    pub const MAX_BITS: u32 = 24;

    /// A single bit, 0 or 1.
    pub const BIT: Self = Self { bits: 1, signed: false };

    /// A format of 1 to [`MAX_BITS`](Self::MAX_BITS) bits.
    #[must_use]
    pub const fn new(bits: u32, signed: bool) -> Option<Self> {
        if bits == 0 || bits > Self::MAX_BITS { None } else { Some(Self { bits, signed }) }
    }

    /// The narrowest format that holds a range.
    pub(super) fn of(range: Range) -> Option<Self> {
        let holds = |format: &Self| format.range().contains(range);
        (1..=Self::MAX_BITS).map(|bits| Self { bits, signed: range.min < 0 }).find(holds)
    }

    /// The number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Whether the numbers are in two's complement.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        self.signed
    }

    /// The values that the format can represent.
    pub(super) const fn range(self) -> Range {
        if self.signed {
            let half = 1 << (self.bits - 1);
            Range { min: -half, max: half - 1 }
        } else {
            Range { min: 0, max: (1 << self.bits) - 1 }
        }
    }
}

/// A range of values, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) min: i64,
    pub(super) max: i64,
}

impl Range {
    pub(super) const ZERO: Self = Self { min: 0, max: 0 };

    pub(super) fn checked_scale(self, factor: i64) -> Option<Self> {
        let (a, b) = (self.min.checked_mul(factor)?, self.max.checked_mul(factor)?);
        Some(Self { min: a.min(b), max: a.max(b) })
    }

    pub(super) fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self { min: self.min.checked_add(other.min)?, max: self.max.checked_add(other.max)? })
    }

    const fn contains(self, other: Self) -> bool {
        self.min <= other.min && other.max <= self.max
    }
}
