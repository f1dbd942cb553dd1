//! Simplifies what chooses channels, and products of bits.

use super::seen::Seen;
use crate::axes;
use crate::graph::{Became, Id, Node, Patch};
use crate::numbers::check_numbers;
use crate::op::{Op, Pair};

/// Replaces a change of sizes that takes an axis apart, another order of these parts, and a change of sizes back, by the places
/// along that axis: so channels of several groups are shuffled.
pub(super) fn shuffled(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let turned = seen.graph.node(*node.inputs.first()?)?;
    let apart = seen.graph.node(*turned.inputs.first()?)?;
    let (Op::Reshape, Op::Transpose { order }, Op::Reshape) = (&*node.op, &*turned.op, &*apart.op) else {
        return None;
    };
    let (sizes, parts) = (&node.fact.dims, &apart.fact.dims);
    if seen.graph.node(*apart.inputs.first()?)?.fact.dims != *sizes {
        return None;
    }
    let is_moved = |axis: &usize| order.get(*axis) != Some(axis);
    let (first, last) = ((0..order.len()).find(is_moved)?, (0..order.len()).rfind(is_moved)?);
    let (moved, behind) = (parts.get(first..=last)?, parts.get(last + 1..)?);
    let (own, others) = sizes.get(first..)?.split_first()?;
    let is_one_axis = sizes.get(..first) == parts.get(..first) && others == behind;
    if !is_one_axis || *own != moved.iter().product::<usize>() {
        return None;
    }
    check_numbers(*own).ok()?;
    let order: Vec<usize> = order.get(first..=last)?.iter().map(|axis| axis - first).collect();
    let (places, _) = axes::reordered(moved, &order);
    let into = |from: &Node| Some((from.origin?, Became::Into(node.origin?)));
    let became = [turned, apart].into_iter().filter_map(into).collect();
    let chain = vec![node.with_op(Op::Take { axis: first, places })];
    Some(Patch { replaced: id, inputs: apart.inputs.clone(), chain, became })
}

/// Replaces the product of two bits by the smaller one.
pub(super) fn product(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (Op::Pair(Pair::Mul), [_, _]) = (&*node.op, node.inputs.as_slice()) else { return None };
    let is_bit = |input: &Id| {
        let bounds = seen.whole.get(*input).copied().flatten();
        let has_sizes = seen.graph.node(*input).is_some_and(|read| read.fact.dims == node.fact.dims);
        has_sizes && bounds.is_some_and(|(low, high)| low >= 0.0 && high <= 1.0)
    };
    if !node.inputs.iter().all(is_bit) || node.inputs.iter().any(|input| seen.graph.constant(*input).is_some()) {
        return None;
    }
    let chain = vec![node.with_op(Op::Extreme { is_max: false })];
    Some(Patch { replaced: id, inputs: node.inputs.clone(), chain, became: Vec::new() })
}
