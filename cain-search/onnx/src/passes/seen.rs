//! What simplifications look at.

use std::collections::BTreeSet;

use super::bent::Made;
use super::levels::Levels;
use crate::graph::{Graph, Id, Node};
use crate::op::{Dense, Op};

/// The graph as a simplification sees it.
pub(super) struct Seen<'g> {
    pub(super) graph: &'g Graph,
    /// The readers of each node; `None` stands for an output.
    pub(super) readers: Vec<Vec<Option<Id>>>,
    pub(super) levels: Vec<Option<Levels<'g>>>,
    /// What each node makes of earlier numbers by their sign.
    pub(super) bent: Vec<Option<Made>>,
    pub(super) whole: Vec<Option<(f64, f64)>>,
    /// The numbers of the picture for black and white, if they are given.
    pub(super) range: Option<(f64, f64)>,
}

impl Seen<'_> {
    /// Whether exactly one node, and no output, reads a node.
    pub(super) fn is_alone(&self, id: Id) -> bool {
        matches!(self.readers.get(id).map(Vec::as_slice), Some([Some(_)]))
    }

    pub(super) fn reader_ops(&self, id: Id) -> Option<Vec<&Op>> {
        let readers = self.readers.get(id).map(Vec::as_slice).unwrap_or_default();
        readers.iter().map(|reader| self.graph.op((*reader)?)).collect()
    }

    /// The first input, if it has the same sizes as the node.
    pub(super) fn alike(&self, node: &Node) -> Option<(Id, &Node)> {
        let id = *node.inputs.first()?;
        let input = self.graph.node(id).filter(|input| input.fact.dims == node.fact.dims)?;
        Some((id, input))
    }
}

/// The numbers of channels, rows and columns of maps.
pub(super) fn maps(node: &Node) -> Option<(usize, usize, usize)> {
    match *node.fact.dims.as_slice() {
        [1, channels, height, width] => Some((channels, height, width)),
        _ => None,
    }
}

/// The number of channels of maps.
pub(super) fn channels(node: &Node) -> Option<usize> {
    maps(node).map(|(channels, _, _)| channels)
}

/// Whether maps on the array have to be made of the result of a node: as it is, or also after its numbers are moved.
pub(super) fn needs_maps(seen: &Seen<'_>, id: Id, may_move: bool) -> bool {
    let mut waiting = vec![id];
    let mut known = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let readers = seen.readers.get(id).map(Vec::as_slice).unwrap_or_default();
        for reader in readers.iter().flatten().filter(|reader| known.insert(**reader)) {
            match seen.graph.op(*reader) {
                Some(
                    Op::Convolution(_)
                    | Op::MaxPool(_)
                    | Op::MeanPool { .. }
                    | Op::Pad(_)
                    | Op::Surrounded { .. }
                    | Op::Around { .. }
                    | Op::Threshold { .. }
                    | Op::Cut { .. }
                    | Op::Sign { .. },
                ) => return true,
                Some(Op::Dense(dense)) if seen.graph.node(id).is_some_and(|read| has_rows(read, dense)) => return true,
                Some(
                    Op::Each(_)
                    | Op::Slopes(_)
                    | Op::Cast
                    | Op::Pair(_)
                    | Op::Extreme { .. }
                    | Op::Where
                    | Op::Clamp { .. }
                    | Op::Affine { .. }
                    | Op::Concat { .. }
                    | Op::Slice(_)
                    | Op::Take { .. }
                    | Op::Phases(_),
                ) => waiting.push(*reader),
                Some(Op::Reshape | Op::Transpose { .. }) if may_move => waiting.push(*reader),
                _ => {}
            }
        }
    }
    false
}

/// Whether a matrix weights several rows of numbers.
fn has_rows(read: &Node, dense: &Dense) -> bool {
    read.fact.dims.iter().product::<usize>() > dense.sizes().0
}

impl Node {
    /// Another node with the same name, origin and type, without inputs.
    pub(super) fn with_op(&self, op: Op) -> Self {
        Self { op: op.into(), inputs: Vec::new(), ..self.clone() }
    }
}
