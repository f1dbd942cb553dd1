//! Bounds of numbers that hold for any picture: their signs, and intervals of integers.

use super::graph::{Graph, Id, Node};
use super::op::{Each, Op, Pair};
use super::tensor::{Tensor, count};

/// The least and the largest number that each node makes, if all of them are integers.
pub(crate) fn whole(graph: &Graph) -> Vec<Option<(f64, f64)>> {
    let mut bounds: Vec<Option<(f64, f64)>> = Vec::new();
    for node in &graph.nodes {
        let of = of(graph, node, &|id| bounds.get(id).copied().flatten());
        bounds.push(of.filter(|(low, high)| low.fract() == 0.0 && high.fract() == 0.0));
    }
    bounds
}

fn of(graph: &Graph, node: &Node, bounds: &impl Fn(Id) -> Option<(f64, f64)>) -> Option<(f64, f64)> {
    let all: Option<Vec<(f64, f64)>> = node.inputs.iter().map(|input| bounds(*input)).collect();
    let first = || all.as_ref()?.first().copied();
    let union = || Some(all.as_ref()?.iter().fold(first()?, |(a, b), (low, high)| (a.min(*low), b.max(*high))));
    match &*node.op {
        Op::Image { scale, shift, whole } => {
            let (low, high) = whole.filter(|_| scale.fract() == 0.0)?;
            Some(extremes([low * scale + shift, high * scale + shift]))
        }
        Op::Constant(tensor) => ends(tensor),
        Op::Threshold { below, above, .. } if below.fract() == 0.0 && above.fract() == 0.0 => {
            Some((below.min(*above), below.max(*above)))
        }
        Op::Sign { .. } | Op::Each(Each::Sign) => Some((-1.0, 1.0)),
        Op::Each(Each::Not) | Op::Pair(Pair::Xor) => Some((0.0, 1.0)),
        Op::ArgMax { axis } => {
            let dims = &graph.node(*node.inputs.first()?)?.fact.dims;
            Some((0.0, super::axes::number(dims.get(*axis)?.saturating_sub(1))))
        }
        Op::Affine { scale, shift } => {
            let ((low, high), (least, most), (from, to)) = (first()?, ends(scale)?, ends(shift)?);
            let (low, high) = extremes([low * least, low * most, high * least, high * most]);
            Some((low + from, high + to))
        }
        Op::Pair(pair @ (Pair::Add | Pair::Sub)) => match *all?.as_slice() {
            [(a, b), (c, d)] => Some(if *pair == Pair::Add { (a + c, b + d) } else { (a - d, b - c) }),
            _ => None,
        },
        Op::Each(Each::Relu) => first().map(|(low, high)| (low.max(0.0), high.max(0.0))),
        Op::Each(Each::Abs) => {
            let (low, high) = first()?;
            let most = low.abs().max(high.abs());
            Some((if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) }, most))
        }
        Op::Clamp { low, high } => {
            let kept = |value: f64| value.max(low.unwrap_or(value)).min(high.unwrap_or(f64::INFINITY));
            let is_whole = low.iter().chain(high).all(|bound| bound.fract() == 0.0);
            first().filter(|_| is_whole).map(|(low, high)| (kept(low), kept(high)))
        }
        Op::Pad(_) => first().map(|(low, high)| (low.min(0.0), high.max(0.0))),
        Op::Surrounded { value, .. } | Op::Around { value, .. } => {
            first().map(|(low, high)| (low.min(*value), high.max(*value)))
        }
        Op::Reduce { axes, is_mean: false, .. } => {
            let dims = &graph.node(*node.inputs.first()?)?.fact.dims;
            let summed: Vec<usize> = axes.iter().filter_map(|axis| dims.get(*axis).copied()).collect();
            let number = super::axes::number(count(&summed)?);
            first().map(|(low, high)| (low * number, high * number))
        }
        // Kept within the type.
        Op::Quantise { .. } => node.fact.kind.bounds(),
        Op::MaxPool(_)
        | Op::Slice(_)
        | Op::Take { .. }
        | Op::Phases(_)
        | Op::Transpose { .. }
        | Op::Reshape
        | Op::Cast
        | Op::Concat { .. }
        | Op::Extreme { .. } => union(),
        _ => None,
    }
}

/// The least and the largest number of a constant of integers.
fn ends(tensor: &Tensor) -> Option<(f64, f64)> {
    let is_whole = tensor.values.iter().all(|value| value.fract() == 0.0);
    let ends = extremes(tensor.values.iter().copied());
    (is_whole && !tensor.values.is_empty()).then_some(ends)
}

fn extremes(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Whether a node can make no negative numbers.
pub(crate) fn is_positive(graph: &Graph, id: Id) -> bool {
    let mut waiting = vec![id];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let Some(node) = graph.node(id) else { return false };
        if !seen.insert(id) {
            continue;
        }
        match &*node.op {
            Op::Each(Each::Relu | Each::Abs) => {}
            Op::Clamp { low: Some(low), high } if *low >= 0.0 && high.is_none_or(|high| high >= 0.0) => {}
            Op::Threshold { below, above, .. } if *below >= 0.0 && *above >= 0.0 => {}
            Op::MaxPool(_)
            | Op::MeanPool { .. }
            | Op::Extreme { .. }
            | Op::Concat { .. }
            | Op::Pad(_)
            | Op::Slice(_)
            | Op::Take { .. }
            | Op::Phases(_) => {
                waiting.extend(&node.inputs);
            }
            _ => return false,
        }
    }
    true
}
