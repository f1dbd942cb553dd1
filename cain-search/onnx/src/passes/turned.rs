//! Moves changes of the order of axes, and of sizes, behind what computes the same without them, until they undo each other:
//! exporters write them around each layer of models whose channels come last, or whose pixels are rows of a matrix.

use std::rc::Rc;

use super::mover::Mover;
use super::seen::{Seen, needs_maps};
use crate::axes::Slice;
use crate::graph::{Became, Fact, Graph, Id, Node, Patch};
use crate::op::Op;

/// Replaces two changes of the order of axes by one, or by none.
pub(super) fn twice(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (inner, order) = turned(seen.graph, id)?;
    let (input, before) = turned(seen.graph, inner)?;
    let order: Vec<usize> = order.iter().map(|axis| before.get(*axis).copied()).collect::<Option<_>>()?;
    let is_same = order.iter().enumerate().all(|(place, axis)| place == *axis);
    let chain = if is_same { Vec::new() } else { vec![node.with_op(Op::Transpose { order })] };
    let origins = [Some(node), seen.graph.node(inner)].into_iter().filter_map(|node| node?.origin);
    let became = origins.map(|origin| (origin, Became::Text("dropped"))).collect();
    Some(Patch { replaced: id, inputs: vec![input], chain, became })
}

/// What a change of the order of axes reads, and the order.
fn turned(graph: &Graph, id: Id) -> Option<(Id, &[usize])> {
    let node = graph.node(id)?;
    match &*node.op {
        Op::Transpose { order } => Some((*node.inputs.first()?, order)),
        _ => None,
    }
}

/// Moves all numbers behind a node instead of before it.
pub(super) fn behind(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let is_single = |input: &Id| seen.graph.constant(*input).is_some_and(|constant| constant.single().is_some());
    let first = *node.inputs.iter().find(|input| !is_single(input))?;
    let (from, mover) = Mover::of(seen.graph, first)?;
    let before = |input: &Id| match Mover::of(seen.graph, *input) {
        Some((before, other)) => (other == mover).then_some(before),
        None => is_single(input).then_some(*input),
    };
    let inputs: Vec<Id> = node.inputs.iter().map(before).collect::<Option<_>>()?;
    let [from, moved] = [from, first].map(|id| seen.graph.node(id).map(|node| node.fact.dims.as_slice()));
    let (from, moved) = from.zip(moved)?;
    if matches!(mover, Mover::Sizes(..)) && !are_better_before(seen, (id, node), (from, moved)) {
        return None;
    }
    if let Op::Reduce { axes, is_mean, keeps } = &*node.op {
        let op = |axes| Op::Reduce { axes, is_mean: *is_mean, keeps: *keeps };
        let chain = reduced(node, (mover.axes(axes)?, *keeps), op, (&mover, from))?;
        return Some(Patch { replaced: id, inputs, chain, became: Vec::new() });
    }
    if let Op::Around { sides, value } = &*node.op {
        let sides = mover.sides(sides, moved)?;
        let dims = from.iter().zip(&sides).map(|(size, (before, after))| before + size + after).collect();
        let around = Node {
            fact: Rc::new(Fact { kind: node.fact.kind, dims }),
            ..node.with_op(Op::Around { sides, value: *value })
        };
        return Some(Patch { replaced: id, inputs, chain: vec![around, node.with_op(mover.op())], became: Vec::new() });
    }
    // Constants may raise the number of axes.
    let dims = mover.dims(&node.fact.dims, moved)?;
    // Each channel has a threshold of its own.
    let of_channels = |at: &[f64]| match (at, dims.as_slice()) {
        ([first, others @ ..], [_, channels, _, _]) if others.iter().all(|other| other == first) => {
            Some(vec![*first; *channels])
        }
        _ => None,
    };
    let op = match &*node.op {
        Op::Each(each) => Op::Each(*each),
        Op::Cast => Op::Cast,
        Op::Quantise { scale, zero } => Op::Quantise { scale: *scale, zero: *zero },
        Op::Slopes(slopes) => Op::Slopes(Rc::new(mover.back(slopes)?)),
        Op::Take { axis, places } => Op::Take { axis: mover.axis(*axis)?, places: places.clone() },
        Op::Slice(slices) => {
            let turned = slices.iter().map(|slice| Some(Slice { axis: mover.axis(slice.axis)?, ..slice.clone() }));
            Op::Slice(turned.collect::<Option<_>>()?)
        }
        Op::Pair(pair) if !pair.is_comparison() => Op::Pair(*pair),
        Op::Extreme { is_max } => Op::Extreme { is_max: *is_max },
        Op::Where => Op::Where,
        Op::Clamp { low, high } => Op::Clamp { low: *low, high: *high },
        Op::Affine { scale, shift } => Op::Affine { scale: mover.back(scale)?, shift: mover.back(shift)? },
        Op::Threshold { at, inclusive, below, above } => {
            Op::Threshold { at: of_channels(at)?, inclusive: *inclusive, below: *below, above: *above }
        }
        Op::Cut { at, inclusive, below, above } => {
            Op::Cut { at: of_channels(at)?, inclusive: *inclusive, below: *below, above: *above }
        }
        Op::Sign { at } => Op::Sign { at: of_channels(at)? },
        Op::Concat { axis } => Op::Concat { axis: mover.axis(*axis)? },
        _ => return None,
    };
    let computed = Node { fact: Rc::new(Fact { kind: node.fact.kind, dims }), ..node.with_op(op) };
    Some(Patch { replaced: id, inputs, chain: vec![computed, node.with_op(mover.op())], became: Vec::new() })
}

/// Sums or means over axes as they are before numbers are moved, and what moves the sums.
fn reduced(
    node: &Node,
    (axes, keeps): (Vec<usize>, bool),
    op: impl Fn(Vec<usize>) -> Op,
    (mover, from): (&Mover<'_>, &[usize]),
) -> Option<Vec<Node>> {
    let of_axis = |(axis, size): (usize, &usize)| if axes.contains(&axis) { keeps.then_some(1) } else { Some(*size) };
    let dims: Vec<usize> = from.iter().enumerate().filter_map(of_axis).collect();
    let moves = match mover {
        Mover::Order(order) if !keeps => {
            let left = order.iter().filter(|axis| !axes.contains(axis));
            left.is_sorted().then(Vec::new)?
        }
        _ if dims == node.fact.dims => Vec::new(),
        _ => vec![node.with_op(mover.op())],
    };
    let computed = Node { fact: Rc::new(Fact { kind: node.fact.kind, dims }), ..node.with_op(op(axes)) };
    Some([vec![computed], moves].concat())
}

/// Whether a node better computes its numbers with the sizes before a change of them: maps on the array, if there are any.
fn are_better_before(seen: &Seen<'_>, (id, node): (Id, &Node), (from, to): (&[usize], &[usize])) -> bool {
    match &*node.op {
        Op::Reduce { .. } => true,
        // On the controller these cost nothing.
        Op::Pair(_) | Op::Extreme { .. } | Op::Concat { .. } | Op::Take { .. } | Op::Slice(_) => {
            needs_maps(seen, id, true)
        }
        _ => from.len() == 4 && (to.len() > 2 || needs_maps(seen, id, true)),
    }
}
