//! Moves what surrounds maps into the convolution or pooling that reads them.

use std::rc::Rc;

use cain_network::{MOST_CHANNELS, Padding, Reach};

use super::ends;
use super::seen::{Seen, channels};
use crate::axes;
use crate::bounds::is_positive;
use crate::graph::{Became, Fact, Graph, Id, Node, Patch};
use crate::kind::Kind;
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
    let size = size(graph, maps)?;
    let reads_pixels = |reach: &Reach| reads_pixels(reach, size);
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

/// Lets pooling pad maps itself that are padded with a number which is less than all of theirs.
pub(super) fn pooled(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let padded = seen.graph.node(*node.inputs.first()?)?;
    let (Op::MaxPool(reach), Op::Surrounded { padding, value }) = (&*node.op, &*padded.op) else { return None };
    let maps = *padded.inputs.first()?;
    let is_less = *value == f64::NEG_INFINITY || ends::of(seen.graph, maps, seen.range)?.0 >= *value;
    let reach = around(*reach, *padding);
    if !is_less || !reads_pixels(&reach, size(seen.graph, maps)?) {
        return None;
    }
    let became = padded.origin.map(|origin| (origin, Became::Text("part of the layer behind it")));
    let chain = vec![node.with_op(Op::MaxPool(reach))];
    Some(Patch { replaced: id, inputs: padded.inputs.clone(), chain, became: became.into_iter().collect() })
}

/// Shifts maps that are padded with a number so that it is 0, and shifts them back.
pub(super) fn apart(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let Op::Surrounded { padding, value } = *node.op else { return None };
    if !value.is_finite() {
        return None;
    }
    let maps = seen.graph.node(*node.inputs.first()?)?;
    let shifted = |shift: f64| Op::Affine { scale: Tensor::scalar(1.0), shift: Tensor::scalar(shift) };
    let before = Node { fact: Rc::clone(&maps.fact), ..node.with_op(shifted(-value)) };
    let chain = vec![before, node.with_op(Op::Pad(padding)), node.with_op(shifted(value))];
    Some(Patch { replaced: id, inputs: node.inputs.clone(), chain, became: Vec::new() })
}

/// Puts a number around maps, and among their channels, where an array has the axes of maps.
pub(super) fn of_maps(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let Op::Around { sides, value } = &*node.op else { return None };
    let maps = seen.graph.node(*node.inputs.first()?)?;
    let (&[1, channels, height, width], &[(0, 0), (before, after), (top, bottom), (left, right)]) =
        (maps.fact.dims.as_slice(), sides.as_slice())
    else {
        return None;
    };
    let outputs = before + channels + after;
    let has_channels = outputs > channels;
    let padding = Padding { top, left, bottom, right };
    let is_allowed = !has_channels || (value.is_finite() && outputs <= MOST_CHANNELS);
    if !is_allowed || (*value != 0.0 && !padding.is_none() && !node.fact.kind.is_float()) {
        return None;
    }
    let mut chain = Vec::new();
    if has_channels {
        let fact = Rc::new(Fact { kind: node.fact.kind, dims: vec![1, outputs, height, width] });
        let op = Op::Convolution(among_channels((before, channels, after), *value));
        chain.push(Node { fact, ..node.with_op(op) });
    }
    if !padding.is_none() {
        chain.push(node.with_op(Op::around_maps(padding, *value)));
    }
    Some(Patch { replaced: id, inputs: node.inputs.clone(), chain, became: Vec::new() })
}

/// Makes maps with others before and after them that have one number everywhere.
fn among_channels((before, channels, after): (usize, usize, usize), value: f64) -> Convolution {
    let outputs = before + channels + after;
    let is_own = |output: usize| (before..before + channels).contains(&output);
    let weight = |place: usize| f64::from(u8::from(place / channels == place % channels + before));
    let values = (0..outputs * channels).map(weight).collect();
    let weights = Rc::new(Tensor { kind: Kind::Float, dims: vec![outputs, channels, 1, 1], values });
    let bias = (0..outputs).map(|output| if is_own(output) { 0.0 } else { value }).collect();
    let reach = Reach { size: (1, 1), stride: (1, 1), dilation: (1, 1), padding: Padding::NONE };
    Convolution { weights, groups: 1, scale: vec![1.0; outputs], bias, reach }
}

/// The rows and columns of maps.
fn size(graph: &Graph, maps: Id) -> Option<(usize, usize)> {
    match *graph.node(maps)?.fact.dims.as_slice() {
        [_, _, height, width] => Some((height, width)),
        _ => None,
    }
}

/// Whether each window has a pixel of maps of this size: pooling makes nothing of windows in the padding.
fn reads_pixels(reach: &Reach, size: (usize, usize)) -> bool {
    reach.pixels_within(size).is_some_and(|of| !of.concat().contains(&0))
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
