//! Rectifiers that several nodes make.

use std::collections::BTreeMap;

use super::bent::{Made, Sides};
use super::seen::Seen;
use crate::graph::{Became, Graph, Id, Node, Patch};
use crate::op::{Each, Op, Pair};
use crate::tensor::Tensor;

/// Replaces a calculation by a rectifier with two slopes.
pub(super) fn rectifier(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let joins = matches!(*node.op, Op::Pair(Pair::Add | Pair::Sub | Pair::Mul) | Op::Extreme { .. } | Op::Where);
    let variable = node.inputs.iter().filter(|input| seen.graph.constant(**input).is_none()).count();
    if !joins || variable < 2 {
        return None;
    }
    let Some(Made::Multiples(of, Sides { positive, negative })) = *seen.bent.get(id)? else { return None };
    if of == id || (positive, negative) == (0.0, 0.0) {
        return None;
    }
    let affine = |scale: f64| node.with_op(Op::Affine { scale: Tensor::scalar(scale), shift: Tensor::scalar(0.0) });
    let each = |each: Each| node.with_op(Op::Each(each));
    let chain = match (positive, negative) {
        (positive, negative) if positive == negative => vec![affine(positive)],
        (0.0, negative) => vec![affine(-1.0), each(Each::Relu), affine(-negative)],
        (positive, negative) => {
            let bent = match negative / positive {
                0.0 => Each::Relu,
                -1.0 => Each::Abs,
                alpha => Each::Leaky { alpha },
            };
            vec![each(bent), affine(positive)]
        }
    };
    let does_something = |node: &Node| match &*node.op {
        Op::Affine { scale, .. } => scale.single() != Some(1.0),
        _ => true,
    };
    let chain = chain.into_iter().filter(does_something).collect();
    let between = between(seen.graph, node, of).into_iter().filter_map(|node| node.origin);
    let became = between.map(|origin| (origin, Became::Text("part of a rectifier"))).collect();
    Some(Patch { replaced: id, inputs: vec![of], chain, became })
}

/// The nodes between one and an earlier one.
pub(super) fn between<'g>(graph: &'g Graph, node: &'g Node, earlier: Id) -> Vec<&'g Node> {
    let mut waiting = node.inputs.clone();
    let mut found = BTreeMap::new();
    while let Some(id) = waiting.pop() {
        if id > earlier
            && let Some(node) = graph.node(id)
            && found.insert(id, node).is_none()
        {
            waiting.extend(&node.inputs);
        }
    }
    found.into_values().collect()
}
