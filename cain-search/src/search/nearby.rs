//! Searches for kernels that are near enough to the wanted ones, together with their programs.
//!
//! The candidates are the kernels that look simplest. They are searched in rounds, each with more nodes for fewer
//! candidates, and the best program wins; among equally good ones, the one whose kernels are nearest to the wanted
//! ones. Neither the candidates nor the rounds depend on the budget, which only limits how far they go.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use cain_analysis::prove::Polynomial;
use cain_isa::{Fraction, Progress, Stop};

use super::exactly::search_exactly;
use super::known::better_of;
use super::target::{problem_of, target_of};
use crate::approximate::{Nearby, distance};
use crate::book::{self, Known};
use crate::costs::Costs;
use crate::engine::budget::Budget;
use crate::engine::work::NODE;
use crate::sort;
use crate::{Approximation, Declaration, Options, Patience, SearchError, Solution, Statistics, verify};

/// The candidates of the first round; each further round has half as many.
const CANDIDATES: usize = 8;
/// The nodes of a candidate in the first round, per output, and the factor by which they grow from round to round.
const FIRST_NODES: u64 = 50;
const GROWTH: u64 = 4;
/// The number of kernels that are looked at for one node: this is far less work than generating all successors of a
/// bag.
const LOOKS_PER_NODE: u64 = 64;
/// The most kernels that are looked at.
const LOOKS: u32 = 32_000;

/// A program for kernels near to those of a declaration.
pub(super) fn search_nearby(
    declaration: &Declaration,
    allowed: Approximation,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    let mut budget = Budget::of(declaration, watch);
    let mut left = candidates(declaration, allowed, &mut budget);
    let (mut best, mut failure, mut first) = (None::<Found>, None, 0);
    let mut nodes = FIRST_NODES.saturating_mul(declaration.outputs.len() as u64);
    let stop = loop {
        let (mut found, mut hidden) = (Vec::new(), Vec::new());
        for candidate in &left {
            match candidate.search(declaration, nodes, &mut budget) {
                Ok(program) => {
                    if best.is_none() {
                        first = program.nodes;
                    }
                    if best.as_ref().is_none_or(|best| program.order(best).is_lt()) {
                        let is_tie = best.as_ref().is_some_and(|best| program.is_tie(best));
                        budget.improved(program.solution.program.listing().len(), is_tie);
                        best = Some(program.clone());
                    }
                    found.push(program);
                }
                Err(error) => {
                    if let SearchError::Budget { .. } = error {
                        hidden.push(candidate.clone());
                    }
                    failure = Some(error);
                }
            }
        }
        if let Some(stop) = budget.stopped() {
            break stop;
        }
        sort::by(&mut found, Found::order);
        if found.iter().all(Found::is_final) && hidden.is_empty() {
            break Stop::Exhausted;
        }
        let most = left.len().div_ceil(2);
        let mut ranked = found.into_iter().map(|found| found.candidate).chain(hidden);
        left = ranked.by_ref().take(most).collect();
        left.extend(ranked.filter(|candidate| candidate.is_rounded));
        nodes = nodes.saturating_mul(GROWTH);
    };
    let Some(best) = best else { return Err(failure.unwrap_or(SearchError::Overflow)) };
    let program = verify(declaration, best.solution.program.listing()).map_err(|_| SearchError::Overflow)?;
    let statistics =
        Statistics { nodes: budget.used(), nodes_to_first: first, nodes_to_best: best.nodes, lower_bound: 0, stop };
    Ok(Solution { program, statistics })
}

/// Kernels that may be computed instead of the wanted ones.
#[derive(Clone)]
struct Candidate {
    declaration: Declaration,
    /// Their distance from the wanted ones.
    error: Fraction,
    /// Whether they result from plain rounding. Those stay to the end, so that a search is hardly ever worse than plain
    /// rounding.
    is_rounded: bool,
}

/// The best program for a candidate.
#[derive(Clone)]
struct Found {
    candidate: Candidate,
    solution: Solution,
    /// Its costs, where the error is predicted against the wanted kernels: the same measure for all candidates.
    costs: Costs,
    /// The total number of nodes used when it was found.
    nodes: u64,
}

impl Candidate {
    fn search(&self, wanted: &Declaration, nodes: u64, budget: &mut Budget<'_>) -> Result<Found, SearchError> {
        let mut declaration = self.declaration.clone();
        declaration.options.nodes = nodes;
        declaration.options.patience = Patience::Any;
        let found = search_exactly(&declaration, &mut budget.shared());
        let solution = better_of(&declaration, found, self.known(wanted))?;
        let costs = Costs::of(wanted, solution.program.listing());
        Ok(Found { candidate: self.clone(), solution, costs, nodes: budget.used() })
    }

    /// The program of the opening book, if it is to be looked up: with the gain that the wanted kernels may have.
    fn known(&self, wanted: &Declaration) -> Option<Solution> {
        let Options { book: true, max_gain, .. } = wanted.options else { return None };
        let mut declaration = self.declaration.clone();
        declaration.options.max_gain = max_gain;
        let Known { solution, .. } = book::look_up(&declaration)?;
        let program = verify(&self.declaration, solution.program.listing()).ok()?;
        Some(Solution { program, ..solution })
    }
}

impl Found {
    /// Better programs first, then nearer kernels.
    fn order(&self, other: &Self) -> Ordering {
        let objective = self.candidate.declaration.options.objective_in_force();
        objective.compare(&self.costs, &other.costs).then(self.candidate.error.cmp(&other.candidate.error))
    }

    /// Whether it is neither better nor worse but for what breaks ties.
    fn is_tie(&self, other: &Self) -> bool {
        let objective = self.candidate.declaration.options.objective_in_force();
        objective.compare_without_ties(&self.costs, &other.costs).is_eq()
    }

    /// Whether more nodes would not lead to a better program.
    fn is_final(&self) -> bool {
        matches!(self.solution.statistics.stop, Stop::Proved | Stop::Exhausted)
    }
}

/// The kernels that look simplest, including the wanted ones if there are programs for them.
fn candidates(declaration: &Declaration, allowed: Approximation, budget: &mut Budget<'_>) -> Vec<Candidate> {
    let wanted: Vec<Polynomial> = declaration.outputs.iter().map(|output| output.kernel.clone()).collect();
    let of = |kernels: &[Polynomial]| {
        let mut declaration = declaration.clone();
        // The kernels must not need a larger gain than the wanted ones may have.
        declaration.options.max_gain = declaration.max_gain().into();
        declaration.options.approximate = None;
        for (output, kernel) in declaration.outputs.iter_mut().zip(kernels) {
            output.kernel = kernel.clone();
        }
        let candidate = Candidate { declaration, error: distance(&wanted, kernels)?, is_rounded: false };
        candidate.declaration.validate().is_ok().then_some(candidate)
    };
    let mut looks = 0;
    let mut nearby = Nearby::of(&wanted, allowed);
    nearby.walk(&mut |kernels| {
        looks += 1;
        let goes_on = looks <= LOOKS && budget.charge(NODE / LOOKS_PER_NODE);
        goes_on.then(|| of(kernels).and_then(|candidate| estimate(&candidate.declaration)).unwrap_or(i64::MAX))
    });
    // If plain rounding goes too far, its result is left as it is, and is not a candidate.
    let mut rounded = wanted.clone();
    let rounded = allowed.apply(&mut rounded).ok().and_then(|_| of(&rounded));
    let rounded = rounded.map(|candidate| Candidate { is_rounded: true, ..candidate });
    let simplest = nearby.simplest().into_iter().filter_map(|kernels| of(&kernels));
    let mut candidates: Vec<Candidate> = Vec::new();
    for candidate in rounded.into_iter().chain(of(&wanted)).chain(simplest) {
        let is_new = candidates.iter().all(|other| other.declaration.outputs != candidate.declaration.outputs);
        if is_new && candidates.len() < CANDIDATES {
            candidates.push(candidate);
        }
    }
    candidates
}

/// An estimate of how far the outputs of a declaration are from its inputs.
fn estimate(declaration: &Declaration) -> Option<i64> {
    let (problem, goals) = problem_of(declaration).ok()?;
    let target = target_of(declaration, &problem);
    let states = target.states(true);
    let last = states.last();
    Some(states.estimates(&goals, &last, states.lower_bound(&goals, &last)).linear)
}
