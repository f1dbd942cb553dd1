//! Simplifications of a graph. Each looks at a node, and answers with others that compute the same for all that read it.

mod constants;
mod factors;
mod levels;
pub(crate) mod pads;

use super::bounds;
use super::graph::{Graph, Id, Node, Patch};
use super::op::Op;
use levels::Levels;

/// What a simplification looks at.
struct Seen<'g> {
    graph: &'g Graph,
    /// The nodes that read a node, and outputs as `None`.
    readers: Vec<Vec<Option<Id>>>,
    levels: Vec<Option<Levels<'g>>>,
    whole: Vec<Option<(f64, f64)>>,
}

type Pass = fn(&Seen<'_>, Id, &Node) -> Option<Patch>;

/// In this order; after one that finds something the first one follows.
const PASSES: [(&str, Pass); 11] = [
    ("comparisons with constants", constants::threshold),
    ("two levels", levels::threshold),
    ("casts", constants::cast),
    ("arithmetic with constants", constants::affine),
    ("largest and smallest of constants", constants::clamp),
    ("rectifiers by selection", constants::rectifier),
    ("signs", constants::sign),
    ("factors of factors", factors::merged),
    ("factors behind", factors::behind),
    ("factors before", factors::before),
    ("padding", pads::taken_over),
];

/// What they are called.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    PASSES.iter().map(|(name, _)| *name)
}

/// The graph after all simplifications. `check` is told the name of each, and the graph before and after it.
pub(crate) fn simplified(mut graph: Graph, check: &mut dyn FnMut(&str, &Graph, &Graph)) -> Graph {
    graph = graph.with(Vec::new());
    while let Some((name, next)) = PASSES.iter().find_map(|(name, pass)| Some((name, applied(&graph, *pass)?))) {
        check(name, &graph, &next);
        graph = next;
    }
    graph
}

/// The graph after a simplification of all nodes, if there is any.
fn applied(graph: &Graph, pass: Pass) -> Option<Graph> {
    let (readers, levels, whole) = (graph.readers(), levels::all(graph), bounds::whole(graph));
    let seen = Seen { graph, readers, levels, whole };
    let patches: Vec<Patch> = graph.nodes.iter().enumerate().filter_map(|(id, node)| pass(&seen, id, node)).collect();
    if patches.is_empty() { None } else { Some(graph.with(patches)) }
}

impl Seen<'_> {
    /// Whether one node and no output reads it.
    fn is_alone(&self, id: Id) -> bool {
        matches!(self.readers.get(id).map(Vec::as_slice), Some([Some(_)]))
    }

    fn reader_ops(&self, id: Id) -> Option<Vec<&Op>> {
        let readers = self.readers.get(id).map(Vec::as_slice).unwrap_or_default();
        readers.iter().map(|reader| self.graph.op((*reader)?)).collect()
    }

    /// The first input, if it has the sizes of the node itself.
    fn alike(&self, node: &Node) -> Option<(Id, &Node)> {
        let id = *node.inputs.first()?;
        let input = self.graph.node(id).filter(|input| input.fact.dims == node.fact.dims)?;
        Some((id, input))
    }
}

/// The channels of maps.
fn channels(node: &Node) -> Option<usize> {
    match *node.fact.dims.as_slice() {
        [1, channels, _, _] => Some(channels),
        _ => None,
    }
}

impl Node {
    /// Another node with the name, origin and type of this one, without inputs.
    fn with_op(&self, op: Op) -> Self {
        Self { op: op.into(), inputs: Vec::new(), ..self.clone() }
    }
}
