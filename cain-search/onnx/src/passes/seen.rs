//! What simplifications look at.

use super::bent::Made;
use super::levels::Levels;
use crate::graph::{Graph, Id, Node};
use crate::op::Op;

/// The graph as a simplification sees it.
pub(super) struct Seen<'g> {
    pub(super) graph: &'g Graph,
    /// The readers of each node; `None` stands for an output.
    pub(super) readers: Vec<Vec<Option<Id>>>,
    pub(super) levels: Vec<Option<Levels<'g>>>,
    /// What each node makes of earlier numbers by their sign.
    pub(super) bent: Vec<Option<Made>>,
    pub(super) whole: Vec<Option<(f64, f64)>>,
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

impl Node {
    /// Another node with the same name, origin and type, without inputs.
    pub(super) fn with_op(&self, op: Op) -> Self {
        Self { op: op.into(), inputs: Vec::new(), ..self.clone() }
    }
}
