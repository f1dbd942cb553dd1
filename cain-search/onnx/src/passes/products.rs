//! Simplifies products with a matrix.

use std::rc::Rc;

use cain_network::{MOST_CHANNELS, Padding, Reach};

use super::moves::{origins, place_before_all};
use super::seen::{Seen, maps};
use crate::graph::{Fact, Id, Node, Patch};
use crate::numbers::check_numbers;
use crate::op::{Convolution, Op};
use crate::phases::Phases;
use crate::tensor::Tensor;

/// Replaces the product of a matrix with the channels of each pixel, or with the pixels of each block of maps, which stand along the
/// last axis, by a convolution with kernels of one pixel.
pub(super) fn over_channels(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (Op::Dense(dense), [input]) = (&*node.op, node.inputs.as_slice()) else { return None };
    let (inputs, outputs) = dense.sizes();
    let read = seen.graph.node(*input)?;
    let rows = read.fact.dims.iter().product::<usize>() / inputs.max(1);
    if rows == 1 || outputs > MOST_CHANNELS || check_numbers(rows * inputs.max(outputs)).is_err() {
        return None;
    }
    let found = |(from, moves): &(Id, Vec<&Node>)| {
        let (_, most, _) = maps(seen.graph.node(*from)?)?;
        let dims = &seen.graph.node(*from)?.fact.dims;
        let place = |place: usize| {
            let (input, row) = (place / rows, place % rows);
            place_before_all(seen.graph, moves, row * inputs + input)
        };
        (1..=most.min(rows)).rev().filter(|height| rows.is_multiple_of(*height)).find_map(|height| {
            let phases = Phases::found(&[1, inputs, height, rows / height], dims, &place)?;
            Some((*from, phases, (height, rows / height)))
        })
    };
    let (from, phases, (height, width)) = origins(seen.graph, read).iter().rev().find_map(found)?;
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
    let is_whole =
        seen.graph.node(from)?.fact.dims == [1, inputs, height, width] && phases == Phases::of_channels(0..inputs);
    let mut chain = vec![
        of(Op::Convolution(convolution), vec![1, outputs, height, width]),
        of(Op::Transpose { order: vec![0, 2, 3, 1] }, vec![1, height, width, outputs]),
        node.with_op(Op::Reshape),
    ];
    if !is_whole {
        chain.insert(0, of(Op::Phases(phases), vec![1, inputs, height, width]));
    }
    Some(Patch { replaced: id, inputs: vec![from], chain, became: Vec::new() })
}
