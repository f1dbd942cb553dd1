//! A layered beam search over bags.
//!
//! A layer holds the bags from which programs of one cost lead to what is wanted. Only the best bags of a layer by
//! estimate are kept and expanded, and every bag is expanded at most once in a pass.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::budget::Budget;
use super::cost_model::CostModel;
use super::goals::{GoalId, Goals};
use super::layers::{Candidate, Layer, Node, Origin, Seen, offer, steps_from};
use super::memo::{ExpansionKey, StepMemo};
use super::memory::{Held, Loss, Memory};
use super::parallel;
use super::sensitivities::Sensitivities;
use super::states::{NoiseModel, StateSpace};
use super::step::Step;
use super::target::Alternatives;
use crate::costs::Costs;

/// One pass of the search.
pub(crate) struct Beam<'a> {
    pub(crate) goals: &'a mut Goals,
    pub(crate) steps: &'a mut StepMemo,
    pub(crate) states: &'a dyn StateSpace,
    pub(crate) cost_model: &'a CostModel,
    /// If errors are looked at.
    pub(crate) noise_model: Option<&'a dyn NoiseModel>,
    /// What a square DN of error adds to the estimate of a bag.
    pub(crate) noise_weight: f64,
    /// Bags kept per layer.
    pub(crate) width: usize,
    pub(crate) memory: Memory,
    /// Which programs are looked at beside the first.
    pub(crate) alternatives: Alternatives,
}

/// Bags that are expanded at the same time. A constant, because results depend on it and must not depend on the number
/// of threads.
const BATCH: usize = 64;
/// A pass ends after this number of layers in which it has come no nearer to the inputs.
const MAX_DETOUR: usize = 16;

impl Beam<'_> {
    /// Runs the pass, until no bags are left or it comes no nearer to the inputs; returns whether it was exhaustive.
    ///
    /// `bound` is what programs must stay below. `found` is called with every complete list of steps, last instruction
    /// first; it returns the new bound.
    pub(crate) fn run(
        &mut self,
        budget: &mut Budget<'_>,
        mut bound: Option<Costs>,
        mut found: impl FnMut(&Goals, &[Step], &mut Budget<'_>) -> Option<Costs>,
    ) -> bool {
        let last = self.states.last();
        let sensitivities =
            self.noise_model.map(|model| Sensitivities::at_end(model.problem(), model.estimate().at_end(), &last));
        let sensitivities = sensitivities.unwrap_or_default();
        let node = Node { bag: 0..last.len(), sensitivities, costs: Costs::NONE, origin: None };
        let mut layers = vec![Layer { bags: last, nodes: vec![node], candidates: Vec::new() }];
        let mut seen = Seen::default();
        let mut complete = true;
        // The lowest estimate so far, and its layer.
        let mut nearest = (i64::MAX, 0);
        let mut at = 0;
        while at < layers.len() {
            if let Some(estimate) = layers[at].candidates.iter().map(|candidate| candidate.estimate).min() {
                nearest = nearest.min((estimate, at));
                if at - nearest.1 >= MAX_DETOUR {
                    return false;
                }
            }
            complete &= self.keep_best(&mut layers, at, &mut seen);
            if let (Some(_), Some(expanded)) = (self.noise_model, at.checked_sub(self.cost_model.longest_step())) {
                layers[expanded].nodes.iter_mut().for_each(|node| node.sensitivities = Sensitivities::default());
            }
            let mut batch = Vec::new();
            for index in 0..layers[at].nodes.len() {
                let node = &layers[at].nodes[index];
                let is_done = self.states.is_done(layers[at].bag(node));
                let goes_on = if is_done { budget.stopped().is_none() } else { budget.take() };
                if !goes_on {
                    return false;
                }
                if self.cost_model.exceeds(bound, node.costs, 0) {
                    continue;
                }
                if is_done {
                    let steps = steps_from(&layers, node).into_iter().map(|step| self.steps.get(step));
                    let steps: Vec<Step> = steps.collect();
                    bound = found(self.goals, &steps, budget);
                } else {
                    batch.push(index);
                }
                if batch.len() == BATCH {
                    let Some(all) = self.expand(&mut layers, (at, &batch), bound, &seen) else { return false };
                    complete &= all;
                    batch.clear();
                }
            }
            let Some(all) = self.expand(&mut layers, (at, &batch), bound, &seen) else { return false };
            complete &= all;
            at += 1;
        }
        complete
    }

    /// Adds all bags one step before some nodes of a layer as candidates; returns whether none was dropped, or `None`
    /// if the memory does not suffice to go on.
    fn expand(
        &mut self,
        layers: &mut Vec<Layer>,
        (at, mut batch): (usize, &[usize]),
        bound: Option<Costs>,
        seen: &Seen,
    ) -> Option<bool> {
        let mut complete = true;
        while !batch.is_empty() {
            let held = Held { goals: self.goals, steps: self.steps, layers, at, seen };
            match self.memory.stay_within(held, self.width) {
                Loss::Nothing => {}
                Loss::Bags => complete = false,
                Loss::Pass => return None,
            }
            let layer = &layers[at];
            let keys = self.expanded(layer, batch);
            let (now, later) = batch.split_at(keys.len());
            let work: Vec<(usize, &[ExpansionKey])> = now.iter().copied().zip(keys.iter().map(Vec::as_slice)).collect();
            let this = &*self;
            let candidates = parallel::map(&work, |&(index, keys)| this.candidates(layer, (at, index), keys, bound));
            for (costs, candidate) in candidates.into_iter().flatten() {
                complete &= offer(layers, costs as usize, candidate, self.width);
            }
            batch = later;
        }
        Some(complete)
    }

    /// The keys of the expansions of the first nodes, as many as the memory allows for and at least one; all of them
    /// are worked out.
    fn expanded(&mut self, layer: &Layer, batch: &[usize]) -> Vec<Vec<ExpansionKey>> {
        let mut keys = Vec::new();
        let (mut known, mut new) = (HashSet::<ExpansionKey, FxBuildHasher>::default(), Vec::new());
        let mut added = 0;
        for &index in batch {
            let mut of_node = Vec::new();
            self.states.expansions(layer.bag(&layer.nodes[index]), &mut of_node);
            let is_new = |key: &ExpansionKey| self.steps.expansion(*key).is_none() && !known.contains(key);
            let of_node_new: Vec<ExpansionKey> = of_node.iter().copied().filter(is_new).collect();
            added += of_node_new.iter().map(|&key| self.memory.expected(self.goals, key)).sum::<u64>();
            if added > self.memory.most_added() && !keys.is_empty() {
                break;
            }
            new.extend(of_node_new.into_iter().filter(|&key| known.insert(key)));
            keys.push(of_node);
        }
        self.work_out(&new);
        keys
    }

    /// Works out new expansions, as many at a time as the memory allows for.
    fn work_out(&mut self, mut new: &[ExpansionKey]) {
        while !new.is_empty() {
            let mut bytes = 0;
            let is_too_much = |key: &ExpansionKey| {
                bytes += self.memory.expected(self.goals, *key);
                bytes > self.memory.most_under_way()
            };
            let (now, later) = new.split_at(new.iter().position(is_too_much).unwrap_or(new.len()).max(1));
            let (goals, states) = (&*self.goals, self.states);
            let drafts = parallel::map(now, |&key| states.draft(goals, key));
            for (&key, draft) in now.iter().zip(&drafts) {
                self.steps.add(self.goals, key, draft, |step| states.is_possible(step));
            }
            new = later;
        }
    }

    /// The bags one step before a node's, with their costs.
    fn candidates(
        &self,
        layer: &Layer,
        (at, index): (usize, usize),
        keys: &[ExpansionKey],
        bound: Option<Costs>,
    ) -> Vec<(u32, Candidate)> {
        let node = &layer.nodes[index];
        let bag = layer.bag(node);
        let (mut before, mut sensitivities) = (Vec::new(), Sensitivities::default());
        let mut candidates = Vec::new();
        for number in keys.iter().filter_map(|&key| self.steps.expansion(key)).flatten() {
            let step = self.steps.get(number);
            if !self.states.before(bag, &step, &mut before) {
                continue;
            }
            let costs = self.costs_before(layer, node, &step, &before, &mut sensitivities);
            let lower_bound = self.states.lower_bound(self.goals, &before);
            if self.cost_model.exceeds(bound, costs, lower_bound) {
                continue;
            }
            let mut estimate = self.states.estimate(self.goals, &before, lower_bound);
            if let Some(noise_model) = self.noise_model {
                let noise = costs.error + noise_model.to_come(self.goals, &before, &sensitivities);
                estimate = estimate.saturating_add(rounded(self.noise_weight * noise));
            }
            let candidate = Candidate {
                estimate,
                tie: self.cost_model.tie(costs),
                hash: self.states.hash(self.goals, &before),
                origin: Origin { layer: small(at), index: small(index), step: number },
            };
            candidates.push((self.cost_model.layer(costs), candidate));
        }
        candidates
    }

    /// The costs of a bag one step before a node's, and the sensitivities in it if errors are looked at.
    fn costs_before(
        &self,
        layer: &Layer,
        node: &Node,
        step: &Step,
        before: &[GoalId],
        sensitivities: &mut Sensitivities,
    ) -> Costs {
        let mut costs = node.costs.plus(self.cost_model.of(step));
        if let Some(noise_model) = self.noise_model {
            let after = (layer.bag(node), &node.sensitivities);
            costs.error += noise_model.before(self.goals, after, (before, sensitivities), step);
        }
        costs
    }

    /// Turns the best candidates of a layer into nodes; returns whether none was dropped.
    fn keep_best(&mut self, layers: &mut [Layer], at: usize, seen: &mut Seen) -> bool {
        let mut candidates = std::mem::take(&mut layers[at].candidates);
        candidates.sort_unstable();
        let mut before = Vec::new();
        // Hashes of complete bags, and the number of further programs from them.
        let (mut done, mut alternatives) = (Vec::new(), 0);
        for candidate in candidates {
            if layers[at].nodes.len() >= self.width + alternatives {
                return false;
            }
            let is_again = done.contains(&candidate.hash);
            let is_alternative = is_again && alternatives < self.alternatives.per_layer;
            if is_again && !is_alternative && self.alternatives.later {
                continue;
            }
            // A bag is expanded again if it comes with a smaller error, which is 0 where errors are not looked at.
            let least = seen.get(&candidate.hash).copied();
            if least.is_some_and(|noise| noise <= 0.0) && !is_alternative {
                continue;
            }
            let Origin { layer, index, step } = candidate.origin;
            let after = &layers[layer as usize];
            let parent = &after.nodes[index as usize];
            let step = self.steps.get(step);
            self.states.before(after.bag(parent), &step, &mut before);
            let mut sensitivities = Sensitivities::default();
            let costs = self.costs_before(after, parent, &step, &before, &mut sensitivities);
            if least.is_some_and(|noise| noise <= costs.error) && !is_alternative {
                continue;
            }
            alternatives += usize::from(is_alternative);
            let is_done = self.states.is_done(&before);
            if is_done {
                done.push(candidate.hash);
            }
            if !(is_done && self.alternatives.later) {
                seen.insert(candidate.hash, costs.error);
            }
            let layer = &mut layers[at];
            let start = layer.bags.len();
            layer.bags.extend_from_slice(&before);
            layer.nodes.push(Node {
                bag: start..layer.bags.len(),
                sensitivities,
                costs,
                origin: Some(candidate.origin),
            });
        }
        true
    }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and is only compared")]
fn rounded(estimate: f64) -> i64 {
    estimate as i64
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
