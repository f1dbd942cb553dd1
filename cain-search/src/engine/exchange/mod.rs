//! Shortens programs by exchanging their values for others.
//!
//! A program is regarded as the set of values that it makes. A set is *complete* if its values can be made one after
//! the other, each by one instruction, from the inputs and from values made before; which instruction makes a value,
//! and when, does not affect the length. One step of the search takes a value out and puts another one in so that the
//! set stays complete. Usually the program is as long as before, but often a value that was needed before can now be
//! left out. This is how the shortest straight-line programs for the linear layers of ciphers are found (Xiang, Zeng,
//! Lin, Bao, Zhang: "Optimizing implementations of linear layers", `ToSC` 2020/2). The more outputs there are, the more
//! values serve several of them, and the better this works compared with a search backwards from the outputs.
//!
//! Control words leave their results in registers or in NEWS. These count as two values, because other words read one
//! or the other. NEWS holds one value at a time: where a program cannot be put in order otherwise, its values are made
//! more than once.
//!
//! - [`steps`]: the interface to the instructions, which a target provides; [`held`]: values and their places.
//! - [`graph`]: sets of values, and what each of them can be made from.
//! - [`mod@trade`]: exchanges one value for another. The new value is made by one instruction from what is left, and makes
//!   something that could not be made without the old one; [`filter`] finds what is common to these two large sets.
//! - [`mod@order`]: finds an order of the instructions that fits the registers.
//! - [`window`]: turns a run of instructions into a graph, and back.

mod filter;
pub(crate) mod graph;
mod held;
pub(crate) mod order;
mod set;
mod steps;
pub(crate) mod trade;
mod window;

use std::ops::Range;

use crate::engine::problem::Problem;
use crate::engine::terms::{self, Term};
use crate::engine::values::{Exchanged, ValueStep, Walk, Whole};
use crate::engine::work::{self, NODE};
use crate::random::Random;
use crate::threads;
pub(crate) use filter::{Filter, Sieve};
use graph::Graph;
pub(crate) use held::{Held, Place, Table};
use order::{Order, order};
pub(crate) use set::Set;
pub(crate) use steps::{Known, Needs, Steps, Way};
use trade::{shrink, trade};
use window::{Window, between, in_use};

/// The work between two comparisons of all walks.
const SEGMENT: u64 = 64 * NODE;
/// The number of segments after which the walk whose program costs most is given up for the one whose program costs
/// least.
const GENERATION: u32 = 16;
/// The work of making a graph of a part of a program, per instruction.
const INSTRUCTION: u64 = 50;
/// The work of making a graph of a program with one value exchanged, per instruction.
const TRADED: u64 = 10;
/// How much more a program may cost than the one before it on a walk.
const SLACK: usize = 2;
/// The number of attempts to find an order.
const TRIES: u32 = 6;

/// Continues walks until `take`, which is told the work that was done, refuses more, and offers programs that cost less
/// than the last accepted one, or than the whole one if none was accepted. Incomplete programs are also offered if they
/// cost as much, because they may take less to complete. Returns whether there is nothing to exchange.
pub(crate) fn exchange(
    (problem, instructions, exchanged): (&Problem, &dyn Steps, Exchanged),
    whole: &Whole<'_>,
    walks: &mut [Walk],
    take: &mut dyn FnMut(u64) -> bool,
    accept: &mut dyn FnMut(&[ValueStep]) -> bool,
) -> bool {
    let mut least = cost(instructions, whole, whole.steps);
    for generation in 1.. {
        let segments = threads::map(walks, |walk| segment((instructions, problem, whole), walk));
        let mut goes_on = true;
        for (walk, segment) in walks.iter_mut().zip(segments) {
            let Some(Segment { last, better, work }) = segment else { return true };
            goes_on &= take(work);
            *walk = last;
            let accepted = better.iter().rev().take_while(|program| program.cost < least).find(|it| accept(&it.steps));
            least = accepted.map_or(least, |program| program.cost);
            if exchanged == Exchanged::Incomplete && cost(instructions, whole, &walk.steps) == least {
                accept(&walk.steps);
            }
        }
        if !goes_on {
            break;
        }
        if generation % GENERATION == 0 {
            give_up_worst(walks, |walk| cost(instructions, whole, &walk.steps));
        }
    }
    false
}

/// The cost of a program: its instructions, and what counts as further ones.
fn cost(instructions: &dyn Steps, whole: &Whole<'_>, steps: &[ValueStep]) -> usize {
    steps.len() + instructions.surcharge(&whole.wanted, steps)
}

/// Lets the walk whose program costs most continue from the program that costs least.
fn give_up_worst(walks: &mut [Walk], cost: impl Fn(&Walk) -> usize) {
    let costs: Vec<usize> = walks.iter().map(cost).collect();
    let Some(best) = (0..walks.len()).min_by_key(|&i| costs[i]) else { return };
    if let Some(worst) = (0..walks.len()).max_by_key(|&i| costs[i])
        && costs[worst] > costs[best]
    {
        let steps = walks[best].steps.clone();
        walks[worst].steps = steps;
    }
}

/// A program and its cost.
#[derive(Clone)]
struct Program {
    steps: Vec<ValueStep>,
    cost: usize,
}

/// The result of a part of a walk.
struct Segment {
    last: Walk,
    /// The programs that cost less than all before them.
    better: Vec<Program>,
    work: u64,
}

/// Exchanges values in a part of the program; `None` if there is nothing to exchange.
fn segment((instructions, problem, whole): (&dyn Steps, &Problem, &Whole<'_>), walk: &Walk) -> Option<Segment> {
    let Walk { steps: current, mut random } = walk.clone();
    let range = between(instructions, &current, range(current.len(), instructions.longest(), &mut random));
    let program = Whole { steps: &current, ..whole.clone() };
    let window = Window::of(instructions, problem, &program, range.clone());
    let mut work = INSTRUCTION * work::units(current.len());
    let is_whole = range.len() == current.len();
    let Some(Window { mut graph, registers }) = window else {
        return (!is_whole).then(|| Segment { last: Walk { steps: current, random }, better: Vec::new(), work });
    };
    let bound = whole.gain.bound(0);
    let is_allowed = |terms: &[Term]| {
        let of_inputs = terms::without_constant(terms);
        bound.allows(of_inputs) && terms::is_within(of_inputs, whole.reach)
    };
    let (before, after) = (&current[..range.start], &current[range.end..]);
    let program = |graph: &Graph<'_>, order: &Order| {
        let steps = in_use(instructions, &whole.wanted, &[before, &graph.program(order)?, after].concat())?;
        Some(Program { cost: cost(instructions, whole, &steps), steps })
    };

    let mut length = range.len();
    let mut at = Program { cost: cost(instructions, whole, &current), steps: current.clone() };
    let mut least = at.cost;
    let mut better = Vec::new();
    let mut note = |program: &Program| {
        if program.cost < least {
            least = program.cost;
            better.push(program.clone());
        }
    };
    let mut shrunk = graph.clone();
    if (shrink(&mut shrunk, &mut random) || shrunk.length() < length)
        && let Some(order) = order(&shrunk, registers, (TRIES, &mut work), &mut random)
        && order.len() < length
        && let Some(shorter) = program(&shrunk, &order)
    {
        note(&shorter);
        (graph, length, at) = (shrunk, order.len(), shorter);
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
        let Some((other, order)) = trade.found else { continue };
        work += TRADED * work::units(at.steps.len());
        let Some(next) = program(&other, &order).filter(|next| next.cost <= at.cost + SLACK) else { continue };
        note(&next);
        (graph, length, at) = (other, order.len(), next);
    }
    Some(Segment { last: Walk { steps: at.steps, random }, better, work })
}

/// A part of a program; in a long program it begins at a random place.
fn range(length: usize, longest: usize, random: &mut Random) -> Range<usize> {
    let longest = length.min(longest);
    let start = random.below(length - longest + 1);
    start..start + longest
}
