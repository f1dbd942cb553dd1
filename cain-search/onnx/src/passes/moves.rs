//! Removes nodes that only rename axes, and functions that change no order.

use super::seen::Seen;
use crate::graph::{Became, Graph, Id, Node, Patch};
use crate::index::{ravel, unravel};
use crate::op::{Each, Op};

/// Replaces a change of sizes or axes by an earlier node that has the same numbers in the same order, with the same
/// sizes.
pub(super) fn undone(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let mut earlier = kept(seen.graph, node)?;
    loop {
        let found = seen.graph.node(earlier)?;
        if found.fact == node.fact {
            break;
        }
        earlier = kept(seen.graph, found)?;
    }
    let became = node.origin.map(|origin| (origin, Became::Text("dropped"))).into_iter().collect();
    Some(Patch { replaced: id, inputs: vec![earlier], chain: Vec::new(), became })
}

/// The input of a node that leaves all numbers in their order.
fn kept(graph: &Graph, node: &Node) -> Option<Id> {
    let input = *node.inputs.first()?;
    match &*node.op {
        Op::Reshape => Some(input),
        Op::Transpose { order } => {
            // Axes of size 1 may be anywhere.
            let dims = &graph.node(input)?.fact.dims;
            order.iter().filter(|axis| dims.get(**axis) != Some(&1)).is_sorted().then_some(input)
        }
        _ => None,
    }
}

/// How many nodes that only move numbers are followed.
const MOST_MOVES: usize = 16;

/// The place of a number before several nodes, the last one first; `None` if one of them does more than move them.
pub(super) fn place_before_all(graph: &Graph, moves: &[&Node], place: usize) -> Option<usize> {
    moves.iter().try_fold(place, |place, node| place_before(graph, node, place))
}

/// The place, in what a node reads, of one of its numbers; `None` if it does more than move them.
fn place_before(graph: &Graph, node: &Node, place: usize) -> Option<usize> {
    let (made, dims) = (&node.fact.dims, &graph.node(*node.inputs.first()?)?.fact.dims);
    let mut index = unravel(place, made);
    match &*node.op {
        Op::Reshape => return Some(place),
        Op::Transpose { order } => {
            let made = index.clone();
            for (axis, along) in order.iter().zip(made) {
                *index.get_mut(*axis)? = along;
            }
        }
        Op::Take { axis, places } => {
            let along = index.get_mut(*axis)?;
            *along = *places.get(*along)?;
        }
        Op::Slice(slices) => {
            for slice in slices {
                let along = index.get_mut(slice.axis)?;
                *along = slice.place(*along);
            }
        }
        _ => return None,
    }
    Some(ravel(&index, dims))
}

/// The nodes before one, from which it only moves numbers, the nearest first, each with what moves
/// them since, the last one first.
pub(super) fn origins<'g>(graph: &'g Graph, node: &'g Node) -> Vec<(Id, Vec<&'g Node>)> {
    let mut moves = vec![node];
    let mut all = Vec::new();
    while moves.len() <= MOST_MOVES
        && let Some(last) = moves.last().filter(|last| place_before(graph, last, 0).is_some())
        && let Some(before) = last.inputs.first().and_then(|id| Some((*id, graph.node(*id)?)))
    {
        all.push((before.0, moves.clone()));
        moves.push(before.1);
    }
    all
}

/// Moves thresholds before functions that grow everywhere.
pub(super) fn compared(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let Op::Threshold { at, inclusive, below, above } = &*node.op else { return None };
    let function = seen.graph.node(*node.inputs.first()?)?;
    let of: fn(f64) -> f64 = match *function.op {
        Op::Each(Each::Sigmoid) => |at| (at / (1.0 - at)).ln(),
        Op::Each(Each::Tanh) => f64::atanh,
        _ => return None,
    };
    let at: Vec<f64> = at.iter().map(|at| of(*at)).collect();
    // Beyond what the function makes, there is no such number.
    if at.iter().any(|at| !at.is_finite()) {
        return None;
    }
    let op = Op::Threshold { at, inclusive: *inclusive, below: *below, above: *above };
    let became = function.origin.map(|origin| (origin, Became::Text("moves the thresholds behind it")));
    let chain = vec![node.with_op(op)];
    Some(Patch { replaced: id, inputs: function.inputs.clone(), chain, became: became.into_iter().collect() })
}

/// Removes functions that grow everywhere before the place of the largest number is chosen.
pub(super) fn growing(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let Op::ArgMax { axis } = *node.op else { return None };
    let function = seen.graph.node(*node.inputs.first()?)?;
    let grows = match *function.op {
        Op::Each(Each::Sigmoid | Each::Tanh) => true,
        Op::Softmax { axis: other, is_logarithm: true, is_to_end } => other == axis && !is_to_end,
        _ => false,
    };
    if !grows {
        return None;
    }
    let became = function.origin.map(|origin| (origin, Became::Text("dropped, since it does not change the largest")));
    let chain = vec![node.with_op(Op::ArgMax { axis })];
    Some(Patch { replaced: id, inputs: function.inputs.clone(), chain, became: became.into_iter().collect() })
}
