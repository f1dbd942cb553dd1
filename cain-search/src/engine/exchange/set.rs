//! Sets of nodes, and how large they may be.

/// A set of nodes, as bits.
pub(crate) type Set = u128;

pub(super) const MOST_NODES: usize = 128;

/// The most values of a graph, fixed ones included: pairs and triples of them are looked at.
pub(super) const MOST_VALUES: usize = 160;
