//! An anytime beam search over bags.
//!
//! A layer holds the bags from which programs of one cost lead to what is wanted. A *sweep* goes through the layers,
//! beginning at the wanted kernels, and in each expands the most promising bags that have not been expanded yet; the
//! others wait for later sweeps. So no work is done twice, and a search with more sweeps has done everything that one
//! with fewer has.

use std::ops::Range;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::budget::Budget;
use super::cost_model::CostModel;
use super::draft::Draft;
use super::focus::Focus;
use super::goals::{GoalId, Goals};
use super::layers::{Candidate, Known, Layer, Node, Origin, Seen, steps_from};
use super::memo::{ExpansionKey, StepMemo};
use super::memory::{Held, Memory};
use super::sensitivities::Sensitivities;
use super::states::{NoiseModel, StateSpace};
use super::ways::Ways;
use super::work;
use crate::costs::Costs;
use crate::costs::count;
use crate::threads;

/// All bags of a search, in layers.
pub(crate) struct Beam<'a> {
    states: &'a dyn StateSpace,
    cost_model: &'a CostModel,
    /// The error model, if errors are followed.
    noise_model: Option<&'a dyn NoiseModel>,
    /// The foci of the sweeps to come: each of them keeps its own share of the candidates.
    foci: &'a [Focus],
    /// How many further complete programs are tried in each layer and sweep after the first.
    alternatives: usize,
    /// Whether to record further steps that lead to a bag already kept.
    notes_ways: bool,
    memory: Memory,
    layers: Vec<Layer>,
    seen: Seen,
    /// Whether no candidate has been dropped.
    complete: bool,
}

/// The goals and the steps of a search, each stored once.
pub(crate) struct Store<'a> {
    pub(crate) goals: &'a mut Goals,
    pub(crate) steps: &'a mut StepMemo,
}

/// How a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swept {
    /// It expanded bags in every layer it reached.
    Through,
    /// The budget ran out.
    Stopped,
    /// Nothing is left to expand. The search is `complete` if it has not dropped any candidate.
    Nothing { complete: bool },
}

/// The result of a part of a sweep; `None` if the search cannot go on.
type Flow = Option<()>;

/// The most bags that are expanded at the same time. It is a constant because results depend on it but must not depend
/// on the number of threads.
const BATCH: usize = 64;
/// The most further origins that are recorded for a bag.
const MOST_FURTHER: usize = 15;
/// A sweep ends after this number of layers in which it has come no nearer to the inputs.
const MAX_DETOUR: usize = 16;

impl<'a> Beam<'a> {
    /// A search that has not expanded anything yet.
    pub(crate) fn new(
        (states, cost_model): (&'a dyn StateSpace, &'a CostModel),
        noise_model: Option<&'a dyn NoiseModel>,
        foci: &'a [Focus],
        alternatives: usize,
        memory: Memory,
    ) -> Self {
        let last = states.last();
        let node = Node { bag: 0..last.len(), costs: Costs::NONE, origin: None, further: Vec::new() };
        let end = Layer { bags: last, nodes: vec![node], ..Layer::default() };
        let (layers, seen) = (vec![end], Seen::default());
        let (notes_ways, complete) = (false, true);
        Self { states, cost_model, noise_model, foci, alternatives, notes_ways, memory, layers, seen, complete }
    }

    /// From now on, records further steps that lead to a known bag at the same cost, unless errors are followed.
    pub(crate) fn note_ways(&mut self) {
        self.notes_ways = self.noise_model.is_none();
    }

    /// From now on, when a layer has too many candidates, keeps those that one of these foci prefers.
    pub(crate) fn prefer(&mut self, foci: &'a [Focus]) {
        self.foci = foci;
    }

    /// The layers found so far.
    #[cfg(feature = "sample")]
    pub(crate) fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Expands up to `width` further bags in each layer.
    ///
    /// Programs must cost less than `bound`. `found` is called for every complete bag, with the ways that lead from it,
    /// and returns the new bound.
    pub(crate) fn sweep(
        &mut self,
        mut store: Store<'_>,
        (focus, width): (Focus, usize),
        budget: &mut Budget<'_>,
        mut bound: Option<Costs>,
        mut found: impl FnMut(&Goals, Ways<'_>, &mut Budget<'_>) -> Option<Costs>,
    ) -> Swept {
        let memory = self.memory;
        if !memory.make_room(&mut self.held(&mut store)) {
            return Swept::Nothing { complete: false };
        }
        // The lowest estimate so far, and the layer it was found in.
        let mut nearest = (i64::MAX, 0);
        let (mut at, mut is_idle) = (0, true);
        while at < self.layers.len() {
            nearest = nearest.min((self.layers[at].nearest, at));
            if at - nearest.1 >= MAX_DETOUR {
                break;
            }
            let looked_at = self.keep_best((store.goals, store.steps), at, (focus, width), bound);
            budget.charge(looked_at);
            let mut batch = Vec::new();
            for index in self.layers[at].expanded..self.layers[at].nodes.len() {
                if budget.stopped().is_some() {
                    return Swept::Stopped;
                }
                is_idle = false;
                let node = &self.layers[at].nodes[index];
                if self.cost_model.exceeds(bound, node.costs, 0) {
                    continue;
                }
                if self.states.is_done(self.layers[at].bag(node)) {
                    bound = found(store.goals, Ways::new(&self.layers, node, store.steps), budget);
                } else {
                    batch.push(index);
                }
                if batch.len() == BATCH {
                    if self.expand(&mut store, (at, &batch), bound, budget).is_none() {
                        return Swept::Stopped;
                    }
                    batch.clear();
                }
            }
            if self.expand(&mut store, (at, &batch), bound, budget).is_none() {
                return Swept::Stopped;
            }
            self.layers[at].expanded = self.layers[at].nodes.len();
            at += 1;
        }
        if is_idle {
            return Swept::Nothing { complete: self.complete && self.is_exhausted() };
        }
        Swept::Through
    }

    /// Whether every bag that is left has already been expanded at the same cost or less.
    fn is_exhausted(&self) -> bool {
        let is_known =
            |at: u32, hash: u64| self.seen.get(&hash).is_some_and(|known| known.layer <= at && known.error <= 0.0);
        let layers = (0..).zip(&self.layers);
        layers
            .flat_map(|(at, layer)| layer.candidates.iter().map(move |left| (at, left.hash)))
            .all(|(at, hash)| is_known(at, hash))
    }

    fn held<'h>(&'h mut self, store: &'h mut Store<'_>) -> Held<'h> {
        let Store { goals, steps } = store;
        Held { goals, steps, layers: &mut self.layers, seen: &mut self.seen, foci: self.foci }
    }

    /// Adds all bags one step before the given nodes of a layer as candidates; `None` if the budget has run out.
    fn expand(
        &mut self,
        store: &mut Store<'_>,
        (at, mut batch): (usize, &[usize]),
        bound: Option<Costs>,
        budget: &mut Budget<'_>,
    ) -> Flow {
        while !batch.is_empty() {
            let memory = self.memory;
            let complete = memory.stay_within(self.held(store));
            self.complete &= complete;
            let (keys, work) = self.expanded(store, at, batch);
            let (now, later) = batch.split_at(keys.len());
            let nodes: Vec<(usize, &[ExpansionKey])> =
                now.iter().copied().zip(keys.iter().map(Vec::as_slice)).collect();
            let (this, goals, steps) = (&*self, &*store.goals, &*store.steps);
            let candidates =
                threads::map(&nodes, |&(index, keys)| this.candidates((goals, steps), (at, index), keys, bound));
            let work = work + candidates.iter().map(|of_node| of_node.work).sum::<u64>();
            for (layer, candidate) in candidates.into_iter().flat_map(|of_node| of_node.list) {
                let layer = layer as usize;
                if self.layers.len() <= layer {
                    self.layers.resize_with(layer + 1, Layer::default);
                }
                self.complete &= self.layers[layer].offer(candidate, self.foci);
            }
            if !budget.charge(work) {
                return None;
            }
            batch = later;
        }
        Some(())
    }

    /// Works out the expansions of the first nodes of the batch, at least one, as many as the memory and the watcher's
    /// patience allow. Returns the keys of the expansions of each of these nodes, and the work this took.
    fn expanded(&self, store: &mut Store<'_>, at: usize, batch: &[usize]) -> (Vec<Vec<ExpansionKey>>, u64) {
        let layer = &self.layers[at];
        let mut keys = Vec::new();
        let (mut known, mut new) = (HashSet::<ExpansionKey, FxBuildHasher>::default(), Vec::new());
        let (mut added, mut expected) = (0, 0);
        for &index in batch {
            let mut of_node = Vec::new();
            self.states.expansions(layer.bag(&layer.nodes[index]), &mut of_node);
            let is_new = |key: &ExpansionKey| store.steps.expansion(*key).is_none() && !known.contains(key);
            let of_node_new: Vec<ExpansionKey> = of_node.iter().copied().filter(is_new).collect();
            added += of_node_new.iter().map(|&key| self.memory.expected(store.goals, key)).sum::<u64>();
            expected += of_node_new.iter().map(|&key| Draft::expected_work(store.goals, key)).sum::<u64>();
            if (added > self.memory.most_added() || expected > work::MOST_AT_A_TIME) && !keys.is_empty() {
                break;
            }
            new.extend(of_node_new.into_iter().filter(|&key| known.insert(key)));
            keys.push(of_node);
        }
        let work = self.work_out(store, &new);
        (keys, work)
    }

    /// Works out new expansions, as many at a time as the memory allows; returns the work this took.
    fn work_out(&self, store: &mut Store<'_>, mut new: &[ExpansionKey]) -> u64 {
        let mut work = 0;
        while !new.is_empty() {
            let mut bytes = 0;
            let is_too_much = |key: &ExpansionKey| {
                bytes += self.memory.expected(store.goals, *key);
                bytes > self.memory.most_under_way()
            };
            let (now, later) = new.split_at(new.iter().position(is_too_much).unwrap_or(new.len()).max(1));
            let (goals, states) = (&*store.goals, self.states);
            let drafts = threads::map(now, |&key| states.draft(goals, key));
            for (&key, draft) in now.iter().zip(&drafts) {
                work += draft.work();
                store.steps.add(store.goals, key, draft, |step| states.is_possible(step));
            }
            store.goals.work_out();
            new = later;
        }
        work
    }

    /// The bags one step before that of a node, with their layers.
    fn candidates(
        &self,
        (goals, steps): (&Goals, &StepMemo),
        (at, index): (usize, usize),
        keys: &[ExpansionKey],
        bound: Option<Costs>,
    ) -> Candidates {
        let layer = &self.layers[at];
        let node = &layer.nodes[index];
        let bag = layer.bag(node);
        let after = self.sensitivities((goals, steps), node);
        let (mut before, mut sensitivities) = (Vec::new(), Sensitivities::default());
        let numbers: Vec<Range<u32>> = keys.iter().filter_map(|&key| steps.expansion(key)).collect();
        let list = Vec::with_capacity(numbers.iter().map(ExactSizeIterator::len).sum());
        let mut found = Candidates { list, work: work::of_bag(keys.len()) };
        for number in numbers.into_iter().flatten() {
            let step = steps.get(number);
            found.work += work::of_step(bag.len());
            if !self.states.before(bag, &step, &mut before) {
                continue;
            }
            found.work += work::of_candidate(before.len());
            let mut costs = node.costs.plus(self.cost_model.of(&step));
            if let Some(noise_model) = self.noise_model {
                costs.error += noise_model.before(goals, (bag, &after), (&before, &mut sensitivities), &step);
                found.work += sensitivities.work();
            }
            let lower_bound = self.states.lower_bound(goals, &before);
            if self.cost_model.exceeds(bound, costs, lower_bound) {
                continue;
            }
            let mut hash = self.states.hash(goals, &before);
            let mut error = 0.0;
            if let Some(model) = self.noise_model {
                hash = hash.wrapping_add(model.variant(&before, &sensitivities));
                error = (costs.error + model.to_come(goals, &before, &sensitivities)) / model.unit();
            }
            let candidate = Candidate {
                estimates: self.states.estimates(goals, &before, lower_bound),
                pressure: self.states.pressure(&before),
                tie: self.cost_model.tie(costs),
                error,
                hash,
                origin: Origin { layer: count(at), index: count(index), step: number },
            };
            found.list.push((self.cost_model.layer(costs), candidate));
        }
        found
    }

    /// The sensitivities of the values in a node's bag, worked out along its steps; empty unless errors are followed.
    fn sensitivities(&self, (goals, steps): (&Goals, &StepMemo), node: &Node) -> Sensitivities {
        let Some(model) = self.noise_model else { return Sensitivities::default() };
        let mut after = self.states.last();
        let mut sensitivities = Sensitivities::at_end(model.problem(), model.known_at_end(), &after);
        let (mut before, mut next) = (Vec::new(), Sensitivities::default());
        for number in steps_from(&self.layers, node) {
            let step = steps.get(number);
            self.states.before(&after, &step, &mut before);
            model.before(goals, (&after, &sensitivities), (&before, &mut next), &step);
            std::mem::swap(&mut after, &mut before);
            std::mem::swap(&mut sensitivities, &mut next);
        }
        sensitivities
    }

    /// Turns the best candidates of a layer into nodes.
    fn keep_best(
        &mut self,
        store: (&Goals, &StepMemo),
        at: usize,
        (focus, width): (Focus, usize),
        bound: Option<Costs>,
    ) -> u64 {
        let mut looked_at = 0;
        // Hashes of complete bags, and how many further programs were tried from them.
        let (mut done, mut alternatives) = (Vec::new(), 0);
        let first = self.layers[at].nodes.len();
        loop {
            let open = width + alternatives - (self.layers[at].nodes.len() - first);
            if open == 0 || self.layers[at].candidates.is_empty() {
                return looked_at;
            }
            looked_at += work::units(self.layers[at].candidates.len()) / 16;
            let mut best = self.layers[at].take_best((2 * open).max(32), focus).into_iter();
            while let Some(candidate) = best.next() {
                if self.layers[at].nodes.len() - first >= width + alternatives {
                    self.layers[at].candidates.push(candidate);
                    self.layers[at].candidates.extend(best);
                    return looked_at;
                }
                looked_at += work::CANDIDATE;
                let is_alternative = done.contains(&candidate.hash);
                if is_alternative && alternatives == self.alternatives {
                    continue;
                }
                if let Some(is_done) = self.keep(store, at, &candidate, bound) {
                    alternatives += usize::from(is_alternative);
                    done.extend((is_done && !is_alternative).then_some(candidate.hash));
                }
            }
        }
    }

    /// Turns a candidate into a node, unless its bag is known at the same cost or less, or cannot lead to a program
    /// below the bound; returns whether the bag is complete.
    fn keep(
        &mut self,
        (goals, steps): (&Goals, &StepMemo),
        at: usize,
        candidate: &Candidate,
        bound: Option<Costs>,
    ) -> Option<bool> {
        // A bag is expanded again if it turns up at less cost, or with a smaller error (which is 0 where errors do not
        // count).
        let known = self.seen.get(&candidate.hash).filter(|known| known.layer <= count(at)).copied();
        let is_as_good = known.is_some_and(|known| known.error <= 0.0);
        if is_as_good && !self.notes_ways {
            return None;
        }
        let Origin { layer, index, step } = candidate.origin;
        let after = &self.layers[layer as usize];
        let parent = &after.nodes[index as usize];
        let step = steps.get(step);
        let mut before = Vec::new();
        self.states.before(after.bag(parent), &step, &mut before);
        if let Some(known) = known.filter(|_| is_as_good) {
            self.note_way(at, known, (&before, candidate.origin));
            return None;
        }
        let mut costs = parent.costs.plus(self.cost_model.of(&step));
        if let Some(model) = self.noise_model {
            let sensitivities = self.sensitivities((goals, steps), parent);
            let after = (after.bag(parent), &sensitivities);
            costs.error += model.before(goals, after, (&before, &mut Sensitivities::default()), &step);
        }
        if known.is_some_and(|known| known.error <= costs.error) {
            return None;
        }
        if self.cost_model.exceeds(bound, costs, self.states.lower_bound(goals, &before)) {
            return None;
        }
        let is_done = self.states.is_done(&before);
        let layer = &mut self.layers[at];
        // Several programs may lead from a complete bag.
        if !is_done {
            let index = Some(count(layer.nodes.len()));
            self.seen.insert(candidate.hash, Known { layer: count(at), index, error: costs.error });
        }
        let start = layer.bags.len();
        layer.bags.extend_from_slice(&before);
        let bag = start..layer.bags.len();
        layer.nodes.push(Node { bag, costs, origin: Some(candidate.origin), further: Vec::new() });
        Some(is_done)
    }

    /// Records a further origin of a known bag, if the bag is in the same layer and is the same bag, not just a mirror
    /// image.
    fn note_way(&mut self, at: usize, known: Known, (bag, origin): (&[GoalId], Origin)) {
        let layer = &mut self.layers[at];
        if let (true, Some(index)) = (known.layer == count(at), known.index) {
            let node = &layer.nodes[index as usize];
            if layer.bag(node) == bag && node.further.len() < MOST_FURTHER {
                layer.add_origin(index, origin);
            }
        }
    }
}

/// The bags one step before that of a node.
struct Candidates {
    /// Each candidate with the number of its layer.
    list: Vec<(u32, Candidate)>,
    work: u64,
}
