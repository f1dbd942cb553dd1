//! Moves factors and summands: into each other, into the nodes before them, and into thresholds behind them.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::seen::{Seen, channels, needs_maps};
use crate::axes;
use crate::graph::{Became, Fact, Id, Node, Patch};
use crate::kind::Kind;
use crate::op::{Convolution, Op};
use crate::tensor::Tensor;

/// The factor and the summand of a node, if other nodes can absorb them without a change of type or sizes.
fn factors<'n>(seen: &Seen<'_>, node: &'n Node) -> Option<(&'n Tensor, &'n Tensor)> {
    match &*node.op {
        Op::Affine { scale, shift } if node.fact.kind.is_float() => seen.alike(node).map(|_| (scale, shift)),
        _ => None,
    }
}

/// The factor and the summand of each channel.
pub(super) fn of_channels(seen: &Seen<'_>, node: &Node) -> Option<(Vec<f64>, Vec<f64>)> {
    let (scale, shift) = factors(seen, node)?;
    let count = channels(node)?;
    axes::channels(scale, count).ok().zip(axes::channels(shift, count).ok())
}

/// The factor and the summand, if all channels share them.
fn uniform((scale, shift): &(Vec<f64>, Vec<f64>)) -> Option<(f64, f64)> {
    let all = |list: &[f64]| list.iter().all(|other| Some(other) == list.first());
    if all(scale) && all(shift) { scale.first().copied().zip(shift.first().copied()) } else { None }
}

fn list(values: Vec<f64>) -> Tensor {
    Tensor { kind: Kind::Double, dims: vec![values.len(), 1, 1], values }
}

/// Merges a chain of factors whose inner nodes have no other reader.
pub(super) fn merged(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    factors(seen, node)?;
    let only_reader = |id: Id| match seen.readers.get(id)?.as_slice() {
        [Some(reader)] => seen.graph.node(*reader),
        _ => None,
    };
    // The last node of a chain absorbs the whole chain.
    if only_reader(id).is_some_and(|reader| factors(seen, reader).is_some()) {
        return None;
    }
    let mut all = vec![node];
    let (mut input, mut before) = seen.alike(node)?;
    while factors(seen, before).is_some() && seen.is_alone(input) {
        all.push(before);
        (input, before) = seen.alike(before)?;
    }
    if all.len() == 1 {
        return None;
    }
    let mut composed: Option<(Tensor, Tensor)> = None;
    for node in all.iter().rev() {
        let (scale, shift) = factors(seen, node)?;
        composed = Some(match composed {
            None => (scale.clone(), shift.clone()),
            Some((inner_scale, inner_shift)) => {
                let scaled = scale.combine(&inner_shift, |scale, inner| scale * inner).ok()?;
                let shift = shift.combine(&scaled, |shift, scaled| shift + scaled).ok()?;
                (scale.combine(&inner_scale, |scale, inner| scale * inner).ok()?, shift)
            }
        });
    }
    let (scale, shift) = composed?;
    let into = node.origin?;
    let became = all.iter().skip(1).filter_map(|node| Some((node.origin?, Became::Into(into)))).collect();
    Some(Patch { replaced: id, inputs: vec![input], chain: vec![node.with_op(Op::Affine { scale, shift })], became })
}

/// Whether all readers of scaled maps can absorb the factors: thresholds and read-outs do.
fn are_absorbed(seen: &Seen<'_>, id: Id, node: &Node) -> bool {
    let readers = seen.readers.get(id).map(Vec::as_slice).unwrap_or_default();
    let Some(readers) = readers.iter().copied().collect::<Option<Vec<Id>>>() else { return false };
    let (read_outs, others): (Vec<Id>, Vec<Id>) = readers.into_iter().partition(|reader| is_read_out(seen, *reader));
    if others.is_empty() {
        return !read_outs.is_empty();
    }
    let is_threshold = |id: &Id| matches!(seen.graph.op(*id), Some(Op::Threshold { .. } | Op::Sign { .. }));
    others.iter().all(is_threshold) && can_move(seen, node)
}

/// Whether the controller takes what a node makes of maps: their sums, or their numbers in other places. Parts of maps are
/// maps themselves where the array reads them.
fn is_read_out(seen: &Seen<'_>, id: Id) -> bool {
    let mut waiting = vec![id];
    let mut known = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        match seen.graph.op(id) {
            Some(Op::Reduce { .. }) => {}
            Some(Op::Reshape | Op::Transpose { .. }) if !needs_maps(seen, id, true) => {}
            Some(Op::Slice(_)) => {
                let readers = seen.readers.get(id).map(Vec::as_slice).unwrap_or_default();
                let Some(readers) = readers.iter().copied().collect::<Option<Vec<Id>>>() else { return false };
                waiting.extend(readers.into_iter().filter(|reader| known.insert(*reader)));
            }
            _ => return false,
        }
    }
    true
}

/// Whether thresholds can be moved instead of scaling maps; this may require kernels to change their sign.
fn can_move(seen: &Seen<'_>, node: &Node) -> bool {
    let Some((scale, _)) = of_channels(seen, node) else { return false };
    has_one_sign(&scale) || (scale.iter().all(|scale| *scale != 0.0) && convolution(seen, node).is_some())
}

fn has_one_sign(scale: &[f64]) -> bool {
    scale.iter().all(|scale| *scale > 0.0) || scale.iter().all(|scale| *scale < 0.0)
}

/// The convolution before a node, if nothing else reads it.
fn convolution<'s>(seen: &'s Seen<'_>, node: &Node) -> Option<(&'s Node, &'s Convolution)> {
    let (id, before) = seen.alike(node)?;
    match &*before.op {
        Op::Convolution(convolution) if seen.is_alone(id) => Some((before, convolution)),
        _ => None,
    }
}

/// Moves the thresholds behind scaled maps, so that the maps need no factors.
pub(super) fn behind(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    if let Op::Affine { .. } = &*node.op {
        return with_one_sign(seen, id, node);
    }
    let (Op::Threshold { at, .. } | Op::Sign { at }) = &*node.op else { return None };
    let (scaled, affine) = seen.alike(node)?;
    let (scale, shift) = of_channels(seen, affine)?;
    if !are_absorbed(seen, scaled, affine) || !has_one_sign(&scale) {
        return None;
    }
    let is_exchanged = scale.iter().any(|scale| *scale < 0.0);
    let at = at.iter().zip(&scale).zip(&shift).map(|((at, scale), shift)| (at - shift) / scale).collect();
    let chain = match *node.op {
        Op::Threshold { inclusive, below, above, .. } if is_exchanged => {
            vec![node.with_op(Op::Threshold { at, inclusive: !inclusive, below: above, above: below })]
        }
        Op::Threshold { inclusive, below, above, .. } => {
            vec![node.with_op(Op::Threshold { at, inclusive, below, above })]
        }
        _ if is_exchanged => {
            let negative = Op::Affine { scale: Tensor::scalar(-1.0), shift: Tensor::scalar(0.0) };
            vec![node.with_op(Op::Sign { at }), node.with_op(negative)]
        }
        _ => vec![node.with_op(Op::Sign { at })],
    };
    let became = affine.origin.map(|origin| (origin, Became::Text("moves the thresholds behind it")));
    Some(Patch { replaced: id, inputs: affine.inputs.clone(), chain, became: became.into_iter().collect() })
}

/// Changes the sign of the kernels of channels that have a negative factor, if thresholds follow.
fn with_one_sign(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (scale, shift) = of_channels(seen, node)?;
    let is_threshold = |op: &&Op| matches!(op, Op::Threshold { .. } | Op::Sign { .. });
    let has_threshold = seen.reader_ops(id).is_some_and(|ops| ops.iter().any(is_threshold));
    if !has_threshold || has_one_sign(&scale) || !are_absorbed(seen, id, node) {
        return None;
    }
    let (before, convolution) = convolution(seen, node)?;
    let signs = scale.iter().map(|scale| scale.signum()).collect();
    let chain = vec![
        before.with_op(Op::Convolution(scaled(convolution, &(signs, vec![0.0; scale.len()])))),
        node.with_op(Op::Affine { scale: list(scale.into_iter().map(f64::abs).collect()), shift: list(shift) }),
    ];
    Some(Patch { replaced: id, inputs: before.inputs.clone(), chain, became: Vec::new() })
}

fn scaled(convolution: &Convolution, (scale, shift): &(Vec<f64>, Vec<f64>)) -> Convolution {
    let own = convolution.scale.iter().zip(scale).map(|(own, scale)| own * scale).collect();
    let bias = convolution.bias.iter().zip(scale).zip(shift).map(|((bias, scale), shift)| bias * scale + shift);
    Convolution { scale: own, bias: bias.collect(), ..convolution.clone() }
}

/// Merges factors into the convolution, the threshold or the picture before them, if nothing else reads it. Parts that are
/// taken of its maps may be between.
pub(super) fn before(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let of_channels = of_channels(seen, node)?;
    let (mut input, mut before) = seen.alike(node)?;
    let mut parts = Vec::new();
    while let Op::Slice(_) = &*before.op
        && seen.is_alone(input)
    {
        parts.push(before);
        input = *before.inputs.first()?;
        before = seen.graph.node(input)?;
    }
    let is_image = matches!(*before.op, Op::Image { .. });
    if !seen.is_alone(input) || (are_absorbed(seen, id, node) && !is_image) {
        return None;
    }
    let of_all = match uniform(&of_channels) {
        Some((scale, shift)) => channels(before).map(|count| (vec![scale; count], vec![shift; count]))?,
        None if parts.iter().any(|part| takes_channels(part)) => return None,
        None => of_channels,
    };
    let (op, became) = match &*before.op {
        Op::Convolution(convolution) => {
            (Op::Convolution(scaled(convolution, &of_all)), before.origin.map(Became::Into))
        }
        Op::Threshold { at, inclusive, below, above } if before.fact.kind.is_float() => {
            let (scale, shift) = uniform(&of_all)?;
            let (below, above) = (below * scale + shift, above * scale + shift);
            (Op::Threshold { at: at.clone(), inclusive: *inclusive, below, above }, before.origin.map(Became::Into))
        }
        Op::Image { scale: own, shift: first, whole } => {
            let (scale, shift) = uniform(&of_all).filter(|(scale, _)| *scale != 0.0)?;
            let op = Op::Image { scale: own * scale, shift: first * scale + shift, whole: *whole };
            (op, Some(Became::Text("folded into the numbers of the image")))
        }
        _ => return None,
    };
    let became = node.origin.zip(became).into_iter().collect();
    let part = |part: &Node| {
        let fact = Fact { kind: node.fact.kind, dims: part.fact.dims.clone() };
        Node { inputs: Vec::new(), fact: Rc::new(fact), ..part.clone() }
    };
    let parts = parts.into_iter().rev().map(part);
    let chain = std::iter::once(before.with_op(op)).chain(parts).collect();
    Some(Patch { replaced: id, inputs: before.inputs.clone(), chain, became })
}

/// Whether some channels are left out of maps, or are in other places.
fn takes_channels(part: &Node) -> bool {
    matches!(&*part.op, Op::Slice(slices) if slices.iter().any(|slice| slice.axis == 1))
}
