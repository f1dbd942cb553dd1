//! Where maps are, seen from others.

use cain_isa::Displacement;
use cain_isa::program::Grid;

/// The displacement from the first pixel of one map to that of another.
pub(super) fn displacement(from: Grid, to: Grid) -> Option<Displacement> {
    let (south, east) = (to.top - from.top, to.left - from.left);
    Some(Displacement::new(i16::try_from(east).ok()?, i16::try_from(-south).ok()?))
}
