//! Room that is left in the range of planes.

/// For each layer, the number of halvings by which its planes must stay below the range.
pub(super) type Headroom = Vec<u32>;

/// The largest headroom.
pub(super) const MOST_HEADROOM: u32 = 6;
