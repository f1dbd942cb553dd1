//! Exhaustive search for programs of a few instructions, on the actual registers.
//!
//! **Theorem.** If [`find`] answers that no program has fewer than `n` instructions, then no program that overwrites
//! only the registers allowed makes all outputs, including zeros and copies, with fewer. If it answers that there is
//! one of length `n`, it has offered one to its caller.
//!
//! *Proof.* A state is the content of each register and of NEWS, as far as it is known. Unknown contents cannot be
//! used, and the result of an instruction depends on its operands only, so all programs are walks from the state of the
//! inputs along the instructions of the set ([`patterns`], read off the machine). All walks of one length are tried,
//! the shortest first, with these exceptions:
//!
//! - Of the registers that are neither inputs nor outputs, those not written yet are all alike. Only the first of them
//!   is written.
//! - Operands that can be swapped without changing the result come in one order only.
//! - In a shortest program each instruction makes something that a later one reads or that is an output at the end;
//!   otherwise it could be left out. So a walk is given up where the result of an instruction is overwritten unread,
//!   and the last instruction has to read all that is still unread and not an output.
//! - With `r` instructions left, at most `r` times as many outputs can be missing as one instruction writes.
//!
//! Values are compared by their images ([`image`](super::image)). Equal values have equal images, so no program is
//! missed; the caller checks on exact values whether a program is right. ∎
//!
//! Nothing is assumed about the kernels, so the search also covers what bags cannot express: a value in two registers,
//! a copy of an input, several zeros from one division. There are too many longer programs to try on registers; those
//! of macro instructions are searched on values alone ([`exhaust`](super::macros::exhaust)).

mod patterns;
mod walk;

use std::ops::RangeInclusive;

use cain_isa::Instruction;

pub(crate) use patterns::Patterns;

use super::goals::Goals;
use super::problem::Problem;
use walk::Walk;

/// The result of [`find`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// A proved lower bound on the number of instructions.
    pub(crate) at_least: u32,
    /// Whether a program with that many instructions was found.
    pub(crate) found: bool,
}

/// Offers the shortest programs whose number of instructions is in `lengths`, those with fewer control words later; the
/// caller decides which of them are right. Programs shorter than `lengths` must have been ruled out before.
///
/// `take` takes work from the budget.
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
