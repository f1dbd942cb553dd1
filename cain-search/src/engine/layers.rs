//! The layers of a beam: bags from which programs of one cost lead to what is wanted.

use std::ops::Range;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::focus::Focus;
use super::goals::GoalId;
use crate::costs::Costs;

pub(crate) use super::candidate::{Candidate, Origin};

/// The bags that were kept, by their hashes.
pub(super) type Seen = HashMap<u64, Known, FxBuildHasher>;

/// Where a kept bag is.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The first layer that the bag is in.
    pub(super) layer: u32,
    /// Its node in that layer; `None` if the node was forgotten.
    pub(super) index: Option<u32>,
    /// The error along the best way to it so far.
    pub(super) error: f64,
}

/// The number of candidates that a layer has room for, in addition to [`PER_NODE`] for each kept bag.
const ROOM: usize = 4096;
const PER_NODE: usize = 16;

/// A bag that was kept.
pub(crate) struct Node {
    pub(crate) bag: Range<usize>,
    pub(crate) costs: Costs,
    /// Where it came from first; `None` for the bag at the end.
    pub(crate) origin: Option<Origin>,
    /// Its further origins, as far as they are recorded.
    pub(super) further: Vec<Origin>,
}

/// All bags at one cost.
pub(crate) struct Layer {
    /// The goals of all bags, one bag after the other.
    pub(super) bags: Vec<GoalId>,
    pub(crate) nodes: Vec<Node>,
    /// How many of the nodes, counted from the first, have been expanded.
    pub(super) expanded: usize,
    /// The number of further origins of all nodes together.
    pub(super) further: usize,
    /// The candidates, in no particular order.
    pub(crate) candidates: Vec<Candidate>,
    /// The lowest linear estimate of any candidate so far.
    pub(super) nearest: i64,
}

impl Default for Layer {
    fn default() -> Self {
        let (bags, nodes, candidates) = (Vec::new(), Vec::new(), Vec::new());
        Self { bags, nodes, expanded: 0, further: 0, candidates, nearest: i64::MAX }
    }
}

impl Layer {
    /// The numbers of the steps that its bags and candidates come from.
    pub(super) fn steps(&self) -> impl Iterator<Item = u32> {
        let kept = self.nodes.iter().flat_map(|node| node.origin.iter().chain(&node.further)).copied();
        kept.chain(self.candidates.iter().map(|candidate| candidate.origin)).map(|origin| origin.step)
    }

    /// The origins of its bags and candidates.
    pub(super) fn origins_mut(&mut self) -> impl Iterator<Item = &mut Origin> {
        let kept = self.nodes.iter_mut().flat_map(|node| node.origin.iter_mut().chain(&mut node.further));
        kept.chain(self.candidates.iter_mut().map(|candidate| &mut candidate.origin))
    }

    /// Forgets nodes and their bags; [`retain_further`](Self::retain_further) has to follow.
    pub(super) fn retain(&mut self, is_kept: &[bool]) {
        let mut bags = Vec::new();
        let mut nodes = Vec::new();
        for (node, _) in std::mem::take(&mut self.nodes).into_iter().zip(is_kept).filter(|(_, is_kept)| **is_kept) {
            let start = bags.len();
            bags.extend_from_slice(&self.bags[node.bag.clone()]);
            nodes.push(Node { bag: start..bags.len(), ..node });
        }
        self.expanded = is_kept[..self.expanded].iter().filter(|is_kept| **is_kept).count();
        (self.bags, self.nodes) = (bags, nodes);
    }

    /// Forgets the further origins that are not kept.
    pub(super) fn retain_further(&mut self, is_kept: impl Fn(Origin) -> bool) {
        self.nodes.iter_mut().for_each(|node| node.further.retain(|&origin| is_kept(origin)));
        self.further = self.nodes.iter().map(|node| node.further.len()).sum();
    }

    /// Records a further origin of a node.
    pub(super) fn add_origin(&mut self, index: u32, origin: Origin) {
        self.nodes[index as usize].further.push(origin);
        self.further += 1;
    }

    /// The memory that the layer takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let nodes = size_of_val(self.nodes.as_slice()) + self.further * size_of::<Origin>();
        size_of_val(self.bags.as_slice()) + nodes + size_of_val(self.candidates.as_slice())
    }

    /// Adds a candidate, and drops the least promising ones when there are too many; returns whether none was dropped.
    pub(super) fn offer(&mut self, candidate: Candidate, foci: &[Focus]) -> bool {
        self.nearest = self.nearest.min(candidate.estimates.linear);
        self.candidates.push(candidate);
        let most = ROOM + PER_NODE * self.nodes.len();
        self.candidates.len() < 2 * most || self.trim(most, foci)
    }

    /// Drops all but the `most` best candidates, an equal number for each focus; returns whether none was dropped.
    pub(super) fn trim(&mut self, most: usize, foci: &[Focus]) -> bool {
        let mut kept = 0;
        for (i, &focus) in foci.iter().enumerate() {
            let share = (most - kept) / (foci.len() - i);
            kept += bring_forward(&mut self.candidates[kept..], share, focus);
        }
        let complete = kept == self.candidates.len();
        self.candidates.truncate(kept);
        complete
    }

    /// Takes out the best candidates, the best one first and each bag once.
    pub(super) fn take_best(&mut self, most: usize, focus: Focus) -> Vec<Candidate> {
        let best = bring_forward(&mut self.candidates, most, focus);
        let others = self.candidates.split_off(best);
        let mut best = std::mem::replace(&mut self.candidates, others);
        // No two candidates are the same in all of these.
        best.sort_unstable_by_key(|it| (focus.rank(it), it.tie, it.hash, it.origin));
        best
    }

    pub(crate) fn bag(&self, node: &Node) -> &[GoalId] {
        &self.bags[node.bag.clone()]
    }
}

/// Brings the best candidates, up to `most` of them, to the front, in no particular order; returns their number.
fn bring_forward(candidates: &mut [Candidate], most: usize, focus: Focus) -> usize {
    if most >= candidates.len() {
        return candidates.len();
    }
    let rank = |candidate: &Candidate| (focus.rank(candidate), candidate.tie);
    let mut ranks: Vec<(i64, u32)> = candidates.iter().map(rank).collect();
    let limit = *ranks.select_nth_unstable(most).1;
    // Those of a lower rank come first, then those of the same.
    let (mut lower, mut same) = (0, 0);
    for i in 0..candidates.len() {
        let order = rank(&candidates[i]).cmp(&limit);
        if order.is_le() {
            candidates.swap(i, lower + same);
            same += 1;
        }
        if order.is_lt() {
            candidates.swap(lower, lower + same - 1);
            lower += 1;
            same -= 1;
        }
    }
    let same = &mut candidates[lower..lower + same];
    same.select_nth_unstable_by_key(most - lower, |candidate| (candidate.hash, candidate.origin));
    most
}

/// The numbers of the steps from a node to the end of the program, last instruction first, along first origins.
pub(crate) fn steps_from(layers: &[Layer], node: &Node) -> Vec<u32> {
    steps_chosen(layers, node, |_| 0)
}

/// The numbers of the steps from a node to the end of the program, last instruction first. Given the number of origins
/// of a bag, `choose` says which of them to follow; 0 is the first.
pub(super) fn steps_chosen<'l>(
    layers: &'l [Layer],
    mut node: &'l Node,
    mut choose: impl FnMut(usize) -> usize,
) -> Vec<u32> {
    let mut steps = Vec::new();
    while let Some(first) = node.origin {
        let chosen = choose(1 + node.further.len());
        let Origin { layer, index, step } = if chosen == 0 { first } else { node.further[chosen - 1] };
        steps.push(step);
        node = &layers[layer as usize].nodes[index as usize];
    }
    steps.reverse();
    steps
}
