//! Exchanging values of a program for others.
//!
//! A program is looked at as the set of values that it makes. A set is *complete* if its values can be made one after the
//! other, each by one instruction, from the inputs and those made before; which instruction that is, and when, makes no
//! difference to the length. One step of the search takes a value out and another one in, so that the set stays complete.
//! Mostly the program is as long as before, but often one that could not be left out before can be left out then. This is
//! how the shortest straight-line programs for the linear layers of ciphers are found (Xiang, Zeng, Lin, Bao, Zhang:
//! "Optimizing implementations of linear layers", `ToSC` 2020/2). The more outputs there are, the more do values serve
//! several of them, and the better it is than going back from the outputs.
//!
//! Control words leave their results in registers or in NEWS, which are two values here, since other words take one and the
//! other. NEWS holds one value at a time: where a program cannot be put in order otherwise, its values are made more than
//! once.
//!
//! - [`steps`]: the interface to the instructions, which a target provides; [`held`]: values and where they are.
//! - [`graph`]: sets of values, and what each of them can be made from.
//! - [`trade`]: one value for another. What comes in is made by one instruction from what is left, and makes something that
//!   is missing without the value that goes; [`filter`] finds what is in both of these large sets.
//! - [`order`]: an order of the instructions that fits the registers.
//! - [`window`]: a run of instructions as a graph, and back.

mod filter;
pub(crate) mod graph;
mod held;
pub(crate) mod order;
mod steps;
pub(crate) mod trade;
mod window;

use std::ops::Range;

use crate::engine::problem::Problem;
use crate::engine::terms::{self, Term};
use crate::engine::values::{ValueStep, Walk, Whole};
use crate::engine::work::{self, NODE};
use crate::random::Random;
use crate::threads;
use graph::Graph;
pub(crate) use held::{Held, Place, Table};
use order::{Order, order};
pub(crate) use steps::{Known, Needs, Steps, Way};
use trade::{shrink, trade};
use window::{Window, between, in_use};

/// A set of nodes, in bits.
pub(crate) type Set = u128;
const MOST_NODES: usize = 128;
/// The most values of all nodes, and beside them: pairs and triples of them are looked at.
const MOST_VALUES: usize = 160;

/// The work between two looks at all walks.
const SEGMENT: u64 = 64 * NODE;
/// After so many segments the longest program is given up for the shortest.
const GENERATION: u32 = 16;
/// The work of making a graph of a part of a program, for each of its instructions.
const INSTRUCTION: u64 = 50;
/// How often an order is looked for.
const TRIES: u32 = 6;

/// Goes on with walks as long as `take` gives work, and offers programs that are shorter than the shortest that was
/// accepted, whose length is given; returns whether there is nothing to be exchanged.
pub(crate) fn exchange(
    (problem, instructions): (&Problem, &impl Steps),
    whole: &Whole<'_>,
    walks: &mut [Walk],
    take: &mut dyn FnMut(u64) -> bool,
    accept: &mut dyn FnMut(&[ValueStep]) -> bool,
) -> bool {
    let mut shortest = whole.steps.len();
    for generation in 1.. {
        let segments = threads::map(walks, |walk| segment((instructions, problem, whole), walk));
        for (walk, segment) in walks.iter_mut().zip(segments) {
            let Some(Segment { last, shorter, work }) = segment else { return true };
            if !take(work) {
                return false;
            }
            *walk = last;
            for program in shorter.iter().rev().take_while(|program| program.len() < shortest) {
                if accept(program) {
                    shortest = program.len();
                    break;
                }
            }
        }
        if generation % GENERATION == 0 {
            give_up_longest(walks);
        }
    }
    false
}

/// Lets the walk with the longest program go on from the shortest one.
fn give_up_longest(walks: &mut [Walk]) {
    let length = |walk: &Walk| walk.steps.len();
    let Some(shortest) = walks.iter().min_by_key(|walk| length(walk)).map(|walk| walk.steps.clone()) else { return };
    if let Some(longest) = walks.iter_mut().max_by_key(|walk| length(walk))
        && length(longest) > shortest.len()
    {
        longest.steps = shortest;
    }
}

/// A part of a walk.
struct Segment {
    last: Walk,
    /// The programs that were shorter than all before them.
    shorter: Vec<Vec<ValueStep>>,
    work: u64,
}

/// Exchanges values in a part of the program; `None` if there is nothing to be exchanged.
fn segment<S: Steps>((instructions, problem, whole): (&S, &Problem, &Whole<'_>), walk: &Walk) -> Option<Segment> {
    let Walk { steps: current, mut random } = walk.clone();
    let range = between(instructions, &current, range(current.len(), S::LONGEST, &mut random));
    let program = Whole { steps: &current, ..whole.clone() };
    let window = Window::of(instructions, problem, &program, range.clone());
    let mut work = INSTRUCTION * work::units(current.len());
    let is_whole = range.len() == current.len();
    let Some(Window { mut graph, registers }) = window else {
        return (!is_whole).then(|| Segment { last: Walk { steps: current, random }, shorter: Vec::new(), work });
    };
    let bound = whole.gain.bound(0);
    let is_allowed = |terms: &[Term]| bound.allows(terms) && terms::is_within(terms, whole.reach);
    let (before, after) = (&current[..range.start], &current[range.end..]);
    let with = |graph: &Graph<'_, S>, order: &Order| {
        let steps = [before, &graph.program(order)?, after].concat();
        in_use(instructions, &whole.wanted, &steps)
    };

    let mut length = range.len();
    let mut last = None;
    let mut shorter = Vec::new();
    let mut shrunk = graph.clone();
    if (shrink(&mut shrunk, &mut random) || shrunk.length() < length)
        && let Some(order) = order(&shrunk, registers, TRIES, &mut random)
        && order.len() < length
    {
        length = order.len();
        shorter.extend(with(&shrunk, &order));
        (graph, last) = (shrunk, Some(order));
    }
    while work < SEGMENT {
        let free: Vec<usize> = (0..graph.nodes.len()).filter(|&node| graph.nodes[node].is_free()).collect();
        if free.is_empty() {
            if is_whole {
                return None;
            }
            break;
        }
        let leaving = free[random.below(free.len())];
        let trade = trade((&graph, length), leaving, (registers, whole.room), &is_allowed, &mut random);
        work += trade.work;
        if let Some((other, order)) = trade.found {
            if order.len() < length {
                length = order.len();
                shorter.extend(with(&other, &order));
            }
            (graph, last) = (other, Some(order));
        }
    }
    let steps = last.and_then(|order| with(&graph, &order)).unwrap_or(current.clone());
    if steps.len() < shorter.last().unwrap_or(&current).len() {
        shorter.push(steps.clone());
    }
    Some(Segment { last: Walk { steps, random }, shorter, work })
}

/// A part of a program, from a random place on where it is a long one.
fn range(length: usize, longest: usize, random: &mut Random) -> Range<usize> {
    let longest = length.min(longest);
    let start = random.below(length - longest + 1);
    start..start + longest
}
