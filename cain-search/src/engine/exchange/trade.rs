//! Exchanges one value of a program for another.

use super::Set;
use super::filter::{Filter, Sieve};
use super::graph::{Graph, members};
use super::held::Held;
use super::order::{Order, order};
use crate::engine::image::Image;
use crate::engine::terms::Term;
use crate::engine::work;
use crate::random::Random;

/// The number of attempts to find an order: for a shorter program, and for one of the same length.
const TRIES_IF_SHORTER: u32 = 6;
const TRIES: u32 = 2;
/// The most candidates that are looked at more closely, because they make the program complete.
const MOST_TRIED: usize = 32;
/// The most programs of the same length for which an order is looked for.
const MOST_EQUAL: usize = 4;
/// The fixed part of the work of a trade.
const CANDIDATES: u64 = 200;
/// The number of tables of images that may exist at the same time.
const AT_A_TIME: usize = 4;
/// The number of values looked at for each pair of nodes when a value is added to a graph.
const PAIRS: u64 = 8;

/// The outcome of an exchange.
pub(crate) struct Trade<'a> {
    /// The program with another value, which is not longer, and an order that fits its registers.
    pub(crate) found: Option<(Graph<'a>, Order)>,
    /// The work that it took.
    pub(super) work: u64,
}

/// Exchanges the value `leaving` of a program of `length` instructions for one that makes the program shorter, or
/// failing that, for one that keeps its length. `registers` is the number of registers, and `room` the memory that
/// tables may take, in bytes.
pub(crate) fn trade<'a>(
    (graph, length): (&Graph<'a>, usize),
    leaving: usize,
    (registers, room): (usize, usize),
    is_allowed: &dyn Fn(&[Term]) -> bool,
    random: &mut Random,
) -> Trade<'a> {
    let reached = graph.reached(graph.given(), 1 << leaving);
    let missing = graph.all() & !reached & !(1 << leaving);
    let (mut candidates, mut work) = candidates(graph, (reached, missing), room);
    let nodes = work::units(graph.nodes.len());
    let mut known = graph.known(graph.all());
    candidates.retain(|&held| held.image != Image::ZERO && known.table().find(held).is_none());
    let mut without = graph.clone();
    without.remove(leaving);
    let mut equal = Vec::new();
    let mut tried = 0;
    while !candidates.is_empty() && tried < MOST_TRIED {
        let held = candidates.swap_remove(random.below(candidates.len()));
        let own = 1 << graph.nodes.len();
        let number = known.try_out(held, own);
        work += u64::from(missing.count_ones()) * nodes / graph.steps.values();
        if !graph.helps(&*known, number, (reached | own, missing)) {
            continue;
        }
        tried += 1;
        work += PAIRS * nodes * nodes / graph.steps.values();
        let mut other = without.clone();
        other.insert(held);
        let new = other.nodes.len() - 1;
        if !other.is_complete() || !other.settle(new) || !is_allowed(&other.nodes[new].values[0].0.terms) {
            continue;
        }
        if shrink(&mut other, random) {
            work += PAIRS * nodes * nodes / graph.steps.values();
            let order = order(&other, registers, (TRIES_IF_SHORTER, &mut work), random);
            if let Some(order) = order.filter(|order| order.len() <= length) {
                return Trade { found: Some((other, order)), work };
            }
        } else if equal.len() < MOST_EQUAL {
            equal.push(other);
        }
    }
    let found = equal.into_iter().find_map(|other| {
        let order = order(&other, registers, (TRIES, &mut work), random).filter(|order| order.len() <= length)?;
        Some((other, order))
    });
    Trade { found, work }
}

/// Leaves out superfluous nodes, in random order; returns whether there were any.
pub(crate) fn shrink(graph: &mut Graph<'_>, random: &mut Random) -> bool {
    let mut is_shorter = false;
    loop {
        let superfluous = graph.superfluous();
        if superfluous.is_empty() {
            return is_shorter;
        }
        graph.remove(superfluous[random.below(superfluous.len())]);
        is_shorter = true;
    }
}

/// Values that one instruction makes from reached nodes and from which one more instruction makes a missing node, and
/// the work of finding them. A few other values are among them.
fn candidates(graph: &Graph<'_>, (reached, missing): (Set, Set), room: usize) -> (Vec<Held>, u64) {
    let known = graph.known(reached);
    let mut filter = Filter::new(known.made_at_most(), room / AT_A_TIME);
    known.made(&mut filter);
    let mut sieve = Sieve::new(&filter);
    for &held in members(missing).flat_map(|node| graph.nodes[node].held()) {
        known.needed(held, &mut sieve);
    }
    let looked_at = filter.inserted + sieve.looked_up;
    let mut candidates = sieve.passed;
    candidates.sort_unstable();
    candidates.dedup();
    (candidates, CANDIDATES + looked_at / graph.steps.values())
}
