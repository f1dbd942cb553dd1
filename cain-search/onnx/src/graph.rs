//! The graph of a model: a node for each node of the file, with known type and sizes.
//!
//! A node never changes. To replace one, a simplification adds another node and redirects all readers of the old node
//! to it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::kind::Kind;
use super::op::Op;
use super::tensor::Tensor;

/// The index of a node.
pub(crate) type Id = usize;

/// The type and the sizes of the result of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) kind: Kind,
    pub(crate) dims: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) op: Rc<Op>,
    pub(crate) inputs: Vec<Id>,
    pub(crate) fact: Rc<Fact>,
    /// The name of the layer that the node becomes.
    pub(crate) name: Rc<str>,
    /// The node of the file; `None` for constants and the picture.
    pub(crate) origin: Option<usize>,
}

/// What became of a node of the file.
#[derive(Clone, Debug)]
pub(crate) enum Became {
    Constant,
    /// Nothing, or a part of other nodes.
    Text(&'static str),
    /// A part of what another node of the file became.
    Into(usize),
    /// The layer with this draft number.
    Layer(usize),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// The nodes, each after those that it reads.
    pub(crate) nodes: Vec<Node>,
    pub(crate) outputs: Vec<Id>,
    /// What became of nodes of the file that were removed.
    pub(crate) became: BTreeMap<usize, Became>,
}

/// Nodes that replace another one for all its readers.
#[derive(Debug)]
pub(crate) struct Patch {
    pub(crate) replaced: Id,
    /// The inputs of the first new node. Without new nodes there is a single input, which replaces the node itself.
    pub(crate) inputs: Vec<Id>,
    /// New nodes, still without inputs, of which each reads the one before.
    pub(crate) chain: Vec<Node>,
    pub(crate) became: Vec<(usize, Became)>,
}

impl Graph {
    pub(crate) fn push(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub(crate) fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id)
    }

    pub(crate) fn op(&self, id: Id) -> Option<&Op> {
        self.nodes.get(id).map(|node| &*node.op)
    }

    pub(crate) fn constant(&self, id: Id) -> Option<&Rc<Tensor>> {
        match self.op(id)? {
            Op::Constant(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The readers of each node; `None` stands for an output.
    pub(crate) fn readers(&self) -> Vec<Vec<Option<Id>>> {
        let mut readers = vec![Vec::new(); self.nodes.len()];
        let of_nodes = self.nodes.iter().enumerate();
        let edges = of_nodes.flat_map(|(id, node)| node.inputs.iter().map(move |input| (*input, Some(id))));
        for (read, reader) in edges.chain(self.outputs.iter().map(|output| (*output, None))) {
            if let Some(readers) = readers.get_mut(read) {
                readers.push(reader);
            }
        }
        readers
    }

    /// The graph after replacing nodes, without those that no output needs.
    pub(crate) fn with(&self, patches: Vec<Patch>) -> Self {
        let mut all = self.nodes.clone();
        let mut became = self.became.clone();
        let mut instead: BTreeMap<Id, Id> = BTreeMap::new();
        for Patch { replaced, mut inputs, chain, became: changes } in patches {
            for node in chain {
                all.push(Node { inputs, ..node });
                inputs = vec![all.len() - 1];
            }
            if let [new] = *inputs.as_slice() {
                instead.insert(replaced, new);
            }
            became.extend(changes);
        }
        let read = |mut id: Id| {
            while let Some(new) = instead.get(&id) {
                id = *new;
            }
            id
        };
        let outputs: Vec<Id> = self.outputs.iter().map(|output| read(*output)).collect();
        let order = order(&all, &outputs, &read);
        let places: BTreeMap<Id, Id> = order.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let place = |id: &Id| places.get(&read(*id)).copied().unwrap_or_default();
        let moved = |id: &Id| {
            let node = all.get(*id)?.clone();
            Some(Node { inputs: node.inputs.iter().map(place).collect(), ..node })
        };
        Self { nodes: order.iter().filter_map(moved).collect(), outputs: outputs.iter().map(place).collect(), became }
    }
}

/// The nodes that outputs need: each after those that it reads, otherwise in the order of the file.
fn order(all: &[Node], outputs: &[Id], read: &impl Fn(Id) -> Id) -> Vec<Id> {
    let mut needed = vec![false; all.len()];
    let mut waiting = outputs.to_vec();
    while let Some(id) = waiting.pop() {
        if let (Some(needed @ false), Some(node)) = (needed.get_mut(id), all.get(id)) {
            *needed = true;
            waiting.extend(node.inputs.iter().map(|input| read(*input)));
        }
    }
    let mut wanted: Vec<Id> = (0..all.len()).filter(|id| needed.get(*id) == Some(&true)).collect();
    wanted.sort_by_key(|id| all.get(*id).and_then(|node| node.origin));
    let mut is_placed = vec![false; all.len()];
    let mut order = Vec::new();
    for id in wanted {
        // A node is visited again after the nodes that it reads.
        let mut waiting = vec![(id, false)];
        while let Some((id, is_ready)) = waiting.pop() {
            let Some(placed @ false) = is_placed.get_mut(id) else { continue };
            if is_ready {
                *placed = true;
                order.push(id);
            } else {
                waiting.push((id, true));
                let inputs = all.get(id).map(|node| node.inputs.as_slice()).unwrap_or_default();
                waiting.extend(inputs.iter().rev().map(|input| (read(*input), false)));
            }
        }
    }
    order
}
