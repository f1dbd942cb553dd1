//! Filters between their syntax tree and their declaration.

use super::{Item, Placed};
use crate::lower::machine::Described;
use crate::tree::{Body, Header, Interruptible};

/// The syntax tree of a filter of whatever kind, and what is known of its surroundings.
pub(crate) struct Tree<S> {
    pub(crate) header: Header<S>,
    pub(crate) body: Body<S>,
    pub(crate) doc: Option<String>,
    pub(crate) machine: Described,
}

/// A filter that was read, and which others may interrupt it.
pub(crate) struct Read<S> {
    pub(crate) item: Item<S>,
    /// Resolved when all filters of the source are known.
    pub(crate) interruptible: Option<Interruptible<S>>,
}

impl<S, K> From<Placed<K, S>> for Read<S>
where
    Item<S>: From<Placed<K, S>>,
{
    fn from(placed: Placed<K, S>) -> Self {
        Self { item: placed.into(), interruptible: None }
    }
}
