//! Samples of the bags of a search for control words, which serve to train its learned estimate.

use std::ops::ControlFlow;

use cain_isa::Instruction;

use super::begin::FIRST_WIDTH;
use super::foci::{BY_LEARNED, SHORT};
use super::target::problem_of;
use crate::costs::{Costs, count};
use crate::engine::beam::{Beam, Store, Swept};
use crate::engine::budget::Budget;
use crate::engine::estimate::features;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::layers::{Layer, Origin, steps_from};
use crate::engine::memo::StepMemo;
use crate::engine::memory::Memory;
use crate::engine::states::StateSpace;
use crate::engine::step::Step;
use crate::engine::target::Target;
use crate::engine::words::WordTarget;
use crate::engine::words::estimate::{self, BagFeatures};
use crate::engine::words::states::WordStates;
use crate::random::Random;
use crate::{Declaration, InstructionSet, Objective, Options, SearchError, verify};

/// The most bags of a layer in a sample, besides those that lead to shortest programs: bags that were expanded or are
/// about to be, and bags that wait.
const KEPT: usize = 48;
const WAITING: usize = 24;

/// Bags of a search, by the layers they are in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The number of control words of the shortest programs found; 0 if none was found.
    pub words: u32,
    /// The bags, grouped by the number of control words that come after them. In each layer, bags that lead to the
    /// shortest programs come first. Layers without such bags, or with only such bags, are left out.
    pub layers: Vec<Vec<SampledBag>>,
}

/// The features of a bag that the learned estimate uses: see `engine/words/estimate/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledBag {
    /// Whether one of the shortest programs found passes through it.
    pub is_best: bool,
    /// The linear estimate.
    pub linear: i64,
    /// The part of both estimates that comes from rules, not from learning.
    pub detours: i64,
    /// The features of the bag as a whole, in thousandths.
    pub features: [i64; estimate::COUNT],
    /// The goals of the bag that are not inputs.
    pub goals: Vec<SampledGoal>,
}

/// The features of a goal that the learned estimate uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledGoal {
    /// The features of the goal alone, in thousandths.
    pub features: [i64; features::COUNT],
    /// Whether an earlier goal has the same class, whether an earlier goal is on the same ray, whether NEWS holds the
    /// goal, and whether it is a second copy.
    pub marks: [bool; 4],
}

/// Searches for control words with the budget of a declaration, whatever its instruction set, and takes a sample of the
/// bags.
///
/// The search consists of the beam alone, without the other parts of [`search`](crate::search()), and also continues
/// with programs as short as the best one. If memory is short, bags on the way to programs are forgotten and missing
/// from the sample. The same declaration gives the same sample on every machine.
pub fn sample(declaration: &Declaration) -> Result<Sample, SearchError> {
    let options = Options { instructions: InstructionSet::Native, ..declaration.options.clone() };
    let declaration = &Declaration { options, ..declaration.clone() };
    declaration.validate()?;
    let (problem, mut goals) = problem_of(declaration)?;
    let target = WordTarget::new(declaration, &problem);
    let (states, cost_model) = (target.word_states(), target.cost_model(Objective::Icws));
    let foci = if target.learned_from().is_some() { [SHORT, BY_LEARNED].concat() } else { SHORT.to_vec() };
    let mut beam = Beam::new((&states, &cost_model), None, &foci, target.alternatives(), Memory::of(&problem));
    let mut steps = StepMemo::default();
    let mut watch = |_| ControlFlow::Continue(());
    let mut budget = Budget::new(declaration.options.nodes, &mut watch);
    let mut shortest = Shortest { declaration, target: &target, words: None };

    let (mut width, mut more, mut swept) = (0, FIRST_WIDTH, Swept::Through);
    while swept == Swept::Through {
        for &focus in &foci {
            let store = Store { goals: &mut goals, steps: &mut steps };
            swept = beam.sweep(store, (focus, more), &mut budget, shortest.bound(), |goals, mut ways, budget| {
                if let Some(steps) = ways.next() {
                    shortest.offer(goals, &steps, budget);
                }
                shortest.bound()
            });
            if swept != Swept::Through {
                break;
            }
        }
        width += more;
        more = width;
    }
    let is_best = is_best(&shortest, beam.layers(), (&goals, &steps), &states);
    let sampler = Sampler { layers: beam.layers(), is_best: &is_best, goals: &goals, steps: &steps, states: &states };
    let layers = (0..beam.layers().len()).map(|at| sampler.of_layer(at)).filter(|bags| !bags.is_empty()).collect();
    Ok(Sample { words: shortest.words.unwrap_or(0), layers })
}

/// The length of the shortest programs so far.
struct Shortest<'a> {
    declaration: &'a Declaration,
    target: &'a WordTarget<'a>,
    words: Option<u32>,
}

impl Shortest<'_> {
    /// Programs as short as the best one count too.
    fn bound(&self) -> Option<Costs> {
        let epilogue = Target::epilogue(self.target).map_or(0, |words| count(words.len()));
        self.words.map(|words| Costs { icws: (words + 1).saturating_sub(epilogue), ..Costs::NONE })
    }

    fn offer(&mut self, goals: &Goals, steps: &[Step], budget: &mut Budget<'_>) {
        let mut work = 0;
        let words = self.words(goals, steps, &mut work);
        budget.charge(work);
        self.words = words.or(self.words);
    }

    /// The number of words of a program, including what its bias counts as, if it is no longer than the best one.
    fn words(&self, goals: &Goals, steps: &[Step], work: &mut u64) -> Option<u32> {
        let listing = self.target.allocate(goals, steps, work)?;
        let most = self.words.unwrap_or(u32::MAX);
        let left = most.checked_sub(count(listing.len()))?;
        let listing = self.target.completed(listing, f64::from(left) + 1.0, work)?;
        let words = self.words_of(&listing);
        (words <= most && verify(self.declaration, &listing).is_ok()).then_some(words)
    }

    fn words_of(&self, listing: &[Instruction]) -> u32 {
        let costs = Costs::of(self.declaration, listing);
        costs.icws.saturating_add(costs.surcharge)
    }
}

/// For each bag of each layer, whether a shortest program passes through it.
fn is_best(
    shortest: &Shortest<'_>,
    layers: &[Layer],
    (goals, steps): (&Goals, &StepMemo),
    states: &dyn StateSpace,
) -> Vec<Vec<bool>> {
    let mut is_best: Vec<Vec<bool>> = layers.iter().map(|layer| vec![false; layer.nodes.len()]).collect();
    for (at, layer) in layers.iter().enumerate().rev() {
        for (index, node) in layer.nodes.iter().enumerate() {
            let is_shortest = || {
                let steps: Vec<Step> = steps_from(layers, node).into_iter().map(|step| steps.get(step)).collect();
                states.is_done(layer.bag(node)) && shortest.words(goals, &steps, &mut 0).is_some()
            };
            if !is_best[at][index] && !is_shortest() {
                continue;
            }
            is_best[at][index] = true;
            if let Some(Origin { layer, index, .. }) = node.origin {
                is_best[layer as usize][index as usize] = true;
            }
        }
    }
    is_best
}

/// Takes samples from layers.
struct Sampler<'a> {
    layers: &'a [Layer],
    is_best: &'a [Vec<bool>],
    goals: &'a Goals,
    steps: &'a StepMemo,
    states: &'a WordStates<'a>,
}

impl Sampler<'_> {
    /// The sample of a layer; empty if there is nothing to rank.
    fn of_layer(&self, at: usize) -> Vec<SampledBag> {
        let layer = &self.layers[at];
        let mut random = Random::of(at, 0);
        let (best, others): (Vec<usize>, Vec<usize>) =
            (0..layer.nodes.len()).partition(|&index| self.is_best[at][index]);
        let is_open = |index: &usize| !self.states.is_done(layer.bag(&layer.nodes[*index]));
        let bag_of = |index: usize| layer.bag(&layer.nodes[index]);
        let best = best.into_iter().filter(is_open).map(|index| self.described(bag_of(index), true));
        let mut bags: Vec<SampledBag> = best.collect();
        let count_of_best = bags.len();
        let others: Vec<usize> = others.into_iter().filter(is_open).collect();
        let others = chosen(others, KEPT, &mut random);
        bags.extend(others.into_iter().map(|index| self.described(bag_of(index), false)));
        let mut before = Vec::new();
        for number in chosen((0..layer.candidates.len()).collect(), WAITING, &mut random) {
            let Origin { layer: after, index, step } = layer.candidates[number].origin;
            let after = &self.layers[after as usize];
            let after = after.bag(&after.nodes[index as usize]);
            if self.states.before(after, &self.steps.get(step), &mut before) && !self.states.is_done(&before) {
                bags.push(self.described(&before, false));
            }
        }
        if count_of_best == 0 || count_of_best == bags.len() { Vec::new() } else { bags }
    }

    fn described(&self, bag: &[GoalId], is_best: bool) -> SampledBag {
        let lower_bound = self.states.lower_bound(self.goals, bag);
        let BagFeatures { goals, inputs } = self.states.features(self.goals, bag, lower_bound);
        let goal = |(goal, marks)| SampledGoal { features: self.goals.looked_at(goal).inputs(), marks };
        SampledBag {
            is_best,
            linear: self.states.estimates(self.goals, bag, lower_bound).linear,
            detours: self.states.detours(self.goals, bag),
            features: inputs,
            goals: goals.into_iter().map(goal).collect(),
        }
    }
}

/// At most `most` of them, chosen at random.
fn chosen(mut all: Vec<usize>, most: usize, random: &mut Random) -> Vec<usize> {
    while all.len() > most {
        let place = random.below(all.len());
        all.swap_remove(place);
    }
    all
}
