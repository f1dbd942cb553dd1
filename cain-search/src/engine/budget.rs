//! The budget of a search.

use std::ops::ControlFlow;

use cain_isa::{Progress, Stop};

use super::work::NODE;
use crate::{Declaration, Patience};

/// The work that a search may do, and the work that it has done.
pub(crate) struct Budget<'a> {
    /// Work done, in units.
    done: u64,
    /// The limit, in nodes.
    limit: u64,
    patience: Patience,
    /// The number of weights of what is searched for.
    weights: usize,
    best: Option<u32>,
    /// The nodes used when a program was found that is better by more than a tie-break.
    found: u64,
    interrupted: bool,
    watch: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl<'a> Budget<'a> {
    /// A budget of `limit` nodes that reports its progress to `watch`.
    pub(crate) fn new(limit: u64, watch: &'a mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        let patience = Patience::Any;
        Self { done: 0, limit, patience, weights: 0, best: None, found: 0, interrupted: false, watch }
    }

    /// The budget for a declaration, of which no more is used than its patience allows.
    pub(crate) fn of(declaration: &Declaration, watch: &'a mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        let options = &declaration.options;
        let weights = declaration.weights();
        Self { patience: options.patience, weights, ..Self::new(options.nodes, watch) }
    }

    /// The number of nodes used, including one that has only been begun.
    pub(crate) fn used(&self) -> u64 {
        self.done.div_ceil(NODE).min(self.limit)
    }

    /// Records work that was done; `false` if no more may follow.
    pub(crate) fn charge(&mut self, work: u64) -> bool {
        let before = self.used();
        self.done = self.done.saturating_add(work);
        let nodes = self.used();
        if nodes > before {
            self.interrupted |= (self.watch)(Progress { nodes, best: self.best }).is_break();
        }
        self.stopped().is_none()
    }

    /// The reason why no more work may be done, if there is one.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        let done = self.done / NODE;
        if self.interrupted {
            Some(Stop::Interrupted)
        } else if done >= self.limit {
            Some(Stop::Nodes)
        } else if self.best.is_some() && self.patience.end(self.found, self.weights).is_some_and(|end| done >= end) {
            Some(Stop::Patience)
        } else {
            None
        }
    }

    /// A watcher for a smaller search whose nodes count towards this budget as well.
    pub(crate) fn shared(&mut self) -> impl FnMut(Progress) -> ControlFlow<()> {
        let mut used = 0;
        move |progress| {
            let nodes = progress.nodes - std::mem::replace(&mut used, progress.nodes);
            if self.charge(nodes * NODE) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
    }

    /// Records that a better program was found, its number of instructions, and whether it is only better by a
    /// tie-break, which does not keep a search going.
    pub(crate) fn improved(&mut self, instructions: usize, only_by_tie: bool) {
        if self.best.is_none() || !only_by_tie {
            self.found = self.used();
        }
        self.best = u32::try_from(instructions).ok();
    }
}

/// A part of a budget.
pub(crate) struct Allotment<'a, 'b> {
    budget: &'a mut Budget<'b>,
    /// Work that may still be done, in units.
    left: u64,
    has_lasted: bool,
}

impl<'a, 'b> Allotment<'a, 'b> {
    /// An allotment of some nodes of a budget.
    pub(crate) fn new(budget: &'a mut Budget<'b>, nodes: u64) -> Self {
        Self { budget, left: nodes.saturating_mul(NODE), has_lasted: true }
    }

    /// Records work that is about to be done; `false` if it must not be done.
    pub(crate) fn take(&mut self, work: u64) -> bool {
        self.has_lasted &= work <= self.left;
        self.left = self.left.saturating_sub(work);
        self.has_lasted && self.budget.charge(work)
    }

    /// Records work that was done, even beyond the allotment; `false` if no more may follow.
    pub(crate) fn record(&mut self, work: u64) -> bool {
        self.left = self.left.saturating_sub(work);
        self.has_lasted &= self.left > 0;
        self.budget.charge(work) && self.has_lasted
    }

    /// Whether the allotment has sufficed so far.
    pub(crate) fn has_lasted(&self) -> bool {
        self.has_lasted
    }

    /// The budget that this is a part of.
    pub(crate) fn budget(&mut self) -> &mut Budget<'b> {
        self.budget
    }
}

/// Limits a source of work to this many points of an exhaustive search.
pub(crate) fn at_most<'a>(mut points: u64, mut take: impl FnMut() -> bool + 'a) -> impl FnMut() -> bool + 'a {
    move || {
        let is_left = points > 0;
        points = points.saturating_sub(1);
        is_left && take()
    }
}
