//! Exhaustive search for programs of a few instructions, on the registers there are.
//!
//! **Theorem.** If [`find`] answers that no program has fewer than `n` instructions, then none that overwrites only the
//! registers allowed makes all outputs with fewer, zeros, copies and all. If it answers that there is one of length
//! `n`, it has offered one to its caller.
//!
//! *Proof.* A state is the content of each register and of NEWS, as far as it is known. What is not known cannot be
//! used, and what an instruction makes depends on its operands only, so all programs are walks from the state
//! of the inputs along the instructions of the set ([`patterns`], read off the machine). All walks of one length are
//! tried, the shortest first, but for these:
//!
//! - Of the registers that are neither inputs nor outputs, those that were not written yet are all alike. Only the
//!   first of them is written.
//! - Operands that can take each other's place without a change of what is made come in one order.
//! - In a shortest program each instruction makes something that a later one reads, or that is an output at the end:
//!   without the instruction the others would do the same. So a walk ends where what an instruction made is overwritten
//!   unread, and the last instruction reads what is still unread and no output.
//! - With `r` instructions left at most `r` times as many outputs can be missing as one instruction writes.
//!
//! Values are compared by their images ([`image`](super::image)). Equal ones have equal images, so that no program is
//! missed; whether one is right the caller decides on exact values. ∎
//!
//! Nothing is assumed about the kernels, so that what bags cannot express comes out exactly: a value in two registers,
//! a copy of an input, several zeros from one division. Longer programs are too many to try on registers; those of
//! macro instructions are searched on values alone ([`exhaust`](super::macros::exhaust)).

mod patterns;
mod walk;

use std::ops::RangeInclusive;

use cain_isa::Instruction;

pub(crate) use patterns::Patterns;

use super::goals::Goals;
use super::problem::Problem;
use walk::Walk;

/// What [`find`] finds out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// No program has fewer instructions.
    pub(crate) at_least: u32,
    /// Whether one has as many.
    pub(crate) found: bool,
}

/// Offers the shortest programs with a number of instructions in `lengths`, of which those with fewer control words
/// come later; the caller decides which of them are right. Fewer than the least of `lengths` must be known not to be
/// enough.
///
/// `take` takes work of the budget.
pub(crate) fn find(
    (problem, goals): (&Problem, &Goals),
    patterns: &Patterns,
    lengths: RangeInclusive<u32>,
    take: &mut dyn FnMut(u64) -> bool,
    offer: &mut dyn FnMut(Vec<Instruction>) -> bool,
) -> Outcome {
    for length in lengths.clone() {
        let mut walk = Walk::new((problem, goals), patterns, &mut *take, &mut *offer);
        let is_complete = walk.as_mut().is_some_and(|walk| walk.all_of(length));
        let found = walk.is_some_and(|walk| walk.has_found());
        if found || !is_complete {
            return Outcome { at_least: length, found };
        }
    }
    Outcome { at_least: lengths.end() + 1, found: false }
}
