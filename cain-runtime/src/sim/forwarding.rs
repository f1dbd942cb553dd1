//! NEWS forwarding: a value that only passes through NEWS is computed where it is used.
//!
//! Most macro instructions are two words: a sum goes to NEWS and from there to a register. If NEWS is written again
//! before anything else reads it, no program can tell whether it ever held the sum, and one pass over the array does
//! the work of both words. If the register is one of the summands too, the result goes to a spare plane, which takes
//! the place of the register's plane from there on. The same holds for every cell, not only for NEWS.

use alloc::vec;
use alloc::vec::Vec;

use super::planes::{SPARE, Slot};
use super::transfer::PlaneTransfer;
use super::writes::Write;

/// Joins every write with the next one if nothing but that one reads what it writes.
///
/// The remaining writes name planes. Afterwards each cell on the list returned is in the plane beside it.
pub(super) fn forward(writes: &mut Vec<Write>) -> Vec<(Slot, Slot)> {
    let transfers: Vec<PlaneTransfer> = writes.iter().map(|write| write.transfer).collect();
    let (mut names, mut kept) = (Names(vec![(SPARE, SPARE)]), 0);
    for (i, original) in transfers.iter().enumerate() {
        let mut transfer = original.renamed(|cell| names.plane(cell));
        if let Some(before) = i.checked_sub(1)
            && is_read_once(transfers[before].target, &transfers[i..])
            && let Some(joined) = transfer.forwarding(&writes[kept - 1].transfer)
        {
            kept -= 1;
            transfer = joined;
            if transfer.terms().iter().any(|term| term.source == transfer.target) {
                transfer.target = names.exchange(original.target);
            }
        }
        writes[kept] = Write { transfer, ..writes[i] };
        kept += 1;
    }
    writes.truncate(kept);
    names.0
}

/// Whether only the first of these transfers reads a cell before it is overwritten.
fn is_read_once(cell: Slot, transfers: &[PlaneTransfer]) -> bool {
    let reads = |transfer: &PlaneTransfer| transfer.terms().iter().any(|term| term.source == cell);
    let overwritten = transfers.iter().position(|transfer| transfer.target == cell);
    overwritten.is_some_and(|end| !transfers[..=end].iter().skip(1).any(reads))
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
