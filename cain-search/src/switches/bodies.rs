//! The points of a program with loops and decisions: those of each of its bodies, for itself.
//!
//! Whatever is needed after a body is what it promises, so that the proof of a body is one for all passes and all ways. Nothing
//! goes back beyond a loop or a decision.

use cain_isa::Cells;

use super::flow::Gate;
use super::steps::Nested;
use super::wait::Wait;
use super::{Point, Steps, SwitchError, SwitchLimits, points, values};
use crate::costs::count;

/// The boundaries of a body with those of what is within it.
pub(super) fn boundaries(steps: &Steps) -> u32 {
    let within: u32 = steps.nested.iter().map(within).sum();
    count(steps.pieces.len()) + 1 + within
}

fn within(nested: &Nested) -> u32 {
    nested.bodies.iter().map(boundaries).sum()
}

/// Adds the points of a body, whose first boundary has this number, and of what is within it; they are proved. How long others
/// wait for it.
pub(super) fn points(
    steps: &Steps,
    others: Cells,
    limits: SwitchLimits,
    first: u32,
    all: &mut Vec<Point>,
) -> Result<Wait, SwitchError> {
    let flow = steps.flow();
    let own = points::thinned(&flow, &points::of(&flow, steps.own, others, limits), limits.latency);
    values::check(&steps.pieces, &flow, others, &own)?;
    let mut wait = Wait::words(0);
    let (mut left, mut nested) = (own.iter().peekable(), steps.nested.iter().peekable());
    let mut number = first;
    let mut numbers = Vec::new();
    for (at, piece) in steps.pieces.iter().map(Some).chain([None]).enumerate() {
        numbers.push(number);
        number += 1;
        if let Some(point) = left.next_if(|point| point.at == count(at)) {
            wait = wait.then(Wait::at(point));
        }
        let Some(piece) = piece else { break };
        let Some(nested) = nested.next_if(|nested| nested.at == at) else {
            wait = wait.then(Wait::words(piece.words()));
            continue;
        };
        if flow.gates[at] != Gate::All {
            return Err(SwitchError::Unproved { at: number, next: None });
        }
        wait = wait.then(of_nested(nested, others, limits, number, all)?);
        number += within(nested);
    }
    let numbered = |point: Point| {
        let [at, resume] = [point.at, point.resume].map(|at| numbers[at as usize]);
        Point { at, resume, ..point }
    };
    all.extend(own.into_iter().map(numbered));
    Ok(wait)
}

/// Adds the points within a loop or a decision, whose first boundary has this number.
fn of_nested(
    nested: &Nested,
    others: Cells,
    limits: SwitchLimits,
    first: u32,
    all: &mut Vec<Point>,
) -> Result<Wait, SwitchError> {
    let [one, other] = &nested.bodies;
    let second = first + boundaries(one);
    for (body, first) in [(one, first), (other, second)] {
        // The proof takes FLAG for 1 in every PE at both ends.
        if body.flow().gates.last() != Some(&Gate::All) {
            return Err(SwitchError::Unproved { at: first, next: None });
        }
    }
    let one = points(one, others, limits, first, all)?;
    let other = points(other, others, limits, second, all)?;
    Ok(match nested.passes {
        Some(passes) => one.then(other).at_most(passes).then(one),
        None => one.or(other),
    })
}
