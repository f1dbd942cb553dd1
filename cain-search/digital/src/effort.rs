//! The work that a search has done and may still do.

use core::ops::ControlFlow;

use cain_isa::{Progress, Stop};

/// The work that a search has done and may still do, in nodes: register states that are looked at.
///
/// Before there are such states, networks are made. That work is counted in steps, each of which takes about as long as
/// a table lookup. The amount that ordinary kernels need is free, so that small budgets are left for states; anything
/// beyond is charged to the nodes, but takes at most half of them.
pub(super) struct Effort<'w> {
    nodes: u64,
    limit: u64,
    /// The steps taken so far.
    steps: u64,
    /// The steps allowed; the last ones taken at once may exceed them.
    most_steps: u64,
    /// The nodes charged for steps so far, and the most that may be charged.
    charged: u64,
    most_charged: u64,
    /// The number of steps after which the caller is next asked whether to go on.
    next_look: u64,
    /// Whether work was skipped because it would have taken too many steps.
    is_cut: bool,
    words: Option<usize>,
    interrupted: bool,
    watch: &'w mut dyn FnMut(Progress) -> ControlFlow<()>,
}

/// The number of steps that take about as long as a node.
const STEPS_PER_NODE: u64 = 128;
/// The number of free steps: more than kernels on a PE and its neighbours take.
const FREE_STEPS: u64 = 20_000_000;
/// The number of free steps for a search that only provides a hint.
const STEPS_OF_HINT: u64 = FREE_STEPS / 4;
/// The intervals at which the caller is asked whether to go on, in nodes and in steps.
const NODES_PER_LOOK: u64 = 64;
const STEPS_PER_LOOK: u64 = NODES_PER_LOOK * STEPS_PER_NODE;

impl<'w> Effort<'w> {
    /// A record of no work yet.
    pub(super) fn new(limit: u64, watch: &'w mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        Self {
            nodes: 0,
            limit,
            steps: 0,
            most_steps: FREE_STEPS.saturating_add((limit / 2).saturating_mul(STEPS_PER_NODE)),
            charged: 0,
            most_charged: limit / 2,
            next_look: STEPS_PER_LOOK,
            is_cut: false,
            words: None,
            interrupted: false,
            watch,
        }
    }

    /// Allows `nodes` further nodes, and some steps, for a hint.
    pub(super) fn allow_hint(&mut self, nodes: u64) {
        self.limit = self.limit.max(self.nodes.saturating_add(nodes));
        self.most_steps = self.steps.saturating_add(STEPS_OF_HINT);
        self.most_charged = self.charged;
    }

    /// The nodes used so far.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The number of words of the best program; better ones must be shorter.
    pub(super) const fn words(&self) -> Option<usize> {
        self.words
    }

    /// Notes that a program of `words` words was found.
    pub(super) const fn found(&mut self, words: usize) {
        self.words = Some(words);
    }

    /// Whether the caller ended the search.
    pub(super) const fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Whether no more states may be looked at.
    pub(super) const fn is_spent(&self) -> bool {
        self.interrupted || self.nodes >= self.limit
    }

    /// Why the search ends now.
    pub(super) const fn stop(&self) -> Stop {
        match self.interrupted {
            true => Stop::Interrupted,
            false if self.is_cut || self.nodes >= self.limit => Stop::Nodes,
            false => Stop::Exhausted,
        }
    }

    /// Counts a state; returns `None` if none is left.
    pub(super) fn state(&mut self) -> Option<()> {
        if self.is_spent() {
            return None;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) {
            self.look();
        }
        Some(())
    }

    /// Counts a network.
    pub(super) const fn network(&mut self) {
        self.nodes += 1;
    }

    /// Counts steps.
    pub(super) fn step(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(steps);
        let charged = (self.steps.saturating_sub(FREE_STEPS) / STEPS_PER_NODE).min(self.most_charged);
        self.nodes = self.nodes.saturating_add(charged - self.charged);
        self.charged = charged;
        if self.steps >= self.next_look {
            self.next_look = self.steps.saturating_add(STEPS_PER_LOOK);
            self.look();
        }
    }

    /// Whether further steps may be taken that are useful but not necessary.
    pub(super) const fn may_step(&mut self) -> bool {
        let may = !self.interrupted && self.steps < self.most_steps;
        self.is_cut |= !may;
        may
    }

    fn look(&mut self) {
        let best = self.words.and_then(|words| u32::try_from(words).ok());
        self.interrupted |= (self.watch)(Progress { nodes: self.nodes, best }).is_break();
    }
}
