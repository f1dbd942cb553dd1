//! How whole numbers are stored in a register.

/// How numbers of a register are rounded, and limited, when they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits that are dropped: numbers are divided by 2^`dropped` and rounded down.
    pub dropped: u8,
    /// The least number after that; smaller ones become it.
    pub least: i32,
    /// The largest one; larger ones become it.
    pub most: i32,
    /// Bits of 0 that are then put below, for what reads the number.
    pub guard: u8,
}

impl Format {
    /// What is stored of a number.
    ///
    /// ```
    /// use cain_isa::program::Format;
    ///
    /// let format = Format { dropped: 2, least: 0, most: 7, guard: 1 };
    /// assert_eq!([-1, 7, 100].map(|number| format.store(number)), [0, 2, 14]);
    /// ```
    #[must_use]
    pub fn store(self, number: i32) -> i32 {
        let rounded = number.checked_shr(self.dropped.into()).unwrap_or(if number < 0 { -1 } else { 0 });
        rounded.max(self.least).min(self.most).wrapping_shl(self.guard.into())
    }
}
