//! The words at the very end: zeros, and copies of values that exist anyway.

use cain_isa::{Cell, Reg, Word};

use crate::OffsetRule;
use crate::engine::problem::Problem;
use crate::sort;

/// The words in order; `None` if there is no source for a copy.
///
/// A word without sources leaves zero and the transfer error; a second one compensates it.
pub(crate) fn epilogue(problem: &Problem, rule: OffsetRule) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut push = |destination: Cell, sources: &[Cell]| {
        words.push(Word::new(&[destination], sources).ok()?);
        Some(())
    };
    if rule == OffsetRule::Cancelled && !problem.zeros.is_empty() {
        push(Cell::News, &[])?;
    }
    for &reg in &problem.zeros {
        push(reg.into(), if rule == OffsetRule::Cancelled { &[Cell::News] } else { &[] })?;
    }
    // Copies of the same value follow each other, so that it is pushed to NEWS only once.
    let mut copies: Vec<(Reg, Reg)> = Vec::new();
    for &(reg, goal) in &problem.copies {
        copies.push((problem.copied_from(goal)?, reg));
    }
    sort::by_key(&mut copies, |copy| copy.0);
    for same in copies.chunk_by(|a, b| a.0 == b.0) {
        push(Cell::News, &[same[0].0.into()])?;
        for &(_, reg) in same {
            push(reg.into(), &[Cell::News])?;
        }
    }
    Some(words)
}
