//! Simplifies what chooses channels, and products of bits.

use super::seen::{Seen, channels};
use crate::graph::{Became, Id, Node, Patch};
use crate::numbers::check_numbers;
use crate::op::{Op, Pair};

/// Lets a convolution weight the channels as they are before some of them are taken.
pub(super) fn taken(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (Op::Convolution(convolution), [input]) = (&*node.op, node.inputs.as_slice()) else { return None };
    let taken = seen.graph.node(*input)?;
    let Op::Take { axis: 1, places } = &*taken.op else { return None };
    let all = channels(seen.graph.node(*taken.inputs.first()?)?)?;
    let (outputs, _, rows, columns) = convolution.sizes();
    check_numbers(outputs.checked_mul(all)?.checked_mul(rows * columns)?).ok()?;
    let became = taken.origin.zip(node.origin).map(|(from, to)| (from, Became::Into(to))).into_iter().collect();
    let chain = vec![node.with_op(Op::Convolution(convolution.of_channels(all, places)))];
    Some(Patch { replaced: id, inputs: taken.inputs.clone(), chain, became })
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
