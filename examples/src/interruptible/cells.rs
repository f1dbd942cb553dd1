//! What programs hold in an array, and overwrite there.

use cain_runtime::isa::{Cells, Instruction, Plan, Switches};

/// The number of planes of SCAMP-5: its analogue registers and NEWS.
pub(crate) const PLANES: u16 = 7;

/// The cells that a plan overwrites, including those of its input.
pub(crate) fn overwritten(plan: &Plan) -> Cells {
    let words = plan.listing.iter().flat_map(Instruction::words).map(|word| word.effect(true));
    words.fold(kept(plan.switches), |cells, effect| cells.union(effect.reads).union(effect.writes))
}

/// The registers to which values are moved at these points.
pub(crate) fn kept(switches: &[Switches<'_>]) -> Cells {
    let points = switches.iter().flat_map(|table| table.points);
    points.flat_map(|point| point.kept).fold(Cells::NONE, |cells, kept| cells.union(Cells::register(kept.register)))
}
