//! The numbers that a program reads.

use core::ops::{Add, AddAssign, Div, Mul};

/// A number that a program reads and computes with.
///
/// Networks read `f32`, in which counts and sums of their pictures are exact, since they are below 2²⁴, and which controllers
/// without floating point calculate in less memory. Whole programs compute with `f64`, in which all whole numbers of a controller
/// are exact.
pub trait Real:
    Copy
    + Default
    + PartialOrd
    + AddAssign
    + Add<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Into<f64>
    + sealed::Sealed
{
    /// The nearest number.
    fn of(value: f64) -> Self;

    /// A whole number, or the nearest one.
    fn whole(number: i32) -> Self;

    /// Its whole part.
    fn truncated(self) -> i32;
}

impl Real for f64 {
    fn of(value: f64) -> Self {
        value
    }

    fn whole(number: i32) -> Self {
        number.into()
    }

    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    fn truncated(self) -> i32 {
        self as i32
    }
}

impl Real for f32 {
    #[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
    fn of(value: f64) -> Self {
        value as Self
    }

    #[expect(clippy::cast_precision_loss, reason = "that is the rounding")]
    fn whole(number: i32) -> Self {
        number as Self
    }

    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    fn truncated(self) -> i32 {
        self as i32
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}
