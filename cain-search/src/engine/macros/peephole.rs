//! Shortens a program by re-solving parts of it exactly (peephole optimisation).
//!
//! A *window* is a run of instructions. What it needs exists before it, and what it has to make is used after it;
//! [`exhaust`] decides whether fewer instructions do the same.

use super::exhaust::exhaust;
use super::forms::Forms;
use crate::engine::budget::at_most;
use crate::engine::terms::Term;
use crate::engine::values::{Answer, Query, Unfinished, ValueStep, Whole};

/// The number of instructions in a window.
const SIZES: std::ops::RangeInclusive<usize> = 3..=7;
/// The budget for one window, in nodes.
const NODES: u64 = 300;

/// Offers programs in which one window takes fewer instructions, until one is accepted; returns whether one was.
///
/// `take` takes a node of the budget.
pub(crate) fn shorten(
    forms: &Forms,
    whole: &Whole<'_>,
    take: &mut dyn FnMut() -> bool,
    accept: &mut dyn FnMut(Vec<ValueStep>) -> bool,
) -> bool {
    let steps = whole.steps.len();
    let windows = SIZES.flat_map(|size| (0..=steps.saturating_sub(size)).map(move |start| (start, start + size)));
    for (start, end) in windows {
        if without_detour(forms, whole, (start, end.min(steps)), take).is_some_and(&mut *accept) {
            return true;
        }
    }
    false
}

/// The program with a shorter window; `None` if there is none or it is not found.
fn without_detour(
    forms: &Forms,
    whole: &Whole<'_>,
    (start, end): (usize, usize),
    take: &mut dyn FnMut() -> bool,
) -> Option<Vec<ValueStep>> {
    let (before, after) = (&whole.steps[..start], &whole.steps[end..]);
    let made = before.iter().flat_map(|step| &step.results).map(Vec::as_slice);
    let mut known: Vec<&[Term]> = whole.inputs.iter().copied().chain(made).collect();
    known.sort_unstable();
    known.dedup();
    known.retain(|value| is_used(whole, &whole.steps[start..], value));
    let made = whole.steps[start..end].iter().flat_map(|step| &step.results).map(Vec::as_slice);
    let mut wanted: Vec<&[Term]> = made.filter(|value| is_used(whole, after, value)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted.retain(|value| !known.contains(value));
    let most = u32::try_from(end - start).ok()?.checked_sub(1)?;
    let query = Query { known: &known, wanted: &wanted, least: 0, most, gain: whole.gain, room: whole.room };
    match exhaust(forms, &query, &mut Unfinished::default(), &mut at_most(NODES, take)) {
        Answer::Program(window) if window.finer == 0 => {
            Some(before.iter().chain(&window.steps).chain(after).cloned().collect())
        }
        _ => None,
    }
}

/// Whether a value is needed by some steps or at the end.
fn is_used(whole: &Whole<'_>, steps: &[ValueStep], value: &[Term]) -> bool {
    whole.wanted.contains(&value) || steps.iter().any(|step| step.operands.iter().any(|operand| operand == value))
}
