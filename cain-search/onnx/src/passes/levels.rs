//! Maps with only two values: one below a threshold and one above it.

use std::rc::Rc;

use crate::evaluate::evaluate;
use crate::graph::{Fact, Graph, Id, Node};
use crate::kind::Kind;
use crate::op::Op;
use crate::tensor::Tensor;

/// The two values of the maps that a node makes.
#[derive(Clone)]
pub(super) struct Levels<'g> {
    /// The maps that are compared, the threshold of each channel, and whether equal values count as above.
    pub(super) maps: Id,
    pub(super) at: &'g [f64],
    pub(super) inclusive: bool,
    pub(super) below: f64,
    pub(super) above: f64,
    /// The name of the layer.
    pub(super) name: Rc<str>,
}

impl Levels<'_> {
    fn is_of(&self, other: &Self) -> bool {
        (self.maps, self.at, self.inclusive) == (other.maps, other.at, other.inclusive)
    }
}

/// The values of each node that makes only two.
pub(super) fn all(graph: &Graph) -> Vec<Option<Levels<'_>>> {
    let mut all: Vec<Option<Levels<'_>>> = Vec::new();
    for node in &graph.nodes {
        let levels = match &*node.op {
            Op::Threshold { at, inclusive, below, above } => node.inputs.first().map(|maps| Levels {
                maps: *maps,
                at,
                inclusive: *inclusive,
                below: *below,
                above: *above,
                name: Rc::clone(&node.name),
            }),
            Op::Each(_)
            | Op::Cast
            | Op::Quantise { .. }
            | Op::Slopes(_)
            | Op::Pair(_)
            | Op::Extreme { .. }
            | Op::Where
            | Op::Clamp { .. }
            | Op::Affine { .. } => computed(graph, node, &all),
            _ => None,
        };
        all.push(levels);
    }
    all
}

/// The values of a node that computes each number on its own, if it reads only values of one threshold and single
/// constants.
fn computed<'g>(graph: &'g Graph, node: &Node, all: &[Option<Levels<'g>>]) -> Option<Levels<'g>> {
    let mut found: Option<(&Levels<'g>, Kind)> = None;
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for input in &node.inputs {
        let read = graph.node(*input)?;
        if let Some(constant) = graph.constant(*input) {
            let single = Rc::new(Tensor::single_of(constant.kind, constant.single()?));
            below.push(Rc::clone(&single));
            above.push(single);
            continue;
        }
        let levels = all.get(*input)?.as_ref().filter(|_| read.fact.dims == node.fact.dims)?;
        if found.is_some_and(|(other, _)| !levels.is_of(other)) {
            return None;
        }
        found = found.or(Some((levels, read.fact.kind)));
        below.push(Rc::new(Tensor::single_of(read.fact.kind, levels.below)));
        above.push(Rc::new(Tensor::single_of(read.fact.kind, levels.above)));
    }
    let (levels, kind) = found?;
    match &*node.op {
        Op::Affine { scale, shift } => drop(scale.single().zip(shift.single())?),
        Op::Slopes(slopes) => drop(slopes.single()?),
        _ => {}
    }
    let fact = Fact { kind: node.fact.kind, dims: Vec::new() };
    let value = |inputs: &[Rc<Tensor>]| evaluate(&node.op, &fact, inputs)?.ok()?.single();
    let name = if kind == Kind::Bool { &node.name } else { &levels.name };
    Some(Levels { below: value(&below)?, above: value(&above)?, name: Rc::clone(name), ..levels.clone() })
}
