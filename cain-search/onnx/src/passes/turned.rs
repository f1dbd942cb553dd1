//! Moves changes of the order of axes behind what computes the same in any order, until they undo each other: exporters
//! write them around each layer of models whose channels come last.

use std::rc::Rc;

use super::seen::Seen;
use crate::axes::{self, Slice};
use crate::graph::{Became, Fact, Graph, Id, Node, Patch};
use crate::op::Op;
use crate::tensor::Tensor;

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

/// Changes the order of axes behind a node instead of before it.
pub(super) fn behind(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let first = *node.inputs.first()?;
    let (_, order) = turned(seen.graph, first)?;
    let inputs =
        node.inputs.iter().map(|input| Some(turned(seen.graph, *input).filter(|(_, other)| *other == order)?.0));
    let inputs: Vec<Id> = inputs.collect::<Option<_>>()?;
    let place = |axis: &usize| order.get(*axis).copied();
    let size = |axis: usize| Some(*node.fact.dims.get(order.iter().position(|other| *other == axis)?)?);
    // Each channel has a threshold of its own.
    let of_channels = |at: &[f64]| {
        let all = at.first().filter(|first| at.iter().all(|other| other == *first))?;
        Some(vec![*all; size(1)?])
    };
    let mut is_turned_behind = true;
    let op = match &*node.op {
        Op::Each(each) => Op::Each(*each),
        Op::Cast => Op::Cast,
        Op::Quantise { scale, zero } => Op::Quantise { scale: *scale, zero: *zero },
        Op::Slopes(slopes) => Op::Slopes(Rc::new(back(slopes, order)?)),
        Op::Take { axis, places } => Op::Take { axis: place(axis)?, places: places.clone() },
        Op::Slice(slices) => {
            let turned = slices.iter().map(|slice| Some(Slice { axis: place(&slice.axis)?, ..slice.clone() }));
            Op::Slice(turned.collect::<Option<_>>()?)
        }
        Op::Pair(pair) if !pair.is_comparison() => Op::Pair(*pair),
        Op::Extreme { is_max } => Op::Extreme { is_max: *is_max },
        Op::Clamp { low, high } => Op::Clamp { low: *low, high: *high },
        Op::Affine { scale, shift } => Op::Affine { scale: back(scale, order)?, shift: back(shift, order)? },
        Op::Threshold { at, inclusive, below, above } => {
            Op::Threshold { at: of_channels(at)?, inclusive: *inclusive, below: *below, above: *above }
        }
        Op::Sign { at } => Op::Sign { at: of_channels(at)? },
        Op::Concat { axis } => Op::Concat { axis: place(axis)? },
        Op::Reduce { axes, is_mean, keeps } => {
            let left: Vec<usize> =
                order.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, from)| *from).collect();
            is_turned_behind = *keeps;
            if !keeps && !left.is_sorted() {
                return None;
            }
            Op::Reduce { axes: axes.iter().map(place).collect::<Option<_>>()?, is_mean: *is_mean, keeps: *keeps }
        }
        _ => return None,
    };
    if !is_turned_behind {
        return Some(Patch { replaced: id, inputs, chain: vec![node.with_op(op)], became: Vec::new() });
    }
    // Constants may raise the number of axes.
    if node.fact.dims.len() != order.len() {
        return None;
    }
    let dims = (0..order.len()).map(size).collect::<Option<_>>()?;
    let computed = Node { fact: Rc::new(Fact { kind: node.fact.kind, dims }), ..node.with_op(op) };
    let back = node.with_op(Op::Transpose { order: order.to_vec() });
    Some(Patch { replaced: id, inputs, chain: vec![computed, back], became: Vec::new() })
}

/// Leaves out the axis of a single channel behind a node instead of before it, if the node has one constant for all numbers.
pub(super) fn channel(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (_, before) = seen.alike(node)?;
    let (Op::Reshape, [map], [_]) = (&*before.op, before.inputs.as_slice(), node.inputs.as_slice()) else {
        return None;
    };
    let dims = seen.graph.node(*map)?.fact.dims.clone();
    match (dims.as_slice(), node.fact.dims.as_slice()) {
        (&[1, 1, height, width], &[1, rows, columns]) if (height, width) == (rows, columns) => {}
        _ => return None,
    }
    let op = match &*node.op {
        Op::Each(each) => Op::Each(*each),
        Op::Cast => Op::Cast,
        Op::Clamp { low, high } => Op::Clamp { low: *low, high: *high },
        Op::Affine { scale, shift } => {
            Op::Affine { scale: Tensor::scalar(scale.single()?), shift: Tensor::scalar(shift.single()?) }
        }
        _ => return None,
    };
    let computed = Node { fact: Rc::new(Fact { kind: node.fact.kind, dims }), ..node.with_op(op) };
    let chain = vec![computed, node.with_op(Op::Reshape)];
    Some(Patch { replaced: id, inputs: vec![*map], chain, became: Vec::new() })
}

/// What a change of the order of axes reads, and the order.
fn turned(graph: &Graph, id: Id) -> Option<(Id, &[usize])> {
    let node = graph.node(id)?;
    match &*node.op {
        Op::Transpose { order } => Some((*node.inputs.first()?, order)),
        _ => None,
    }
}

/// A constant with its axes as they are before they are brought to this order; missing ones have size 1.
fn back(constant: &Tensor, order: &[usize]) -> Option<Tensor> {
    let missing = order.len().checked_sub(constant.dims.len())?;
    let dims = [vec![1; missing], constant.dims.clone()].concat();
    let mut inverse = vec![0; order.len()];
    for (place, axis) in order.iter().enumerate() {
        *inverse.get_mut(*axis)? = place;
    }
    let (places, dims) = axes::reordered(&dims, &inverse);
    let values = places.into_iter().map(|place| constant.values.get(place).copied()).collect::<Option<_>>()?;
    Some(Tensor { kind: constant.kind, dims, values })
}
