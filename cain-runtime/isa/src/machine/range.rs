//! The range of analogue cells.

use core::fmt;

use crate::Fraction;

/// A range of values, both ends included, in DN: those that an analogue cell can hold, or those of input images.
///
/// It always includes 0, because that is what PEs read from beyond the border of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The smallest value; a positive one counts as 0.
    pub min: i16,
    /// The largest value; a negative one counts as 0.
    pub max: i16,
}

impl Range {
    /// The range of SCAMP-5, that of the 8-bit converter: −128 to 127 DN.
    pub const SCAMP5: Self = Self { min: -128, max: 127 };

    /// How far values reach from 0, upwards and downwards.
    ///
    /// A converter has one more level below 0 than above. That does not mean that its positive and negative signals
    /// differ, so −128 to 127 reaches 128 both ways.
    ///
    /// ```
    /// use cain_isa::Range;
    ///
    /// assert_eq!(Range::SCAMP5.extents(), (128, 128));
    /// assert_eq!(Range { min: 0, max: 127 }.extents(), (127, 0));
    /// assert_eq!(Range { min: -20, max: 100 }.extents(), (100, 20));
    /// ```
    #[must_use]
    pub const fn extents(self) -> (u16, u16) {
        let down = if self.min < 0 { self.min.unsigned_abs() } else { 0 };
        let up = if self.max > 0 { self.max.unsigned_abs() } else { 0 };
        if up > 0 && down == up + 1 { (down, down) } else { (up, down) }
    }

    /// The values that a cell of this range holds with either sign. Every word inverts, so a program holds its values with
    /// both.
    ///
    /// ```
    /// use cain_isa::Range;
    ///
    /// assert_eq!(Range::SCAMP5.either_sign(), Range::SCAMP5);
    /// assert_eq!(Range { min: -20, max: 100 }.either_sign(), Range { min: -20, max: 20 });
    /// ```
    #[must_use]
    pub const fn either_sign(self) -> Self {
        let (up, down) = self.extents();
        if up == down {
            return self;
        }
        if up < down { Self { min: -self.max, max: self.max } } else { Self { min: self.min, max: -self.min } }
    }

    /// Whether every value of another range is in this one.
    ///
    /// ```
    /// use cain_isa::Range;
    ///
    /// assert!(Range::SCAMP5.includes(Range { min: -20, max: 100 }));
    /// assert!(!Range::SCAMP5.includes(Range { min: -20, max: 200 }));
    /// ```
    #[must_use]
    pub const fn includes(self, other: Self) -> bool {
        self.min <= other.min && other.max <= self.max
    }

    /// The largest magnitude of a value.
    #[must_use]
    pub const fn magnitude(self) -> u16 {
        let (up, down) = self.extents();
        if up > down { up } else { down }
    }

    /// The largest magnitude of a sum of inputs in this range, relative to the largest magnitude of an input; `None` if
    /// exact arithmetic overflows.
    ///
    /// The sum has positive weights that add up to `positive`, and negative ones whose magnitudes add up to `negative`.
    /// Inputs of either sign can reach the sum of both. With inputs that are never negative, terms of opposite sign
    /// cannot add up:
    ///
    /// ```
    /// use cain_isa::{Fraction, Range};
    ///
    /// let (positive, negative) = (Fraction::from(3), Fraction::from(2));
    /// assert_eq!(Range::SCAMP5.gain(positive, negative), Some(Fraction::from(5)));
    /// assert_eq!(Range { min: 0, max: 127 }.gain(positive, negative), Some(Fraction::from(3)));
    /// ```
    #[must_use]
    pub fn gain(self, positive: Fraction, negative: Fraction) -> Option<Fraction> {
        let (up, down) = self.extents();
        let opposite = Fraction::new(up.min(down).into(), up.max(down).max(1).into())?;
        let (most, least) = (positive.max(negative), positive.min(negative));
        most.checked_add(least.checked_mul(opposite)?)
    }
}

impl fmt::Display for Range {
    /// Writes, for example, `-128..127`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.min, self.max)
    }
}
