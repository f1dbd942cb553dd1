//! What the controller decides and computes while a program runs.

use super::{Real, address};
use crate::io::{Address, ArrayIo, Region};
use crate::isa::Bit;
use crate::isa::program::{Found, Term};

/// The value of a formula; 0 for one that is none.
pub(super) fn value<N: Real>(formula: &[Term], numbers: &[N]) -> N {
    N::of(of(formula, |place| numbers.get(place).copied().unwrap_or_default().into()))
}

fn of(formula: &[Term], number: impl Fn(usize) -> f64) -> f64 {
    let mut stack = [0.0; Term::DEPTH];
    let mut height = 0_usize;
    for term in formula {
        let Some(below) = height.checked_sub(term.operands()).filter(|below| *below < stack.len()) else { return 0.0 };
        let taken = &stack[below..height];
        let number = match (*term, taken) {
            (Term::Constant(constant), _) => constant,
            (Term::Number(place), _) => number(place),
            (Term::Choose, &[condition, then, otherwise]) => {
                if condition == 0.0 {
                    otherwise
                } else {
                    then
                }
            }
            (term, &[a, b]) => of_two(term, a, b),
            _ => 0.0,
        };
        stack[below] = number;
        height = below + 1;
    }
    if height == 1 { stack[0] } else { 0.0 }
}

fn of_two(term: Term, a: f64, b: f64) -> f64 {
    let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
    match term {
        Term::Add => saturated(a + b),
        Term::Subtract => saturated(a - b),
        Term::Multiply => saturated(a * b),
        Term::Divide => {
            if b == 0.0 {
                0.0
            } else {
                floor(a / b)
            }
        }
        Term::Min => {
            if b < a {
                b
            } else {
                a
            }
        }
        Term::Max => {
            if b > a {
                b
            } else {
                a
            }
        }
        Term::Less => truth(a < b),
        Term::AtMost => truth(a <= b),
        #[expect(clippy::float_cmp, reason = "whole numbers")]
        Term::Equal => truth(a == b),
        Term::Choose | Term::Constant(_) | Term::Number(_) => 0.0,
    }
}

/// The nearest number up to which all are exact.
#[expect(clippy::cast_precision_loss, reason = "a power of two")]
const fn saturated(number: f64) -> f64 {
    const LARGEST: f64 = Term::LARGEST as f64;
    number.clamp(-LARGEST, LARGEST)
}

/// The largest whole number that is not above; there is no `floor` without the standard library.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "numbers of a controller are small")]
fn floor(number: f64) -> f64 {
    let towards_zero = number as i64 as f64;
    if towards_zero > number { towards_zero - 1.0 } else { towards_zero }
}

/// The rectangle of four numbers, as far as it is on the array; `None` if nothing of it is.
pub(super) fn region<A: ArrayIo + ?Sized, N: Real>(array: &A, numbers: &[N]) -> Result<Option<Region>, A::Error> {
    let size = array.size();
    let &[top, left, height, width, ..] = numbers else { return Ok(None) };
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let along = |first: N, length: N, side: usize| {
        let (first, length): (f64, f64) = (first.into(), length.into());
        let (first, end) = (first as i64, (first + length) as i64);
        let first = usize::try_from(first.max(0)).unwrap_or_default();
        let end = usize::try_from(end.max(0)).unwrap_or_default().min(side);
        (first < end).then(|| (first, end - 1))
    };
    let (Some((top, bottom)), Some((left, right))) = (along(top, height, size.height), along(left, width, size.width))
    else {
        return Ok(None);
    };
    Ok(Some(Region::new(address::address(size, top, right)?, address::address(size, bottom, left)?)))
}

/// Writes what is found about a bit.
pub(super) fn find<A: ArrayIo + ?Sized, N: Real>(
    array: &mut A,
    what: Found,
    of: Bit,
    numbers: &mut [N],
) -> Result<(), A::Error> {
    let size = array.size();
    let numbers = numbers.get_mut(..what.numbers()).unwrap_or_default();
    numbers.fill(N::default());
    let found = |at: usize| N::whole(i32::try_from(at).unwrap_or_default());
    match (what, numbers) {
        (Found::Any, [any]) if array.any(of, crate::io::Pattern::ALL)? => {
            *any = N::whole(1);
        }
        (Found::Ones, [ones]) => {
            let mut bytes = [0; LONGEST / 8];
            for row in 0..u16::try_from(size.height).unwrap_or(u16::MAX) {
                let count = array.scan_bits(of, (row, row), &mut bytes)?;
                *ones += N::whole(bytes.iter().take(count).map(|byte| byte.count_ones().cast_signed()).sum());
            }
        }
        (Found::Bounds, [top, left, bottom, right, any]) => {
            if let Some(Region { first, last }) = array.bounding_box(of)? {
                let from_left = |column: u16| found(size.width.saturating_sub(1 + usize::from(column)));
                (*top, *left) = (found(first.row.into()), from_left(last.column));
                (*bottom, *right) = (found(last.row.into()), from_left(first.column));
                *any = N::whole(1);
            }
        }
        (Found::First, [row, column, any]) => {
            let mut events = [Address::default()];
            if array.scan_events(of, &mut events)?.listed > 0 {
                let at = events[0].row;
                let mut bytes = [0; LONGEST / 8];
                let count = array.scan_bits(of, (at, at), &mut bytes)?;
                // Columns count from the right there.
                let last = (0..count * 8).rev().find(|bit| bytes[bit / 8] >> (bit % 8) & 1 == 1).unwrap_or_default();
                (*row, *column, *any) = (found(at.into()), found(size.width.saturating_sub(1 + last)), N::whole(1));
            }
        }
        _ => {}
    }
    Ok(())
}

/// The most columns of an array that are read.
const LONGEST: usize = 1024;
