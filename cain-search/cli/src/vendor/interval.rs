//! Between which ends numbers are, and what holds them.

use cain_isa::program::Term;

/// The ends of a number.
pub(super) type Range = (i128, i128);

/// Any number that there is: beyond these, sums and products saturate.
pub(super) const ANY: Range = (-(Term::LARGEST as i128), Term::LARGEST as i128);

/// Numbers of 32 bits.
const WHOLE: Range = (i32::MIN as i128, i32::MAX as i128);

/// What holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// 32 bits.
    Whole,
    /// A `double`, which is exact for [any number](ANY).
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

/// What is known of a part of a formula.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Between which ends it is.
    pub(super) range: Range,
    /// Whether it could be farther from 0 than there are numbers, if it did not saturate.
    pub(super) saturates: bool,
}

/// What is known of each part of a formula: of what each of its terms makes, in their order.
pub(super) fn parts(formula: &[Term], of: &dyn Fn(usize) -> Range) -> Vec<Part> {
    let mut stack: Vec<Range> = Vec::new();
    let mut parts = Vec::new();
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
        let range = (made.0.clamp(ANY.0, ANY.1), made.1.clamp(ANY.0, ANY.1));
        parts.push(Part { range, saturates: range != made });
        stack.push(range);
    }
    parts
}

/// Between which ends a formula is.
pub(super) fn range(formula: &[Term], of: &dyn Fn(usize) -> Range) -> Range {
    parts(formula, of).last().map_or(ANY, |part| part.range)
}
