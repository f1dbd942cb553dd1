//! Moves what surrounds maps into the convolution or pooling that reads them.

use cain_network::{Padding, Reach};

use super::seen::{Seen, channels};
use crate::axes;
use crate::bounds::is_positive;
use crate::graph::{Became, Graph, Id, Node, Patch};
use crate::op::{Convolution, Op};
use crate::tensor::Tensor;

pub(super) fn taken_over(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let padded = seen.graph.node(*node.inputs.first()?)?;
    let Op::Pad(zeros) = *padded.op else { return None };
    let op = with(seen.graph, &node.op, *padded.inputs.first()?, zeros)?;
    let became = padded.origin.map(|origin| (origin, Became::Text("part of the layer behind it")));
    let became = became.into_iter().collect();
    Some(Patch { replaced: id, inputs: padded.inputs.clone(), chain: vec![node.with_op(op)], became })
}

/// The operation that reads maps without the zeros around them and pads them itself; `None` if that is not possible.
fn with(graph: &Graph, op: &Op, maps: Id, zeros: Padding) -> Option<Op> {
    let size = match *graph.node(maps)?.fact.dims.as_slice() {
        [_, _, height, width] => (height, width),
        _ => return None,
    };
    // Pooling makes nothing of windows in the padding.
    let reads_pixels = |reach: &Reach| reach.pixels_within(size).is_some_and(|of| !of.concat().contains(&0));
    match op {
        Op::Convolution(convolution) => {
            let reach = around(convolution.reach, zeros);
            Some(Op::Convolution(Convolution { reach, ..convolution.clone() }))
        }
        Op::Pad(padding) => Some(Op::Pad(sum(*padding, zeros))),
        // Zeros are never larger than these values.
        Op::MaxPool(reach) if is_positive(graph, maps) => {
            Some(around(*reach, zeros)).filter(reads_pixels).map(Op::MaxPool)
        }
        // Zeros of earlier padding count as pixels.
        Op::MeanPool { reach, count_padding } if *count_padding || reach.padding.is_none() => {
            let reach = Some(around(*reach, zeros)).filter(reads_pixels)?;
            Some(Op::MeanPool { reach, count_padding: true })
        }
        _ => None,
    }
}

/// Moves the summand of padded maps, which stands for another number around them than 0, behind a convolution or pooling.
pub(super) fn shifted(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let shifted = seen.graph.node(*node.inputs.first()?)?;
    let Op::Affine { scale, shift } = &*shifted.op else { return None };
    let padded = *shifted.inputs.first()?;
    let is_one = scale.values.iter().all(|scale| *scale == 1.0);
    if !matches!(seen.graph.op(padded), Some(Op::Pad(_))) || !is_one {
        return None;
    }
    // It is the same for all pixels.
    let summand = || Some(Op::Affine { scale: Tensor::scalar(1.0), shift: Tensor::scalar(shift.single()?) });
    let chain = match &*node.op {
        Op::Convolution(convolution) if convolution.reach.padding.is_none() => {
            let shifts = axes::channels(shift, channels(shifted)?).ok()?;
            vec![node.with_op(Op::Convolution(convolution.behind(&shifts)))]
        }
        Op::MaxPool(reach) => vec![node.with_op(Op::MaxPool(*reach)), node.with_op(summand()?)],
        Op::MeanPool { reach, count_padding } if !count_padding || reach.padding.is_none() => {
            let mean = Op::MeanPool { reach: *reach, count_padding: *count_padding };
            vec![node.with_op(mean), node.with_op(summand()?)]
        }
        _ => return None,
    };
    Some(Patch { replaced: id, inputs: vec![padded], chain, became: Vec::new() })
}

fn around(reach: Reach, zeros: Padding) -> Reach {
    Reach { padding: sum(reach.padding, zeros), ..reach }
}

fn sum(a: Padding, b: Padding) -> Padding {
    Padding { top: a.top + b.top, left: a.left + b.left, bottom: a.bottom + b.bottom, right: a.right + b.right }
}
