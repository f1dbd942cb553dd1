//! One value for another.

use super::Set;
use super::filter::Filter;
use super::graph::{Graph, members};
use super::order::{Order, order};
use crate::engine::field::Image;
use crate::engine::terms::Term;
use crate::engine::work;
use crate::random::Random;

/// How often an order is looked for: where a program gets shorter, and where it does not.
const TRIES_IF_SHORTER: u32 = 6;
const TRIES: u32 = 2;
/// Programs of the same length for which an order is looked for.
const MOST_EQUAL: usize = 4;
/// Images that are looked at in a unit of work.
const IMAGES: u64 = 40;
/// The work of a trade beside that.
const CANDIDATES: u64 = 200;
/// Tables of images that there may be at a time.
const AT_A_TIME: usize = 4;
/// Images for each pair of values, where one is added to a graph.
const PAIRS: u64 = 8;

/// What comes of an exchange.
pub(super) struct Trade<'a> {
    /// The program with another value, which is not longer, in an order for its registers.
    pub(super) found: Option<(Graph<'a>, Order)>,
    /// What it took.
    pub(super) work: u64,
}

/// Exchanges a value for one with which the program gets shorter, or else for one that is as good; given the registers and
/// what tables may take, in bytes.
pub(super) fn trade<'a>(
    graph: &Graph<'a>,
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
    candidates.retain(|&image| image != Image::ZERO && known.find(image).is_none());
    let mut without = graph.clone();
    without.remove(leaving);
    let mut equal = Vec::new();
    while !candidates.is_empty() {
        let image = candidates.swap_remove(random.below(candidates.len()));
        let own = 1 << graph.nodes.len();
        let number = known.try_out(image, own);
        work += u64::from(missing.count_ones()) * nodes / IMAGES;
        if !graph.helps(&known, number, (reached | own, missing)) {
            continue;
        }
        work += PAIRS * nodes * nodes / IMAGES;
        let mut other = without.clone();
        other.insert(image);
        let new = other.nodes.len() - 1;
        if !other.is_complete() || !other.settle(new) || !is_allowed(&other.nodes[new].values[0].terms) {
            continue;
        }
        if shrink(&mut other, random) {
            work += PAIRS * nodes * nodes / IMAGES;
            if let Some(order) = order(&other, registers, TRIES_IF_SHORTER, random) {
                return Trade { found: Some((other, order)), work };
            }
        } else if equal.len() < MOST_EQUAL {
            equal.push(other);
        }
    }
    let found = equal.into_iter().find_map(|other| {
        work += PAIRS * nodes * nodes / IMAGES;
        let order = order(&other, registers, TRIES, random)?;
        Some((other, order))
    });
    Trade { found, work }
}

/// Leaves out what is superfluous, in any order; returns whether anything was.
pub(super) fn shrink(graph: &mut Graph<'_>, random: &mut Random) -> bool {
    let mut is_shorter = false;
    loop {
        let superfluous: Vec<usize> = (0..graph.nodes.len()).filter(|&node| graph.is_superfluous(node)).collect();
        if superfluous.is_empty() {
            return is_shorter;
        }
        graph.remove(superfluous[random.below(superfluous.len())]);
        is_shorter = true;
    }
}

/// Images of values that one instruction makes of some nodes, and from which one more makes something that is missing; and
/// the work of finding them. A few others are among them.
fn candidates(graph: &Graph<'_>, (reached, missing): (Set, Set), room: usize) -> (Vec<Image>, u64) {
    let known = graph.known(reached);
    let mut looked = 0;
    let mut filter = Filter::new(known.made_at_most(), room / AT_A_TIME);
    known.made(|image| {
        filter.insert(image);
        looked += 1;
    });
    let mut candidates = Vec::new();
    for node in members(missing) {
        for value in &graph.nodes[node].values {
            known.needed(value.image, |image| {
                looked += 1;
                if filter.may_have(image) {
                    candidates.push(image);
                }
            });
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    (candidates, CANDIDATES + looked / IMAGES)
}
