//! The budget of a search, in nodes.

use std::ops::ControlFlow;

use cain_isa::Stop;

use crate::Progress;

/// How many nodes may be used and were used. A node is an expanded bag.
pub(crate) struct Budget<'a> {
    used: u64,
    limit: u64,
    best: Option<u32>,
    interrupted: bool,
    watch: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl<'a> Budget<'a> {
    /// A budget of `limit` nodes, over which `watch` is called.
    pub(crate) fn new(limit: u64, watch: &'a mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        Self { used: 0, limit, best: None, interrupted: false, watch }
    }

    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    /// Nodes not used yet.
    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// Takes one node; `false` if none is left.
    pub(crate) fn take(&mut self) -> bool {
        if self.stopped().is_some() {
            return false;
        }
        self.used += 1;
        self.interrupted = (self.watch)(Progress { nodes: self.used, best: self.best }).is_break();
        !self.interrupted
    }

    /// Why no node is left.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        match (self.interrupted, self.used >= self.limit) {
            (true, _) => Some(Stop::Interrupted),
            (false, true) => Some(Stop::Nodes),
            (false, false) => None,
        }
    }

    /// Notes that a better program was found, with its number of instructions.
    pub(crate) fn improved(&mut self, instructions: usize) {
        self.best = u32::try_from(instructions).ok();
    }
}

/// At most this many nodes of a budget.
pub(crate) fn at_most<'a>(mut nodes: u64, mut take: impl FnMut() -> bool + 'a) -> impl FnMut() -> bool + 'a {
    move || {
        nodes = nodes.saturating_sub(1);
        nodes > 0 && take()
    }
}
