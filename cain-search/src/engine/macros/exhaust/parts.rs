//! The walk over programs of one length, in parts that are distributed over threads, and that can be interrupted and
//! resumed.
//!
//! A walk begins as one part. A part is interrupted after a number of points, and what is left of it becomes new parts:
//! what comes after the latest choice, what comes after the choice before that, and so on. The parts and the work are
//! measured in points alone, so they are the same with any number of threads.

use super::super::forms::Forms;
use super::search::{End, Search};
use crate::engine::values::{Query, Rest, Unfinished, ValueProgram};
use crate::threads;

/// The number of points up to which a walk is not worth sharing.
const ALONE: u64 = 2_000;
/// The number of points after which each part is interrupted, and the number of parts that are walked before the budget
/// is looked at.
const POINTS: u64 = 256;
const AT_A_TIME: usize = 16;

/// The result of a walk.
pub(super) enum Walked {
    Program(ValueProgram),
    /// There is no program of this length.
    Nothing,
    /// The budget ran out; the walk can be resumed.
    Left,
    /// The memory or the range of integers does not suffice.
    Undecided,
}

/// The result of a walk over one part.
struct Outcome {
    end: Option<End>,
    points: u64,
    overflowed: bool,
    rests: Vec<Rest>,
}

/// Tries the programs of this length that are left; `take` takes a point of the budget.
pub(super) fn walk(
    of: (&Forms, &Query<'_>),
    length: u32,
    unfinished: &mut Unfinished,
    take: &mut dyn FnMut() -> bool,
) -> Walked {
    let Unfinished { rests: left, points: so_far, .. } = unfinished;
    // At first no work is done that has not been paid for.
    while *so_far < ALONE
        && let Some(part) = left.last()
    {
        let most = ALONE - *so_far;
        let outcome = walked(part, of, length, most, take);
        let points = outcome.as_ref().map_or(0, |outcome| outcome.points);
        *so_far += points;
        let is_refused = outcome.as_ref().is_some_and(|outcome| outcome.end.is_some()) && points <= most;
        match settle(outcome, left, left.len() - 1) {
            Walked::Left if !is_refused => {}
            walked => return walked,
        }
    }
    while !left.is_empty() {
        // The next part is the last in the list.
        let first = left.len().saturating_sub(AT_A_TIME);
        let outcomes = threads::map(&left[first..], |part| walked(part, of, length, POINTS, &mut || true));
        let points: u64 = outcomes.iter().flatten().map(|outcome| outcome.points).sum();
        for (at, outcome) in outcomes.into_iter().enumerate().rev() {
            let is_stuck = outcome.as_ref().is_some_and(|outcome| outcome.rests == left[first + at..=first + at]);
            match settle(outcome, left, first + at) {
                Walked::Left if is_stuck => return Walked::Undecided,
                Walked::Nothing | Walked::Left => {}
                walked => return walked,
            }
        }
        if (0..points).any(|_| !take()) && !left.is_empty() {
            return Walked::Left;
        }
    }
    Walked::Nothing
}

/// Replaces a part by what is left of it.
fn settle(outcome: Option<Outcome>, left: &mut Vec<Rest>, at: usize) -> Walked {
    let Some(outcome) = outcome else { return Walked::Undecided };
    let rests = match outcome.end {
        Some(End::Found(program)) => return Walked::Program(program),
        Some(End::Full) => return Walked::Undecided,
        _ if outcome.overflowed => return Walked::Undecided,
        Some(End::Stopped) | None => outcome.rests,
    };
    left.splice(at..=at, rests);
    if left.is_empty() { Walked::Nothing } else { Walked::Left }
}

/// Walks over a part; `None` if the range of integers does not suffice.
fn walked(
    part: &Rest,
    of: (&Forms, &Query<'_>),
    length: u32,
    most: u64,
    take: &mut dyn FnMut() -> bool,
) -> Option<Outcome> {
    let mut points = 0;
    let mut take_one = || {
        points += 1;
        points <= most && take()
    };
    let mut search = Search::new(of, (length, part), &mut take_one)?;
    let end = search.run(length).break_value();
    let overflowed = search.overflowed;
    let rests = if end.is_some() { search.rests() } else { Vec::new() };
    Some(Outcome { end, points, overflowed, rests })
}
