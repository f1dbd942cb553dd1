//! Knowledge about a bit of a PE, for all pictures and weights.

/// What programs are proved for all values of: a number from 0 to 15, often from 0 to 3, or a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unknown {
    /// What a PE has when the program begins: its pixel, its number, or its result.
    Pe(usize),
    /// The bits of two numbers that a PE adds.
    Summands(usize),
    /// A weight, by what it belongs to, such as a filter or a PE, and its number there.
    Weight(usize, usize),
    /// Whether a sum reaches a threshold, by the number of the threshold and the PE.
    Reached(usize, usize),
}

/// A bit of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    Known(bool),
    /// A function of an unknown: the values for which the bit is 1.
    Where(Unknown, Values),
    /// An arbitrary bit, on which no program may depend.
    Other,
}

/// A set of values from 0 to 15, as the bits of a number; it is neither empty nor complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Values(u16);

impl Values {
    const COUNT: u8 = 16;
    const ALL: u16 = u16::MAX;
}

impl Symbol {
    /// A bit of an unknown: bit 0, which is the only one of most unknowns, or bit 1.
    pub(crate) const fn bit(unknown: Unknown, bit: usize) -> Self {
        Self::Where(unknown, Values(if bit == 0 { 0xAAAA } else { 0xCCCC }))
    }

    /// The bit of a weight.
    pub(crate) const fn weight(of: usize, number: usize) -> Self {
        Self::bit(Unknown::Weight(of, number), 0)
    }

    /// 1 where the lower two bits of the unknown are at least a value from 1 to 3.
    pub(crate) fn at_least(unknown: Unknown, value: u8) -> Self {
        Self::values(unknown, |found| found & 0b11 >= value)
    }

    /// 1 where the unknown has one of some values.
    pub(crate) fn values(unknown: Unknown, is: impl Fn(u8) -> bool) -> Self {
        match (0..Values::COUNT).map(|value| u16::from(is(value)) << value).sum() {
            0 => Self::Known(false),
            Values::ALL => Self::Known(true),
            values => Self::Where(unknown, Values(values)),
        }
    }

    /// The bit for values of unknowns, if it then is known.
    #[cfg(test)]
    pub(crate) fn evaluate(self, unknown: impl Fn(Unknown) -> u8) -> Option<bool> {
        match self {
            Self::Known(bit) => Some(bit),
            Self::Where(number, Values(values)) => Some(values >> unknown(number) & 1 == 1),
            Self::Other => None,
        }
    }

    pub(crate) const fn inverse(self) -> Self {
        match self {
            Self::Known(bit) => Self::Known(!bit),
            Self::Where(unknown, Values(values)) => Self::Where(unknown, Values(!values & Values::ALL)),
            Self::Other => Self::Other,
        }
    }
}

/// Knowledge about a bit of a PE.
pub(crate) trait Truth: Clone + PartialEq {
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

/// Whether one of some unknown bits is 1, or whether none of them is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnyOf {
    Known(bool),
    /// The bits in increasing order, and whether one of them is 1.
    Of(Vec<Unknown>, bool),
    Other,
}

impl AnyOf {
    /// Whether that bit is 1.
    pub(crate) fn one(bit: Unknown) -> Self {
        Self::Of(vec![bit], true)
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
                let mut bits = [one.as_slice(), other].concat();
                bits.sort_unstable();
                bits.dedup();
                Self::Of(bits, true)
            }
            _ => Self::Other,
        }
    }

    fn inverse(&self) -> Self {
        match self {
            Self::Known(bit) => Self::Known(!bit),
            Self::Of(bits, is_one) => Self::Of(bits.clone(), !is_one),
            Self::Other => Self::Other,
        }
    }
}
