//! Leaving out values that only pass through a cell.
//!
//! Most macro instructions are two words: a sum goes to NEWS and from there to a register. If NEWS is written again
//! before anything else reads it, nobody can tell whether it ever held the sum, and one pass over the array does for
//! both words. Where the register is one of the summands too, the result goes to a spare plane, which takes the place
//! of the register's plane from there on.

use alloc::vec;
use alloc::vec::Vec;

use super::planes::{SPARE, Slot};
use super::transfer::Step;
use super::writes::Write;

/// Joins every two writes of which the first leaves nothing behind but what the second makes of it.
///
/// The writes that are left name planes. Afterwards the cells on the list are found in the planes beside them.
pub(super) fn relay(writes: &mut Vec<Write>) -> Vec<(Slot, Slot)> {
    let cells: Vec<Step> = writes.iter().map(|write| write.step).collect();
    let (mut names, mut kept) = (Names(vec![(SPARE, SPARE)]), 0);
    for (i, cell) in cells.iter().enumerate() {
        let mut step = cell.renamed(|cell| names.plane(cell));
        if let Some(before) = i.checked_sub(1)
            && is_lost(cells[before].target, &cells[i..])
            && let Some(both) = step.relayed(&writes[kept - 1].step)
        {
            kept -= 1;
            step = both;
            if step.terms().iter().any(|term| term.source == step.target) {
                step.target = names.exchange(cell.target);
            }
        }
        writes[kept] = Write { step, ..writes[i] };
        kept += 1;
    }
    writes.truncate(kept);
    names.0
}

/// Whether nothing but the first of these steps reads a cell before it is overwritten.
fn is_lost(cell: Slot, steps: &[Step]) -> bool {
    let reads = |step: &Step| step.terms().iter().any(|term| term.source == cell);
    let overwritten = steps.iter().position(|step| step.target == cell);
    overwritten.is_some_and(|end| !steps[..=end].iter().skip(1).any(reads))
}

/// The planes of cells that are not in their own.
struct Names(Vec<(Slot, Slot)>);

impl Names {
    fn plane(&self, cell: Slot) -> Slot {
        self.0.iter().find(|(name, _)| *name == cell).map_or(cell, |(_, plane)| *plane)
    }

    /// Gives a cell the spare plane, and its own one away as the next spare one.
    fn exchange(&mut self, cell: Slot) -> Slot {
        let (plane, spare) = (self.plane(cell), self.plane(SPARE));
        self.0.retain(|(name, _)| ![cell, SPARE].contains(name));
        self.0.extend([(cell, spare), (SPARE, plane)]);
        spare
    }
}
