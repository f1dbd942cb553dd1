//! Arithmetic of the controller.

use super::id::Value;

/// An expression of whole numbers, which the controller computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A constant.
    Constant(i64),
    /// A value.
    Value(Value),
    /// Two numbers.
    Arithmetic(Arithmetic, Box<[Number; 2]>),
    /// Whether two numbers compare like that: 1 or 0.
    Comparison(Comparison, Box<[Number; 2]>),
    /// The second number if the first one is not 0, else the third one.
    Choice(Box<[Number; 3]>),
}

/// What is done with two numbers. Sums, differences and products saturate at ±2^53, up to
/// which numbers of the controller are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Addition.
    Add,
    /// Subtraction.
    Subtract,
    /// Multiplication.
    Multiply,
    /// Division, rounded down; 0 by 0.
    Divide,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The first one is less.
    Less,
    /// The first one is not more.
    AtMost,
    /// Both are equal.
    Equal,
}
