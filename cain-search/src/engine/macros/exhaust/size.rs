//! Three measures of the size of values, and bounds on how fast they can grow.

use crate::engine::terms::{self, Term};

/// A subadditive measure that signs and shifts do not change.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    /// The number of terms.
    Support,
    /// The number of non-zero signed binary digits of all coefficients.
    Digits,
    /// The sum of absolute coefficients.
    Norm,
}

/// The size of a value by each measure.
#[derive(Clone, Copy, Default)]
pub(super) struct Size([u32; 3]);

/// Lower limits on the size of a value by each measure.
#[derive(Clone, Copy)]
pub(super) struct Floor([u32; 3]);

/// The three largest known values by each measure.
#[derive(Clone, Copy, Default)]
pub(super) struct Tops([Top; 3]);

/// The three largest sizes, in descending order.
#[derive(Clone, Copy, Default)]
pub(super) struct Top([u32; 3]);

/// The largest size; larger ones are clamped, so that sums of a few do not overflow.
const MAX: u64 = 1 << 28;

impl Measure {
    pub(super) const ALL: [Self; 3] = [Self::Support, Self::Digits, Self::Norm];

    /// Whether `left` instructions, at least `divisions` of them divisions, can make something as large as the goal.
    pub(super) fn reaches(self, top: Top, goal: u32, divisions: u32, left: u32) -> bool {
        if divisions > left {
            return false;
        }
        if top.0[0] >= goal {
            return true;
        }
        let sum = || self.reaches(top.after_sum(), goal, divisions, left - 1);
        let division = || self.reaches(self.after_division(top), goal, divisions.saturating_sub(1), left - 1);
        left > 0 && ((left > divisions && sum()) || division())
    }

    /// The largest sizes after a division, which leaves its operand in one more register and halves in three.
    fn after_division(self, top: Top) -> Top {
        let [a, b, _] = top.0;
        match self {
            // Each support is counted once.
            Self::Support => top,
            Self::Digits => Top([a, a, a]),
            Self::Norm => Top([a, a, b.max(a.div_ceil(2))]),
        }
    }
}

impl Top {
    /// The largest sizes after a sum: of a value and its translate, or of three values.
    fn after_sum(self) -> Self {
        let [a, b, c] = self.0;
        Self([(2 * a).max(a + b + c), a, b])
    }

    pub(super) fn with(self, size: u32) -> Self {
        let [a, b, c] = self.0;
        Self(match size {
            size if size > a => [size, a, b],
            size if size > b => [a, size, b],
            size => [a, b, c.max(size)],
        })
    }

    /// The sum of the two largest sizes.
    pub(super) fn two(self) -> u32 {
        self.0[0] + self.0[1]
    }
}

impl Tops {
    pub(super) fn of(&self, measure: Measure) -> Top {
        self.0[measure as usize]
    }

    /// Takes account of one more register that holds a value of this size. Supports are counted once.
    pub(super) fn add(&mut self, size: Size, is_new_support: bool) {
        for measure in Measure::ALL {
            if is_new_support || !matches!(measure, Measure::Support) {
                let top = &mut self.0[measure as usize];
                *top = top.with(size.of(measure));
            }
        }
    }
}

impl Size {
    pub(super) fn new(value: &[Term]) -> Self {
        let norm: u64 = value.iter().map(|term| u64::from(term.1.unsigned_abs())).sum();
        let support = u64::try_from(value.len()).unwrap_or(MAX);
        Self([support, u64::from(terms::digits(value)), norm].map(|size| u32::try_from(size.min(MAX)).unwrap_or(0)))
    }

    pub(super) fn of(self, measure: Measure) -> u32 {
        self.0[measure as usize]
    }

    pub(super) fn max(self, other: Self) -> Self {
        let mut max = self;
        for (a, b) in max.0.iter_mut().zip(other.0) {
            *a = b.max(*a);
        }
        max
    }

    /// An upper bound on the size of a sum.
    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a + d, b + e, c + f])
    }
}

impl Floor {
    pub(super) fn new(least: impl FnMut(Measure) -> u32) -> Self {
        Self(Measure::ALL.map(least))
    }

    #[inline]
    pub(super) fn allows(&self, size: Size) -> bool {
        let ([a, b, c], [d, e, f]) = (self.0, size.0);
        a <= d && b <= e && c <= f
    }
}
