//! Functions that are refused wherever they stand.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::{Graph, Id};
use crate::model::Model;
use crate::node::Node;
use crate::substitutes;

/// Functions that have no counterpart, unless what they read is constant or only the place of the largest is chosen.
pub(super) fn refused(
    model: &Model,
    needed: &BTreeSet<usize>,
    graph: &Graph,
    names: &BTreeMap<&str, Id>,
) -> Vec<(usize, String)> {
    let is_refused = |node: &Node| {
        let Some(output) = node.outputs.first() else { return false };
        let is_function = matches!(node.op.as_str(), "Sigmoid" | "Tanh" | "Sqrt");
        let is_constant = names.get(output.as_str()).is_some_and(|id| graph.constant(*id).is_some());
        let readers = needed.iter().filter_map(|place| model.nodes.get(*place));
        let mut readers = readers.filter(|reader| reader.inputs.contains(output));
        let is_output = model.outputs.contains(output);
        // Probabilities of two classes each are a softmax.
        let is_returned = is_output && node.op != "Sigmoid";
        // Where maps are compared, a function that grows changes no more than the threshold.
        let keeps_order = |reader: &Node| {
            let compares = matches!(reader.op.as_str(), "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual");
            reader.op == "ArgMax" || (compares && node.op != "Sqrt")
        };
        is_function && !is_constant && (is_returned || readers.any(|reader| !keeps_order(reader)))
    };
    let refused = needed.iter().filter_map(|place| Some((*place, model.nodes.get(*place)?)));
    let refused = refused.filter(|(_, node)| is_refused(node));
    let named = |node: &Node| {
        let is_product = |reader: &Node| {
            let reads = |name: Option<&String>| name.is_some_and(|name| reader.inputs.contains(name));
            reader.op == "Mul" && reads(node.inputs.first()) && reads(node.outputs.first())
        };
        // Exporters write `SiLU` as two nodes.
        if node.op == "Sigmoid" && model.nodes.iter().any(is_product) { "Swish".to_owned() } else { node.op.clone() }
    };
    refused.map(|(place, node)| (place, substitutes::none(&named(node)))).collect()
}

/// Functions and rounding behind nodes that are refused, which are refused as well unless what they read has two values.
pub(super) fn behind(model: &Model, needed: &BTreeSet<usize>, problems: &[(usize, String)]) -> Vec<(usize, String)> {
    let mut unknown: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for (place, node) in needed.iter().filter_map(|place| Some((*place, model.nodes.get(*place)?))) {
        let is_refused = problems.iter().any(|(other, _)| *other == place);
        let is_behind = node.inputs.iter().any(|input| unknown.contains(input.as_str()));
        let compares =
            matches!(node.op.as_str(), "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual" | "Equal" | "Sign");
        if (is_refused || is_behind) && !compares {
            unknown.extend(node.outputs.iter().map(String::as_str));
        }
        let problem = match node.op.as_str() {
            "Round" | "Floor" | "Ceil" => Some(substitutes::none(&node.op)),
            "QuantizeLinear" => Some(substitutes::ROUNDED.to_owned()),
            _ => None,
        };
        found.extend(problem.filter(|_| is_behind && !is_refused).map(|problem| (place, problem)));
    }
    found
}

/// Names the normalisation of which exporters write functions such as `Pow` and `Sqrt` as parts.
pub(super) fn name_normalisations(model: &Model, problems: &mut [(usize, String)]) {
    let made_by = |name: &String, op: &str| {
        model.nodes.iter().find(|node| node.outputs.first() == Some(name)).filter(|node| node.op == op)
    };
    let reads = |node: &Node, op: &str| node.inputs.iter().any(|input| made_by(input, op).is_some());
    // The root of a mean and a little number, and what divides by it.
    let is_root = |node: &Node| {
        let sum = node.inputs.first().filter(|_| node.op == "Sqrt").and_then(|input| made_by(input, "Add"));
        sum.is_some_and(|sum| reads(sum, "ReduceMean"))
    };
    let roots: Vec<&Node> = model.nodes.iter().filter(|node| is_root(node)).collect();
    let squares: BTreeSet<&String> = roots
        .iter()
        .filter_map(|root| made_by(root.inputs.first()?, "Add"))
        .flat_map(|sum| sum.inputs.iter().filter_map(|input| made_by(input, "ReduceMean")?.inputs.first()))
        .collect();
    for (place, problem) in problems {
        let Some(node) = model.nodes.get(*place).filter(|node| *problem == substitutes::none(&node.op)) else {
            continue;
        };
        let is_square = node.op == "Pow" && node.outputs.first().is_some_and(|output| squares.contains(output));
        let divides = node.op == "Reciprocal" && roots.iter().any(|root| root.outputs.first() == node.inputs.first());
        if is_square || is_root(node) || divides {
            *problem = substitutes::none(substitutes::PART_OF_NORMALISATION);
        }
    }
}
