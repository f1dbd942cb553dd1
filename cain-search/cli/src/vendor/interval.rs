//! Between which ends numbers are, and what holds them.

use cain_isa::program::Term;

/// The ends of a number.
pub(super) type Range = (i128, i128);

/// Any number that there is.
pub(super) const ANY: Range = (i64::MIN as i128, i64::MAX as i128);

/// Numbers of 32 bits.
const WHOLE: Range = (i32::MIN as i128, i32::MAX as i128);

/// What holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// 32 bits.
    Whole,
    /// A `double`, which is exact far beyond: numbers without a range that is small enough.
    Wide,
}

impl Sort {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Whole => "int32_t",
            Self::Wide => "double",
        }
    }

    /// What holds all numbers of a range.
    pub(super) const fn of(range: Range) -> Self {
        if range.0 >= WHOLE.0 && range.1 <= WHOLE.1 { Self::Whole } else { Self::Wide }
    }
}

/// Between which ends a formula is, and what it can be computed with: what holds everything in between as well.
pub(super) fn range(formula: &[Term], of: &dyn Fn(usize) -> Range) -> (Range, Sort) {
    let mut stack: Vec<Range> = Vec::new();
    let mut sort = Sort::Whole;
    for term in formula {
        let operands = stack.split_off(stack.len().saturating_sub(term.operands()));
        let made = match (*term, operands.as_slice()) {
            #[expect(clippy::cast_possible_truncation, reason = "saturates")]
            (Term::Constant(constant), _) if constant.fract() == 0.0 => (constant as i128, constant as i128),
            (Term::Number(place), _) => of(place),
            (Term::Less | Term::AtMost | Term::Equal, _) => (0, 1),
            (Term::Choose, &[_, a, b]) => (a.0.min(b.0), a.1.max(b.1)),
            (Term::Min, &[a, b]) => (a.0.min(b.0), a.1.min(b.1)),
            (Term::Max, &[a, b]) => (a.0.max(b.0), a.1.max(b.1)),
            (Term::Add, &[a, b]) => (a.0 + b.0, a.1 + b.1),
            (Term::Subtract, &[a, b]) => (a.0 - b.1, a.1 - b.0),
            (Term::Multiply, &[a, b]) => {
                let ends = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                (ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0))
            }
            // No farther from 0 than the first one, or one farther below.
            (Term::Divide, &[a, _]) => {
                let most = a.0.abs().max(a.1.abs());
                (-most, most)
            }
            _ => ANY,
        };
        // Products of more of these would not fit.
        let made = if made.0 < ANY.0 || made.1 > ANY.1 { ANY } else { made };
        if Sort::of(made) == Sort::Wide {
            sort = Sort::Wide;
        }
        stack.push(made);
    }
    (stack.pop().unwrap_or(ANY), sort)
}
