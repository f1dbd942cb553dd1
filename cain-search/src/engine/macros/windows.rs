//! Shortening a program by re-solving parts of it exactly.
//!
//! A *window* is a run of instructions. What it needs is there before it, what it has to make is used after it; whether
//! fewer instructions do the same is a question to [`exhaust`].

use super::exhaust::{Answer, Query, Step, at_most, exhaust};
use super::forms::Forms;
use crate::engine::gain::GainLimit;
use crate::engine::terms::Term;

/// The sizes of windows, in instructions.
const SIZES: std::ops::RangeInclusive<usize> = 3..=7;
/// Nodes for one window.
const NODES: u64 = 300;

/// A program on values, and what it starts and ends with.
pub(crate) struct Whole<'a> {
    pub(crate) forms: &'a Forms,
    pub(crate) inputs: Vec<&'a [Term]>,
    pub(crate) targets: Vec<&'a [Term]>,
    pub(crate) gain: GainLimit,
    /// The most that tables may take, in bytes.
    pub(crate) room: usize,
    /// In order.
    pub(crate) steps: &'a [Step],
}

impl Whole<'_> {
    /// Programs that have one window done in fewer instructions, until one is accepted.
    ///
    /// `take` is asked for each node.
    pub(crate) fn shorten(&self, take: &mut dyn FnMut() -> bool, mut accept: impl FnMut(Vec<Step>) -> bool) -> bool {
        for size in SIZES {
            for start in 0..=self.steps.len().saturating_sub(size) {
                let Some(shorter) = self.without_detour(start, (start + size).min(self.steps.len()), take) else {
                    continue;
                };
                if accept(shorter) {
                    return true;
                }
            }
        }
        false
    }

    /// The program with a shorter window; `None` if there is none, or if it is not found.
    fn without_detour(&self, start: usize, end: usize, take: &mut dyn FnMut() -> bool) -> Option<Vec<Step>> {
        let (before, after) = (&self.steps[..start], &self.steps[end..]);
        let made = before.iter().flat_map(|step| &step.results).map(Vec::as_slice);
        let mut known: Vec<&[Term]> = self.inputs.iter().copied().chain(made).collect();
        known.sort_unstable();
        known.dedup();
        known.retain(|value| self.is_used(&self.steps[start..], value));
        let made = self.steps[start..end].iter().flat_map(|step| &step.results).map(Vec::as_slice);
        let mut wanted: Vec<&[Term]> = made.filter(|value| self.is_used(after, value)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|value| !known.contains(value));
        let most = u32::try_from(end - start).ok()?.checked_sub(1)?;
        let query = Query { forms: self.forms, known: &known, wanted: &wanted, most, gain: self.gain, room: self.room };
        match exhaust(&query, &mut at_most(NODES, take)) {
            Answer::Program(window) if window.finer == 0 => {
                Some(before.iter().chain(&window.steps).chain(after).cloned().collect())
            }
            _ => None,
        }
    }

    /// Whether some steps or the end need a value.
    fn is_used(&self, steps: &[Step], value: &[Term]) -> bool {
        self.targets.contains(&value) || steps.iter().any(|step| step.operands.iter().any(|operand| operand == value))
    }
}
