//! How much an interruption may cost.

/// Limits on the price of an interruption and on the number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchLimits {
    /// The most control words for one interruption; points that cost more are left out.
    pub extra: u32,
    /// Points are left out as long as others need not wait longer than this many control words; with 0, none is.
    pub latency: u32,
}

impl SwitchLimits {
    /// Programs of at least this many control words need not be left everywhere.
    const LONG: u32 = 1_000;

    /// For a program of up to a thousand words, every point whose price is at most 16 words: a few moves, or the way
    /// back over a few instructions. For a longer one, points whose price is at most a hundredth of its words, and as
    /// many of them as let others begin within another hundredth.
    #[must_use]
    pub const fn of_program(words: u32) -> Self {
        if words < Self::LONG {
            return Self { extra: 16, latency: 0 };
        }
        Self { extra: words / 100, latency: words / 100 }
    }
}
