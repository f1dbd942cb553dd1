//! Arithmetic of the controller on whole numbers.

/// What is found about a bit in all PEs, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// Whether it is 1 anywhere.
    Any,
    /// In how many PEs it is 1, exactly.
    Ones,
    /// The smallest rectangle with all PEs in which it is 1: the first row and column, the last row and column, and whether
    /// there is any such PE; otherwise all of them are 0.
    Bounds,
    /// The row and the column of the first PE in which it is 1, row by row from the north-west, and whether there is any;
    /// otherwise all of them are 0.
    First,
}

impl Found {
    /// How many numbers it is.
    #[must_use]
    pub const fn numbers(self) -> usize {
        match self {
            Self::Any | Self::Ones => 1,
            Self::Bounds => 5,
            Self::First => 3,
        }
    }
}

/// A term of a formula in postfix form: it takes numbers from a stack, and leaves one there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// A constant.
    Constant(f64),
    /// The number at a place.
    Number(usize),
    /// The sum of the last two. It saturates, as differences and products do: see [`LARGEST`](Self::LARGEST).
    Add,
    /// The last but one less the last.
    Subtract,
    /// The product of the last two.
    Multiply,
    /// The last but one divided by the last, rounded down; 0 if the last one is 0.
    Divide,
    /// The smaller one of the last two.
    Min,
    /// The larger one of the last two.
    Max,
    /// Whether the last but one is less than the last.
    Less,
    /// Whether the last but one is not more than the last.
    AtMost,
    /// Whether the last two are equal.
    Equal,
    /// The second of the last three if the first one is not 0, else the third.
    Choose,
}

impl Term {
    /// The largest number up to which numbers of the controller are exact, upwards and downwards. Sums, differences and products
    /// beyond it are this one.
    pub const LARGEST: i64 = 1 << 53;
    /// The most numbers that a formula may have on its stack.
    pub const DEPTH: usize = 16;

    /// How many numbers it takes from the stack.
    #[must_use]
    pub const fn operands(&self) -> usize {
        match self {
            Self::Constant(_) | Self::Number(_) => 0,
            Self::Choose => 3,
            _ => 2,
        }
    }
}
