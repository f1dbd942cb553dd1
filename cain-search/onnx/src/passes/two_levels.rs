//! Thresholds in place of values of which there are two.

use std::rc::Rc;

use super::seen::Seen;
use crate::graph::{Became, Fact, Id, Node, Patch};
use crate::kind::Kind;
use crate::op::{Op, Pair};
use crate::tensor::{Tensor, count};

/// Replaces a node by a threshold with these values.
pub(super) fn threshold(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let levels = seen.levels.get(id)?.as_ref()?;
    let has_constant = || node.inputs.iter().any(|input| seen.graph.constant(*input).is_some());
    let is_factor = match &*node.op {
        Op::Threshold { .. } => return None,
        Op::Affine { .. } => true,
        Op::Pair(Pair::Add | Pair::Sub | Pair::Mul | Pair::Div) => has_constant(),
        _ => false,
    };
    // A reader may absorb factors in floating point.
    if is_factor && node.fact.kind.is_float() {
        return None;
    }
    if levels.below == levels.above {
        // Whatever is compared, there is one value.
        let Fact { kind, dims } = (*node.fact).clone();
        let values = vec![levels.below; count(&dims)?];
        let tensor = Tensor { kind, dims, values };
        let chain = vec![node.with_op(Op::Constant(Rc::new(tensor)))];
        return Some(Patch { replaced: id, inputs: Vec::new(), chain, became: Vec::new() });
    }
    let op =
        Op::Threshold { at: levels.at.to_vec(), inclusive: levels.inclusive, below: levels.below, above: levels.above };
    let read = node.inputs.iter().filter_map(|input| seen.graph.node(*input));
    let read = read.filter(|read| !matches!(*read.op, Op::Constant(_)));
    let became = read.filter_map(|read| {
        let is_condition = read.fact.kind == Kind::Bool;
        let became = if is_condition { Became::Text("part of a threshold") } else { Became::Into(node.origin?) };
        Some((read.origin?, became))
    });
    let became = became.collect();
    let chain = vec![Node { name: Rc::clone(&levels.name), ..node.with_op(op) }];
    Some(Patch { replaced: id, inputs: vec![levels.maps], chain, became })
}
