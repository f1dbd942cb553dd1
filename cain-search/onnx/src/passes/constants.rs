//! Simplifies nodes that have a constant input, and changes of types.

use std::rc::Rc;

use super::mover::Mover;
use super::seen::{Seen, channels};
use crate::axes;
use crate::graph::{Became, Fact, Id, Node, Patch};
use crate::kind::Kind;
use crate::op::{Each, Op, Pair};
use crate::tensor::Tensor;

/// Removes a change of type that changes no number.
pub(super) fn cast(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (Op::Cast, [input]) = (&*node.op, node.inputs.as_slice()) else { return None };
    if seen.levels.get(*input)?.is_some() {
        return None;
    }
    let before = seen.graph.node(*input)?;
    let bounds = seen.whole.get(*input).copied().flatten();
    let stays =
        |kind: Kind| kind.bounds().zip(bounds).is_some_and(|((least, most), (low, high))| least <= low && high <= most);
    // What is exact in whole numbers may as well be calculated in floating point.
    if let (Op::Affine { scale, shift }, true) = (&*before.op, node.fact.kind.is_float() && stays(before.fact.kind))
        && seen.is_alone(*input)
    {
        let became = before.origin.zip(node.origin).map(|(from, to)| (from, Became::Into(to))).into_iter().collect();
        let chain = vec![node.with_op(Op::Affine { scale: scale.clone(), shift: shift.clone() })];
        return Some(Patch { replaced: id, inputs: before.inputs.clone(), chain, became });
    }
    if node.fact.kind.bounds().is_some() && !stays(node.fact.kind) {
        return None;
    }
    let became = node.origin.map(|origin| (origin, Became::Text("dropped"))).into_iter().collect();
    Some(Patch { replaced: id, inputs: vec![*input], chain: Vec::new(), became })
}

/// Merges multiplications and additions of constants into factors and summands.
pub(super) fn affine(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (zero, one) = (Tensor::scalar(0.0), Tensor::scalar(1.0));
    let constant = |input: usize| seen.graph.constant(*node.inputs.get(input)?);
    let (read, scale, shift) = match (&*node.op, constant(0), constant(1)) {
        (Op::Each(Each::Neg), None, _) => (0, Tensor::scalar(-1.0), zero),
        (Op::Pair(pair), None, Some(constant)) => match pair {
            Pair::Mul => (0, (**constant).clone(), zero),
            Pair::Add => (0, one, (**constant).clone()),
            Pair::Sub => (0, one, constant.map(|value| -value)),
            Pair::Div if node.fact.kind.is_float() && !constant.values.contains(&0.0) => {
                (0, constant.map(|value| 1.0 / value), zero)
            }
            _ => return None,
        },
        (Op::Pair(pair), Some(constant), None) => match pair {
            Pair::Mul => (1, (**constant).clone(), zero),
            Pair::Add => (1, one, (**constant).clone()),
            Pair::Sub => (1, Tensor::scalar(-1.0), (**constant).clone()),
            _ => return None,
        },
        _ => return None,
    };
    let inputs = vec![*node.inputs.get(read)?];
    Some(Patch { replaced: id, inputs, chain: vec![node.with_op(Op::Affine { scale, shift })], became: Vec::new() })
}

/// Replaces a comparison of maps with constants by a threshold.
pub(super) fn threshold(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let Op::Pair(pair) = &*node.op else { return None };
    if !pair.is_comparison() {
        return None;
    }
    let &[first, second] = node.inputs.as_slice() else { return None };
    let (read, constant, is_swapped) = match (seen.graph.constant(first), seen.graph.constant(second)) {
        (None, Some(constant)) => (first, constant, false),
        (Some(constant), None) => (second, constant, true),
        _ => return None,
    };
    seen.graph.node(read).filter(|read| read.fact.dims == node.fact.dims)?;
    let (maps, at, moves) = compared(seen, read, constant)?;
    let is_greater = matches!(pair, Pair::Greater | Pair::GreaterOrEqual);
    let or_equal = matches!(pair, Pair::GreaterOrEqual | Pair::LessOrEqual);
    // With the maps on the left, `x > t` and `x <= t` have equal values below the threshold, `x >= t` and `x < t` above
    // it.
    let is_above = is_greater != is_swapped;
    let (below, above) = if is_above { (0.0, 1.0) } else { (1.0, 0.0) };
    let op = Op::Threshold { at, inclusive: is_above == or_equal, below, above };
    let dims = seen.graph.node(maps)?.fact.dims.clone();
    let made = Node { fact: Rc::new(Fact { kind: node.fact.kind, dims }), ..node.with_op(op) };
    let moved = |before: &Node| {
        let fact = Fact { kind: node.fact.kind, dims: before.fact.dims.clone() };
        Node { op: Rc::clone(&before.op), fact: Rc::new(fact), ..node.clone() }
    };
    let chain = std::iter::once(made).chain(moves.into_iter().rev().map(moved)).collect();
    Some(Patch { replaced: id, inputs: vec![maps], chain, became: Vec::new() })
}

/// The maps that are compared with a constant, the threshold of each of their channels, and what moves their numbers since, the
/// last one first.
fn compared<'s>(seen: &'s Seen<'_>, mut id: Id, constant: &Tensor) -> Option<(Id, Vec<f64>, Vec<&'s Node>)> {
    let mut constant = constant.clone();
    let mut moves = Vec::new();
    loop {
        let node = seen.graph.node(id)?;
        if let Some(at) = channels(node).and_then(|count| axes::channels(&constant, count).ok()) {
            return Some((id, at, moves));
        }
        let (before, mover) = Mover::of(seen.graph, id)?;
        constant = mover.back(&constant)?;
        moves.push(node);
        id = before;
    }
}

/// Merges the constants of a maximum or minimum into one number.
pub(super) fn clamp(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let Op::Extreme { is_max } = *node.op else { return None };
    let (constants, others): (Vec<Id>, Vec<Id>) =
        node.inputs.iter().partition(|input| seen.graph.constant(**input).is_some());
    let bounds =
        constants.iter().map(|constant| seen.graph.constant(*constant)?.single()).collect::<Option<Vec<_>>>()?;
    let bound = bounds.into_iter().reduce(if is_max { f64::max } else { f64::min })?;
    let has_sizes = |other: &Id| seen.graph.node(*other).is_some_and(|other| other.fact.dims == node.fact.dims);
    if !others.iter().all(has_sizes) {
        return None;
    }
    let (low, high) = if is_max { (Some(bound), None) } else { (None, Some(bound)) };
    let clamp = node.with_op(Op::Clamp { low, high });
    let chain = if others.len() == 1 { vec![clamp] } else { vec![node.with_op(Op::Extreme { is_max }), clamp] };
    Some(Patch { replaced: id, inputs: others, chain, became: Vec::new() })
}

/// Replaces the larger or smaller of maps and a constant with a number for each channel by a rectifier of their difference.
pub(super) fn bounded(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (Op::Extreme { is_max }, &[first, second]) = (&*node.op, node.inputs.as_slice()) else { return None };
    let (maps, bound) = match (seen.graph.constant(first), seen.graph.constant(second)) {
        (None, Some(bound)) => (first, bound),
        (Some(bound), None) => (second, bound),
        _ => return None,
    };
    let count = seen.graph.node(maps).filter(|maps| maps.fact == node.fact).and_then(channels)?;
    let (values, sign) = (axes::channels(bound, count).ok()?, if *is_max { 1.0 } else { -1.0 });
    if !node.fact.kind.is_float() || bound.single().is_some() {
        return None;
    }
    let beyond = |factor: f64| Tensor {
        kind: Kind::Double,
        dims: vec![count, 1, 1],
        values: values.iter().map(|value| value * factor).collect(),
    };
    let line = |shift: Tensor| node.with_op(Op::Affine { scale: Tensor::scalar(sign), shift });
    let chain = vec![line(beyond(-sign)), node.with_op(Op::Each(Each::Relu)), line(beyond(1.0))];
    Some(Patch { replaced: id, inputs: vec![maps], chain, became: Vec::new() })
}

/// Replaces the selection of maps where they are above or below a number, and of that number elsewhere, by a rectifier.
pub(super) fn rectifier(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (Op::Where, &[condition, yes, no]) = (&*node.op, node.inputs.as_slice()) else { return None };
    let compared = seen.graph.node(condition).filter(|compared| compared.fact.kind == Kind::Bool)?;
    let Op::Threshold { at, above, .. } = &*compared.op else { return None };
    let maps = *compared.inputs.first()?;
    let (constant, keeps_above) = match (yes == maps, no == maps) {
        (true, false) => (no, *above == 1.0),
        (false, true) => (yes, *above == 0.0),
        _ => return None,
    };
    let bound = seen.graph.constant(constant)?.single()?;
    if seen.graph.node(maps)?.fact.dims != node.fact.dims || at.iter().any(|at| *at != bound) {
        return None;
    }
    let (low, high) = if keeps_above { (Some(bound), None) } else { (None, Some(bound)) };
    let chain = vec![node.with_op(Op::Clamp { low, high })];
    let became = compared.origin.map(|origin| (origin, Became::Text("part of a rectifier")));
    Some(Patch { replaced: id, inputs: vec![maps], chain, became: became.into_iter().collect() })
}

/// Replaces the sign of maps by one with a threshold for each channel.
pub(super) fn sign(_: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let Op::Each(Each::Sign) = *node.op else { return None };
    let op = Op::Sign { at: vec![0.0; channels(node)?] };
    Some(Patch { replaced: id, inputs: node.inputs.clone(), chain: vec![node.with_op(op)], became: Vec::new() })
}
