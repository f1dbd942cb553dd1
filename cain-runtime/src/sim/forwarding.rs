//! NEWS forwarding: a value that only passes through NEWS is computed where it is used.
//!
//! Most macro instructions are two words: a sum goes to NEWS and from there to a register. If NEWS is written again
//! before anything else reads it, no program can tell whether it ever held the sum, and one pass over the array does
//! the work of both words. If the register is also one of the summands, the result goes to a spare plane, which
//! replaces the register's plane from then on. This works for every cell, not only for NEWS.

use alloc::vec;
use alloc::vec::Vec;

use super::planes::{SPARE, Slot};
use super::writes::Write;

/// Joins every write with the next one if only that one reads what it writes, and both are carried out in every PE.
///
/// The remaining writes refer to planes. Afterwards, each cell in the returned list is in the plane next to it.
pub(super) fn forward(writes: &mut Vec<Write>) -> Vec<(Slot, Slot)> {
    let originals = writes.clone();
    let (mut names, mut kept) = (Names(vec![(SPARE, SPARE)]), 0);
    for (i, original) in originals.iter().enumerate() {
        let (mut transfer, mut forwarded) = (original.transfer.renamed(|cell| names.plane(cell)), None);
        if let Some(before) = i.checked_sub(1)
            && original.flag.is_none()
            && originals[before].flag.is_none()
            && is_read_once(originals[before].transfer.target, &originals[i..])
            && let Some(joined) = transfer.forwarding(&writes[kept - 1].transfer)
        {
            kept -= 1;
            (transfer, forwarded) = (joined, Some(originals[before].destination));
            if transfer.terms().iter().any(|term| term.source == transfer.target) {
                transfer.target = names.exchange(original.transfer.target);
            }
        }
        writes[kept] = Write { transfer, forwarded, ..*original };
        kept += 1;
    }
    writes.truncate(kept);
    names.0
}

/// Whether only the first of these writes reads a cell before it is overwritten in every PE.
fn is_read_once(cell: Slot, writes: &[Write]) -> bool {
    let is_written = |write: &Write| write.transfer.target == cell;
    let reads = |write: &Write| {
        let is_kept = write.flag.is_some() && is_written(write);
        is_kept || write.transfer.terms().iter().any(|term| term.source == cell)
    };
    let overwritten = writes.iter().position(|write| write.flag.is_none() && is_written(write));
    overwritten.is_some_and(|end| !writes[..=end].iter().skip(1).any(reads))
}

/// A map from cells to their planes, for those that are not in their own plane.
struct Names(Vec<(Slot, Slot)>);

impl Names {
    fn plane(&self, cell: Slot) -> Slot {
        self.0.iter().find(|(name, _)| *name == cell).map_or(cell, |(_, plane)| *plane)
    }

    /// Moves a cell to the spare plane; the plane that it was in becomes the spare one.
    fn exchange(&mut self, cell: Slot) -> Slot {
        let (plane, spare) = (self.plane(cell), self.plane(SPARE));
        self.0.retain(|(name, _)| ![cell, SPARE].contains(name));
        self.0.extend([(cell, spare), (SPARE, plane)]);
        spare
    }
}
