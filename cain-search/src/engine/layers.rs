//! The layers of a pass: bags from which programs of one cost lead to what is wanted.

use std::ops::Range;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::goals::GoalId;
use super::sensitivities::Sensitivities;
use crate::costs::Costs;

/// The bags that were kept, by their hashes, with the error so far.
pub(super) type Seen = HashMap<u64, f64, FxBuildHasher>;

/// A bag that was kept.
pub(super) struct Node {
    pub(super) bag: Range<usize>,
    /// None unless errors are looked at.
    pub(super) sensitivities: Sensitivities,
    pub(super) costs: Costs,
    pub(super) origin: Option<Origin>,
}

/// Where a bag comes from: the layer and index of the bag after the step, and the step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    pub(super) layer: u32,
    pub(super) index: u32,
    pub(super) step: u32,
}

/// A bag that may be kept. Candidates are ordered by preference, which depends on contents only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) estimate: i64,
    pub(super) tie: u32,
    pub(super) hash: u64,
    pub(super) origin: Origin,
}

/// All bags at one cost.
#[derive(Default)]
pub(super) struct Layer {
    /// The goals of one bag after the other.
    pub(super) bags: Vec<GoalId>,
    pub(super) nodes: Vec<Node>,
    pub(super) candidates: Vec<Candidate>,
}

impl Layer {
    /// The numbers of the steps from which its bags and candidates come.
    pub(super) fn steps(&self) -> impl Iterator<Item = u32> {
        let kept = self.nodes.iter().filter_map(|node| node.origin);
        kept.chain(self.candidates.iter().map(|candidate| candidate.origin)).map(|origin| origin.step)
    }

    /// Renumbers those steps.
    pub(super) fn renumber_steps(&mut self, new: impl Fn(u32) -> u32) {
        let kept = self.nodes.iter_mut().filter_map(|node| node.origin.as_mut());
        let origins = kept.chain(self.candidates.iter_mut().map(|candidate| &mut candidate.origin));
        origins.for_each(|origin| origin.step = new(origin.step));
    }

    /// How much memory the layer takes without sensitivities, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.bags.as_slice()) + size_of_val(self.nodes.as_slice()) + size_of_val(self.candidates.as_slice())
    }

    /// Drops all candidates but the `most` best ones; returns whether there were no others.
    pub(super) fn trim(&mut self, most: usize) -> bool {
        self.candidates.sort_unstable();
        self.candidates.dedup_by_key(|candidate| candidate.hash);
        let complete = self.candidates.len() <= most;
        self.candidates.truncate(most);
        complete
    }

    /// Forgets its bags, but not where they come from.
    pub(super) fn forget_bags(&mut self) {
        self.bags = Vec::new();
        self.nodes.iter_mut().for_each(|node| node.bag = 0..0);
    }

    pub(super) fn bag(&self, node: &Node) -> &[GoalId] {
        &self.bags[node.bag.clone()]
    }
}

/// Adds a candidate to a layer, which is trimmed when it grows large; returns whether none was dropped.
pub(super) fn offer(layers: &mut Vec<Layer>, at: usize, candidate: Candidate, width: usize) -> bool {
    if layers.len() <= at {
        layers.resize_with(at + 1, Layer::default);
    }
    let layer = &mut layers[at];
    layer.candidates.push(candidate);
    layer.candidates.len() < 4096 + 32 * width || layer.trim(4 * width)
}

/// The numbers of the steps from a node to the end of the program, last instruction first.
pub(super) fn steps_from<'l>(layers: &'l [Layer], mut node: &'l Node) -> Vec<u32> {
    let mut steps = Vec::new();
    while let Some(Origin { layer, index, step }) = node.origin {
        steps.push(step);
        node = &layers[layer as usize].nodes[index as usize];
    }
    steps.reverse();
    steps
}
