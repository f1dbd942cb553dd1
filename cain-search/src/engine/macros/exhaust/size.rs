//! Three measures of the size of values, and how fast they can grow.

use crate::engine::terms::{self, Term};

/// A subadditive measure that signs and shifts do not change.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    /// The number of terms.
    Support,
    /// The signed binary digits of all coefficients.
    Digits,
    /// The sum of absolute coefficients.
    Norm,
}

/// A value by all measures.
#[derive(Clone, Copy, Default)]
pub(super) struct Size([u32; 3]);

/// What a size must not fall below.
#[derive(Clone, Copy)]
pub(super) struct Floor([u32; 3]);

/// The three largest known values by each measure.
#[derive(Clone, Copy, Default)]
pub(super) struct Tops([Top; 3]);

/// The three largest, in falling order.
#[derive(Clone, Copy, Default)]
pub(super) struct Top([u32; 3]);

/// Larger sizes are clamped, so that sums of a few do not overflow.
const MAX: u64 = 1 << 28;

impl Measure {
    pub(super) const ALL: [Self; 3] = [Self::Support, Self::Digits, Self::Norm];

    /// Whether `left` instructions, with at least this number of divisions, can make something as large as the goal.
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

    /// What a division can do for the largest; it leaves its operand in one more register, and two halves in three.
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
    /// What a sum can do for the largest: a value and its translate, or three values.
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

    /// The largest two together.
    pub(super) fn two(self) -> u32 {
        self.0[0] + self.0[1]
    }
}

impl Tops {
    pub(super) fn of(&self, measure: Measure) -> Top {
        self.0[measure as usize]
    }

    /// Takes note of a register with a value. Supports are counted once.
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

    /// What a sum measures at most.
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
