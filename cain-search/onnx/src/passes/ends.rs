//! The least and the largest numbers that nodes may make of any picture.

use crate::graph::{Graph, Id, Node};
use crate::op::{Convolution, Each, Line, Op, Pair};
use crate::picture;
use crate::tensor::Tensor;

/// The least and the largest number.
type Ends = (f64, f64);

/// The least and the largest number that a node may make of pictures with these numbers for black and white; `None` if they are not
/// known.
pub(super) fn of(graph: &Graph, id: Id, range: Option<Ends>) -> Option<Ends> {
    let mut all: Vec<Option<Ends>> = Vec::new();
    for node in graph.nodes.iter().take(id + 1) {
        let ends = of_node(node, range, &|id| all.get(id).copied().flatten());
        all.push(ends.filter(|(low, high)| low.is_finite() && high.is_finite()));
    }
    all.pop().flatten()
}

fn of_node(node: &Node, range: Option<Ends>, ends: &dyn Fn(Id) -> Option<Ends>) -> Option<Ends> {
    let first = || ends(*node.inputs.first()?);
    let with_zero = |(low, high): Ends| (low.min(0.0), high.max(0.0));
    match &*node.op {
        Op::Image { scale, shift, .. } => {
            let (black, white) = range.or_else(|| picture::own_range(node.fact.kind, (*scale, *shift)))?;
            Some(union([black, white].map(|end| point(end * scale + shift))))
        }
        Op::Constant(tensor) => of_numbers(tensor),
        Op::Affine { scale, shift } => {
            let (scaled, shift) = (product(first()?, of_numbers(scale)?), of_numbers(shift)?);
            Some((scaled.0 + shift.0, scaled.1 + shift.1))
        }
        Op::Convolution(convolution) => {
            let read = first()?;
            convolved(convolution, if convolution.reach.padding.is_none() { read } else { with_zero(read) })
        }
        Op::Pair(pair @ (Pair::Add | Pair::Sub)) => {
            let [first, second] = *node.inputs.as_slice() else { return None };
            let ((low, high), (least, most)) = (ends(first)?, ends(second)?);
            Some(if *pair == Pair::Add { (low + least, high + most) } else { (low - most, high - least) })
        }
        Op::Each(each) => of_each(*each, first),
        Op::Clamp { low, high } => {
            let bounded = |end: f64| end.max(low.unwrap_or(end)).min(high.unwrap_or(f64::INFINITY));
            first().map(|(least, most)| (bounded(least), bounded(most)))
        }
        Op::Threshold { below, above, .. } => Some(union([point(*below), point(*above)])),
        Op::Cut { below, above, .. } => {
            let (low, high) = first()?;
            let lines = [below, above].map(|line: &Line| union([low, high].map(|end| point(line.of(end)))));
            Some(union(lines))
        }
        Op::Sign { .. } => Some((-1.0, 1.0)),
        Op::Pad(_) | Op::MeanPool { count_padding: true, .. } => first().map(with_zero),
        Op::Surrounded { value, .. } | Op::Around { value, .. } => first().map(|ends| union([ends, point(*value)])),
        Op::MaxPool(_)
        | Op::MeanPool { .. }
        | Op::Slice(_)
        | Op::Take { .. }
        | Op::Phases(_)
        | Op::Transpose { .. }
        | Op::Reshape
        | Op::Concat { .. }
        | Op::Extreme { .. } => {
            Some(union(node.inputs.iter().map(|input| ends(*input)).collect::<Option<Vec<Ends>>>()?))
        }
        _ => None,
    }
}

fn of_each(each: Each, read: impl Fn() -> Option<Ends>) -> Option<Ends> {
    match each {
        Each::Sign | Each::Tanh => Some((-1.0, 1.0)),
        Each::Not | Each::Sigmoid => Some((0.0, 1.0)),
        Each::Relu => read().map(|(low, high)| (low.max(0.0), high.max(0.0))),
        Each::Neg => read().map(|(low, high)| (-high, -low)),
        Each::Abs => read().map(|(low, high)| (0.0, high.max(-low))),
        Each::Leaky { alpha } => {
            let of = |end: f64| point(if end < 0.0 { end * alpha } else { end });
            read().map(|(low, high)| union([of(low), of(high), point(0.0)]))
        }
        Each::Sqrt | Each::Round | Each::Floor | Each::Ceil => None,
    }
}

/// The ends of sums of numbers from `read`, which has 0 if there are zeros around the maps.
fn convolved(convolution: &Convolution, read: Ends) -> Option<Ends> {
    let (outputs, inputs, rows, columns) = convolution.sizes();
    let count = (inputs * rows * columns).max(1);
    let kernels = convolution.weights.values.chunks(count).take(outputs);
    let channels = kernels.zip(convolution.scale.iter().zip(&convolution.bias)).map(|(kernel, (scale, bias))| {
        let sum = kernel.iter().fold(point(0.0), |(low, high), weight| {
            let (least, most) = product(read, point(weight * scale));
            (low + least, high + most)
        });
        (sum.0 + bias, sum.1 + bias)
    });
    let all: Vec<Ends> = channels.collect();
    (!all.is_empty()).then(|| union(all))
}

fn of_numbers(tensor: &Tensor) -> Option<Ends> {
    (!tensor.values.is_empty()).then(|| union(tensor.values.iter().copied().map(point)))
}

const fn point(number: f64) -> Ends {
    (number, number)
}

fn product(a: Ends, b: Ends) -> Ends {
    union([a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1].map(point))
}

fn union(all: impl IntoIterator<Item = Ends>) -> Ends {
    all.into_iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (least, most)| (low.min(least), high.max(most)))
}
