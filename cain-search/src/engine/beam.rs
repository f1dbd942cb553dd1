//! The strategy: a layered beam search over bags.
//!
//! A layer holds the bags that programs of one cost lead back to. Of each layer only the best bags by estimate are
//! kept and expanded. Every bag is expanded at most once in a pass.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::budget::Budget;
use super::goals::{GoalId, Goals};
use super::layers::{Candidate, Layer, Node, Origin, offer};
use super::memory::Loss;
use super::noise::Influences;
use super::parallel;
use super::prices::Prices;
use super::space::{Errors, Space};
use super::steps::{Question, Step, Steps};
use crate::costs::Costs;

/// One pass of the search.
pub(crate) struct Beam<'a> {
    pub(crate) goals: &'a mut Goals,
    pub(crate) steps: &'a mut Steps,
    pub(crate) space: &'a dyn Space,
    pub(crate) prices: &'a Prices,
    /// If noise is the objective.
    pub(crate) errors: Option<&'a dyn Errors>,
    /// What a unit of noise adds to the estimate of a bag.
    pub(crate) noise_weight: f64,
    /// Bags kept per layer.
    pub(crate) width: usize,
    /// In bytes.
    pub(crate) memory: u64,
    /// Which programs are looked at beside the first.
    pub(crate) alternatives: Alternatives,
}

/// The bags that were kept, by their hashes, with the noise so far.
pub(super) type Seen = HashMap<u64, f64, FxBuildHasher>;

/// Bags that are expanded at the same time. What is found does not depend on the number of threads, but on this.
const BATCH: usize = 64;
/// A pass that has come no nearer to the inputs for so many layers will not arrive.
const MAX_DETOUR: usize = 16;

/// Which complete lists of steps are looked at beside the first: those of the same layer may be better by what breaks
/// ties, and where a list of steps may come to nothing, those of later layers may be the first that does not.
#[derive(Clone, Copy)]
pub(crate) struct Alternatives {
    /// How many of each layer.
    pub(crate) per_layer: usize,
    /// Whether of layers after the first one too.
    pub(crate) later: bool,
}

impl Beam<'_> {
    /// Runs the pass, until no bags are left or it comes no nearer to the inputs; returns whether it left nothing out.
    ///
    /// `bound` is what programs must stay below. `found` is called with every complete list of steps, last instruction
    /// first; it returns the new bound.
    pub(crate) fn run(
        &mut self,
        budget: &mut Budget<'_>,
        mut bound: Option<Costs>,
        mut found: impl FnMut(&Goals, &[Step], &mut Budget<'_>) -> Option<Costs>,
    ) -> bool {
        let last = self.space.last();
        let influences = self.errors.map(|errors| Influences::at_end(errors.problem(), &last)).unwrap_or_default();
        let node = Node { bag: 0..last.len(), influences, costs: Costs::NONE, origin: None };
        let mut layers = vec![Layer { bags: last, nodes: vec![node], candidates: Vec::new() }];
        let mut seen = Seen::default();
        let mut complete = true;
        // The lowest estimate so far, and where.
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
            if let (Some(_), Some(expanded)) = (self.errors, at.checked_sub(1)) {
                layers[expanded].nodes.iter_mut().for_each(|node| node.influences = Influences::default());
            }
            let mut batch = Vec::new();
            for index in 0..layers[at].nodes.len() {
                let node = &layers[at].nodes[index];
                let is_done = self.space.is_done(layers[at].bag(node));
                let goes_on = if is_done { budget.stopped().is_none() } else { budget.take() };
                if !goes_on {
                    return false;
                }
                if self.prices.exceeds(bound, node.costs, 0) {
                    continue;
                }
                if is_done {
                    let steps = self.steps_from(&layers, node);
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

    /// Makes candidates of all bags one step before some nodes of a layer; returns whether none was dropped, or `None` if
    /// the memory does not suffice to go on.
    fn expand(
        &mut self,
        layers: &mut Vec<Layer>,
        (at, mut batch): (usize, &[usize]),
        bound: Option<Costs>,
        seen: &Seen,
    ) -> Option<bool> {
        let mut complete = true;
        while !batch.is_empty() {
            match self.stay_within_memory(layers, at, seen) {
                Loss::Nothing => {}
                Loss::Bags => complete = false,
                Loss::Pass => return None,
            }
            let layer = &layers[at];
            let questions = self.answered(layer, batch);
            let (now, later) = batch.split_at(questions.len());
            let work: Vec<(usize, &[Question])> =
                now.iter().copied().zip(questions.iter().map(Vec::as_slice)).collect();
            let this = &*self;
            let candidates =
                parallel::map(&work, |&(index, questions)| this.candidates(layer, (at, index), questions, bound));
            for (costs, candidate) in candidates.into_iter().flatten() {
                complete &= offer(layers, costs as usize, candidate, self.width);
            }
            batch = later;
        }
        Some(complete)
    }

    /// The questions of as many of the nodes as the memory allows for, one at least, with all of them answered.
    fn answered(&mut self, layer: &Layer, batch: &[usize]) -> Vec<Vec<Question>> {
        let mut questions = Vec::new();
        let (mut asked, mut new) = (HashSet::<Question, FxBuildHasher>::default(), Vec::new());
        let mut added = 0;
        for &index in batch {
            let mut of_node = Vec::new();
            self.space.questions(layer.bag(&layer.nodes[index]), &mut of_node);
            let is_new = |question: &Question| self.steps.answer(*question).is_none() && !asked.contains(question);
            let of_node_new: Vec<Question> = of_node.iter().copied().filter(is_new).collect();
            added += of_node_new.iter().map(|&question| self.expected(question)).sum::<u64>();
            if added > self.most_added() && !questions.is_empty() {
                break;
            }
            new.extend(of_node_new.into_iter().filter(|&question| asked.insert(question)));
            questions.push(of_node);
        }
        self.work_out(&new);
        questions
    }

    /// Answers what has not been asked before.
    fn work_out(&mut self, mut new: &[Question]) {
        while !new.is_empty() {
            let mut bytes = 0;
            let is_too_much = |question: &Question| {
                bytes += self.expected(*question);
                bytes > self.most_under_way()
            };
            let (now, later) = new.split_at(new.iter().position(is_too_much).unwrap_or(new.len()).max(1));
            let (goals, space) = (&*self.goals, self.space);
            let drafts = parallel::map(now, |&question| space.draft(goals, question));
            for (&question, draft) in now.iter().zip(&drafts) {
                self.steps.add(self.goals, question, draft, |step| space.is_possible(step));
            }
            new = later;
        }
    }

    /// The bags one step before a node's, with their costs.
    fn candidates(
        &self,
        layer: &Layer,
        (at, index): (usize, usize),
        questions: &[Question],
        bound: Option<Costs>,
    ) -> Vec<(u32, Candidate)> {
        let node = &layer.nodes[index];
        let bag = layer.bag(node);
        let (mut before, mut influences) = (Vec::new(), Influences::default());
        let mut candidates = Vec::new();
        for number in questions.iter().filter_map(|&question| self.steps.answer(question)).flatten() {
            let step = self.steps.get(number);
            if !self.space.before(bag, &step, &mut before) {
                continue;
            }
            let costs = self.costs_before(layer, node, &step, &before, &mut influences);
            let lower_bound = self.space.lower_bound(self.goals, &before);
            if self.prices.exceeds(bound, costs, lower_bound) {
                continue;
            }
            let mut estimate = self.space.estimate(self.goals, &before, lower_bound);
            if let Some(errors) = self.errors {
                let noise = costs.noise + errors.to_come(self.goals, &before, &influences);
                estimate = estimate.saturating_add(rounded(self.noise_weight * noise));
            }
            let candidate = Candidate {
                estimate,
                tie: self.prices.tie(costs),
                hash: self.space.hash(self.goals, &before),
                origin: Origin { layer: small(at), index: small(index), step: number },
            };
            candidates.push((self.prices.layer(costs), candidate));
        }
        candidates
    }

    /// The costs of a bag one step before a node's, and the influences in it if noise is the objective.
    fn costs_before(
        &self,
        layer: &Layer,
        node: &Node,
        step: &Step,
        before: &[GoalId],
        influences: &mut Influences,
    ) -> Costs {
        let mut costs = node.costs.plus(self.prices.of(step));
        if let Some(errors) = self.errors {
            let after = (layer.bag(node), &node.influences);
            costs.noise += errors.before(self.goals, after, (before, influences), step);
        }
        costs
    }

    /// Turns the best candidates of a layer into nodes; returns whether none was dropped.
    fn keep_best(&mut self, layers: &mut [Layer], at: usize, seen: &mut Seen) -> bool {
        let mut candidates = std::mem::take(&mut layers[at].candidates);
        candidates.sort_unstable();
        let mut before = Vec::new();
        // Hashes of complete bags, and how many further programs there are from them.
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
            // With less noise than before a bag is worth another look. Where noise is not the objective it is 0.
            let least = seen.get(&candidate.hash).copied();
            if least.is_some_and(|noise| noise <= 0.0) && !is_alternative {
                continue;
            }
            let Origin { layer, index, step } = candidate.origin;
            let after = &layers[layer as usize];
            let parent = &after.nodes[index as usize];
            let step = self.steps.get(step);
            self.space.before(after.bag(parent), &step, &mut before);
            let mut influences = Influences::default();
            let costs = self.costs_before(after, parent, &step, &before, &mut influences);
            if least.is_some_and(|noise| noise <= costs.noise) && !is_alternative {
                continue;
            }
            alternatives += usize::from(is_alternative);
            let is_done = self.space.is_done(&before);
            if is_done {
                done.push(candidate.hash);
            }
            if !(is_done && self.alternatives.later) {
                seen.insert(candidate.hash, costs.noise);
            }
            let layer = &mut layers[at];
            let start = layer.bags.len();
            layer.bags.extend_from_slice(&before);
            layer.nodes.push(Node { bag: start..layer.bags.len(), influences, costs, origin: Some(candidate.origin) });
        }
        true
    }

    /// The steps from a node to the end of the program, last instruction first.
    fn steps_from<'l>(&self, layers: &'l [Layer], mut node: &'l Node) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(Origin { layer, index, step }) = node.origin {
            steps.push(self.steps.get(step));
            node = &layers[layer as usize].nodes[index as usize];
        }
        steps.reverse();
        steps
    }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and is only compared")]
fn rounded(estimate: f64) -> i64 {
    estimate as i64
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
