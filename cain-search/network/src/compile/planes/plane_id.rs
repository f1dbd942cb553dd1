//! Planes by their numbers.

/// The index of a plane in [`Planes::list`](super::Planes::list).
pub(in super::super) type PlaneId = usize;
