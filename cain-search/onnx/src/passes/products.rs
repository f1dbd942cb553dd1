//! Simplifies products with a matrix.

use std::rc::Rc;

use cain_network::{MOST_CHANNELS, Padding, Reach};

use super::moves::{origins, place_before_all};
use super::seen::{Seen, maps};
use crate::graph::{Fact, Id, Node, Patch};
use crate::numbers::check_numbers;
use crate::op::{Convolution, Op};
use crate::tensor::Tensor;

/// Replaces the product of a matrix with the channels of each pixel, which stand along the last axis, by a convolution with kernels
/// of one pixel.
pub(super) fn over_channels(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (Op::Dense(dense), [input]) = (&*node.op, node.inputs.as_slice()) else { return None };
    let (inputs, outputs) = dense.sizes();
    let read = seen.graph.node(*input)?;
    let rows = read.fact.dims.iter().product::<usize>() / inputs.max(1);
    if rows == 1 || outputs > MOST_CHANNELS || check_numbers(rows * inputs.max(outputs)).is_err() {
        return None;
    }
    let is_of_channels = |(from, moves): &(Id, Vec<&Node>)| {
        let (channels, height, width) = maps(seen.graph.node(*from)?)?;
        if (channels, height * width) != (inputs, rows) {
            return None;
        }
        let is_own = |(row, input): (usize, usize)| {
            place_before_all(seen.graph, moves, row * inputs + input) == Some(input * rows + row)
        };
        let all = (0..rows).flat_map(|row| (0..inputs).map(move |input| (row, input)));
        all.into_iter().all(is_own).then_some((*from, (height, width)))
    };
    let (from, (height, width)) = origins(seen.graph, read).iter().rev().find_map(is_of_channels)?;
    let weight = |place: usize| dense.weight(place % inputs, place / inputs);
    let weights = Tensor {
        kind: dense.weights.kind,
        dims: vec![outputs, inputs, 1, 1],
        values: (0..outputs * inputs).map(weight).collect(),
    };
    let reach = Reach { size: (1, 1), stride: (1, 1), dilation: (1, 1), padding: Padding::NONE };
    let (scale, bias) = (vec![1.0; outputs], dense.bias.clone());
    let convolution = Convolution { weights: Rc::new(weights), groups: 1, scale, bias, reach };
    let of = |op: Op, dims: Vec<usize>| Node { fact: Rc::new(Fact { kind: node.fact.kind, dims }), ..node.with_op(op) };
    let chain = vec![
        of(Op::Convolution(convolution), vec![1, outputs, height, width]),
        of(Op::Transpose { order: vec![0, 2, 3, 1] }, vec![1, height, width, outputs]),
        node.with_op(Op::Reshape),
    ];
    Some(Patch { replaced: id, inputs: vec![from], chain, became: Vec::new() })
}
