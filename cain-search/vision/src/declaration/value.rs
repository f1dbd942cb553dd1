//! Values and how they are made.

use core::fmt;

use cain_digital::Logic;
use cain_isa::program::{Grid, Selection};
use cain_isa::{Displacement, Fraction};

use super::id::Value;
use super::number::Number;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A plane of levels between these, in DN.
    Levels {
        /// The least level.
        low: f64,
        /// The largest level.
        high: f64,
    },
    /// A plane of bits.
    Bits,
    /// A number of the controller between these.
    Number {
        /// The least number.
        low: i64,
        /// The largest number.
        high: i64,
    },
}

/// A summand of a sum of levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summand {
    /// The plane.
    pub of: Value,
    /// Its factor.
    pub weight: Fraction,
    /// The PE from which it is read.
    pub at: Displacement,
}

/// The corners, in the south-west and in the north-east, of the smallest rectangle around a PE and those that a sum reads there:
/// it is defined where they are on the array.
#[must_use]
pub fn reach(summands: &[Summand]) -> [Displacement; 2] {
    let [mut low, mut high] = [Displacement::ZERO; 2];
    for Summand { at, .. } in summands {
        low = Displacement::new(low.x.min(at.x), low.y.min(at.y));
        high = Displacement::new(high.x.max(at.x), high.y.max(at.y));
    }
    [low, high]
}

/// How a value is made.
///
/// Outside of the array, levels are not defined and bits are 0, unless it is said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Levels: a weighted sum of planes, plus a constant in DN, plus numbers of the controller with their factors.
    Sum {
        /// The planes.
        summands: Vec<Summand>,
        /// The constant.
        constant: Fraction,
        /// Numbers, and their factors.
        numbers: Vec<(Fraction, Value)>,
    },
    /// Levels: absolute values.
    Abs(Value),
    /// Levels: the larger of two.
    Max(Value, Value),
    /// Levels: the smaller of two.
    Min(Value, Value),
    /// Levels: those of `then` where a bit is 1, of `otherwise` elsewhere.
    Select {
        /// The bits.
        bits: Value,
        /// The levels where they are 1.
        then: Value,
        /// The levels where they are 0.
        otherwise: Value,
    },
    /// Bits: 1 where levels are larger than 0.
    Positive(Value),
    /// Bits: a Boolean function of the bits of planes, which are its inputs in this order.
    Logic {
        /// The function.
        function: Logic,
        /// The planes.
        of: Vec<Value>,
    },
    /// Bits: 1 in a rectangle.
    Inside {
        /// Numbers: its first row and column from the north-west, its height and its width. What is not on the array is
        /// left out.
        area: [Number; 4],
    },
    /// Bits: 1 in the PEs whose addresses agree with a pattern.
    Pattern(Selection),
    /// A number of the controller.
    Number(Number),
    /// Whether a bit is 1 anywhere.
    Any(Value),
    /// The number of bits that are 1.
    Count(Value),
    /// A side of the smallest rectangle that has all bits that are 1.
    Bound(Value, Side),
    /// The row or the column of the first bit that is 1, row by row from the north-west; 0 if there is none.
    First(Value, Axis),
    /// The sum of levels over the whole array, in steps of the converter.
    Total(Value),
    /// The sum of what the controller reads of the PEs of a grid, each by itself: levels in whole DN, bits as 0 and 1.
    Read(Value, Grid),
}

/// A side of a rectangle; 0 for all of them if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its first row.
    Top,
    /// Its first column.
    Left,
    /// Its last row.
    Bottom,
    /// Its last column.
    Right,
}

/// A coordinate of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Rows from the north.
    Row,
    /// Columns from the west.
    Column,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Levels { .. } => "a plane of levels",
            Self::Bits => "a plane of bits",
            Self::Number { .. } => "a number of the controller",
        })
    }
}
