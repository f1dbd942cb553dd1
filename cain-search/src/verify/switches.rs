//! Where a proved program may be left.

use cain_isa::Cells;

use super::Proved;
use crate::switches::{SwitchError, SwitchLimits, SwitchTable};

impl SwitchTable {
    /// The points of a proved program for others that overwrite `others`. Leaving and coming back at each of
    /// them is proved: whatever the others write, the program finds what it needs.
    ///
    /// Registers that the declaration does not name belong to somebody else, who may keep images there.
    pub fn of(program: &Proved, others: Cells) -> Result<Self, SwitchError> {
        Self::within(program, others, SwitchLimits::of_program(program.report().icws))
    }

    /// Like [`of`](Self::of), with limits from the caller.
    pub fn within(program: &Proved, others: Cells, limits: SwitchLimits) -> Result<Self, SwitchError> {
        Self::bounded(program.declaration(), program.listing(), others, limits, None)
    }

    /// The [latency](Self::latency) that the program would have with `more` further registers of its own that the
    /// others do not use; `None` if it could still not be left.
    #[must_use]
    pub fn latency_with(program: &Proved, others: Cells, more: usize) -> Option<u32> {
        Self::latency_of_listing_with(program.declaration(), program.listing(), others, more)
    }
}
