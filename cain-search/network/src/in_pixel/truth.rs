//! Knowledge about a bit of a PE, for all pictures and weights.

/// A bit of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Known(bool),
    /// A function of an unknown from 0 to 15: the number of the unknown, and the values for which the bit is 1. Many
    /// unknowns only have values from 0 to 3, in the lower two bits.
    Where(u32, Values),
    /// An arbitrary bit, on which no program may depend.
    Other,
}

/// A set of values from 0 to 15, as the bits of a number; it is neither empty nor complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Values(u16);

impl Values {
    const COUNT: u8 = 16;
    const ALL: u16 = u16::MAX;
}

impl Symbol {
    /// A bit of an unknown: bit 0, which is the only one of most unknowns, or bit 1.
    pub(super) const fn bit(unknown: u32, bit: usize) -> Self {
        Self::Where(unknown, Values(if bit == 0 { 0xAAAA } else { 0xCCCC }))
    }

    /// 1 where the lower two bits of the unknown are at least a value from 1 to 3.
    pub(super) fn at_least(unknown: u32, value: u8) -> Self {
        Self::values(unknown, |found| found & 0b11 >= value)
    }

    /// 1 where the unknown has one of some values.
    pub(super) fn values(unknown: u32, is: impl Fn(u8) -> bool) -> Self {
        match (0..Values::COUNT).map(|value| u16::from(is(value)) << value).sum() {
            0 => Self::Known(false),
            Values::ALL => Self::Known(true),
            values => Self::Where(unknown, Values(values)),
        }
    }

    /// The bit for values of unknowns, if it then is known.
    #[cfg(test)]
    pub(super) fn evaluate(self, unknown: impl Fn(u32) -> u8) -> Option<bool> {
        match self {
            Self::Known(bit) => Some(bit),
            Self::Where(number, Values(values)) => Some(values >> unknown(number) & 1 == 1),
            Self::Other => None,
        }
    }

    pub(super) const fn inverse(self) -> Self {
        match self {
            Self::Known(bit) => Self::Known(!bit),
            Self::Where(unknown, Values(values)) => Self::Where(unknown, Values(!values & Values::ALL)),
            Self::Other => Self::Other,
        }
    }
}

/// Knowledge about a bit of a PE.
pub(super) trait Truth: Clone + PartialEq {
    fn known(bit: bool) -> Self;

    /// An arbitrary bit, on which no program may depend.
    fn other() -> Self;

    /// The bit, if it is the same for all pictures and weights.
    fn as_known(&self) -> Option<bool>;

    fn or(&self, other: &Self) -> Self;

    fn inverse(&self) -> Self;
}

impl Truth for Symbol {
    fn known(bit: bool) -> Self {
        Self::Known(bit)
    }

    fn other() -> Self {
        Self::Other
    }

    fn as_known(&self) -> Option<bool> {
        if let Self::Known(bit) = self { Some(*bit) } else { None }
    }

    fn or(&self, other: &Self) -> Self {
        match (*self, *other) {
            (Self::Known(true), _) | (_, Self::Known(true)) => Self::Known(true),
            (Self::Known(false), symbol) | (symbol, Self::Known(false)) => symbol,
            (Self::Where(one, Values(here)), Self::Where(other, Values(there))) if one == other => match here | there {
                Values::ALL => Self::Known(true),
                values => Self::Where(one, Values(values)),
            },
            _ => Self::Other,
        }
    }

    fn inverse(&self) -> Self {
        Self::inverse(*self)
    }
}

/// Whether one of the bits of some PEs is 1, or whether none of them is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AnyOf {
    Known(bool),
    /// The PEs in increasing order, and whether one of their bits is 1.
    Of(Vec<u32>, bool),
    Other,
}

impl AnyOf {
    /// Whether the bit of that PE is 1.
    pub(super) fn one(pe: u32) -> Self {
        Self::Of(vec![pe], true)
    }
}

impl Truth for AnyOf {
    fn known(bit: bool) -> Self {
        Self::Known(bit)
    }

    fn other() -> Self {
        Self::Other
    }

    fn as_known(&self) -> Option<bool> {
        if let Self::Known(bit) = self { Some(*bit) } else { None }
    }

    fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Known(true), _) | (_, Self::Known(true)) => Self::Known(true),
            (Self::Known(false), bit) | (bit, Self::Known(false)) => bit.clone(),
            (Self::Of(one, true), Self::Of(other, true)) => {
                let mut pes = [one.as_slice(), other].concat();
                pes.sort_unstable();
                pes.dedup();
                Self::Of(pes, true)
            }
            _ => Self::Other,
        }
    }

    fn inverse(&self) -> Self {
        match self {
            Self::Known(bit) => Self::Known(!bit),
            Self::Of(pes, is_one) => Self::Of(pes.clone(), !is_one),
            Self::Other => Self::Other,
        }
    }
}
