//! Nodes that stand for several: calls of functions that the model defines, and operators that others express.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::kind::Kind;
use super::node::{Node, standard_version};
use super::proto;
use super::tensor::Tensor;

/// How deep functions may call each other.
const DEEPEST: usize = 16;

/// Replaces nodes until none stands for several.
pub(crate) struct Expansion<'m> {
    functions: BTreeMap<String, &'m proto::Function>,
    constants: &'m mut BTreeMap<String, Rc<Tensor>>,
    nodes: Vec<Node>,
    /// The number of calls so far, which makes the names inside of each unique.
    calls: usize,
    /// The most nodes.
    most: usize,
}

impl<'m> Expansion<'m> {
    pub(crate) fn new(
        functions: &'m [proto::Function],
        constants: &'m mut BTreeMap<String, Rc<Tensor>>,
        most: usize,
    ) -> Self {
        let key = |function: &'m proto::Function| (format!("{}.{}", function.domain, function.name), function);
        Self { functions: functions.iter().map(key).collect(), constants, nodes: Vec::new(), calls: 0, most }
    }

    pub(crate) fn of(mut self, nodes: Vec<Node>) -> Result<Vec<Node>, String> {
        for node in nodes {
            self.add(node, 0)?;
        }
        Ok(self.nodes)
    }

    fn add(&mut self, node: Node, depth: usize) -> Result<(), String> {
        if let Some(&function) = self.functions.get(&node.op) {
            return self.call(&node, function, depth);
        }
        match node.op.as_str() {
            "Sum" => self.sum(&node),
            "HardSigmoid" => self.hard_sigmoid(node),
            _ => self.push(node),
        }
    }

    fn push(&mut self, node: Node) -> Result<(), String> {
        if self.nodes.len() >= self.most {
            return Err(format!("the functions of the model make more than {} nodes", self.most));
        }
        self.nodes.push(node);
        Ok(())
    }

    /// Puts the nodes of a function in place of a call. Its own values get names that no others have.
    fn call(&mut self, call: &Node, function: &proto::Function, depth: usize) -> Result<(), String> {
        if depth >= DEEPEST {
            return Err(format!("{}: functions call each other more than {DEEPEST} deep", call.shown()));
        }
        self.calls += 1;
        let number = self.calls;
        let opset = standard_version(&function.opset_import).unwrap_or(call.opset);
        let formal = function.input.iter().zip(call.inputs.iter().map(String::as_str).chain(std::iter::repeat("")));
        let mut names: BTreeMap<&str, String> =
            formal.map(|(name, actual)| (name.as_str(), actual.to_owned())).collect();
        names.extend(function.output.iter().zip(&call.outputs).map(|(name, actual)| (name.as_str(), actual.clone())));
        let renamed = |name: &String| match (name.as_str(), names.get(name.as_str())) {
            ("", _) => String::new(),
            (_, Some(actual)) => actual.clone(),
            (inner, None) => format!("{number}/{inner}"),
        };
        for message in &function.node {
            let mut message = message.clone();
            message.input = message.input.iter().map(renamed).collect();
            message.output = message.output.iter().map(renamed).collect();
            message.name = [call.name.as_str(), message.name.as_str()]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join("/");
            let attributes = std::mem::take(&mut message.attribute);
            message.attribute =
                attributes.into_iter().filter_map(|attribute| actual(attribute, call, function)).collect();
            self.add(Node::new(message, opset), depth + 1)?;
        }
        Ok(())
    }

    /// A sum of any number of inputs, as additions.
    fn sum(&mut self, node: &Node) -> Result<(), String> {
        let Some((first, rest)) = node.inputs.split_first() else {
            return Err(format!("{}: adds nothing", node.shown()));
        };
        let Some(last) = rest.len().checked_sub(1) else {
            return self.push(node.step(
                "Identity",
                &[first],
                &node.outputs.first().cloned().unwrap_or_default(),
                None,
            ));
        };
        let output = node.outputs.first().cloned().unwrap_or_default();
        let mut sum = first.clone();
        for (place, input) in rest.iter().enumerate() {
            let to = if place == last { output.clone() } else { format!("{output}/{place}") };
            self.push(node.step("Add", &[&sum, input], &to, None))?;
            sum = to;
        }
        Ok(())
    }

    /// A line that is limited to 0 and 1.
    fn hard_sigmoid(&mut self, node: Node) -> Result<(), String> {
        let (Some(input), Some(output)) = (node.inputs.first(), node.outputs.first()) else {
            return self.push(node);
        };
        let name = |part: &str| format!("{output}/{part}");
        for (part, attribute, default) in [("slope", "alpha", 0.2), ("middle", "beta", 0.5)] {
            let number = Tensor::single_of(Kind::Float, node.float(attribute, default));
            self.constants.insert(name(part), Rc::new(number));
        }
        let (scaled, shifted) = (name("scaled"), name("shifted"));
        let steps = [
            node.step("Mul", &[input, &name("slope")], &scaled, None),
            node.step("Add", &[&scaled, &name("middle")], &shifted, None),
            node.step("Clip", &[&shifted], output, Some([("min", 0.0), ("max", 1.0)])),
        ];
        steps.into_iter().try_for_each(|step| self.push(step))
    }
}

/// The attribute of a node within a function: its own, or the one of the call that it refers to.
fn actual(attribute: proto::Attribute, call: &Node, function: &proto::Function) -> Option<proto::Attribute> {
    if attribute.ref_attr_name.is_empty() {
        return Some(attribute);
    }
    let named = |default: &&proto::Attribute| default.name == attribute.ref_attr_name;
    let found = call.attribute(&attribute.ref_attr_name).or_else(|| function.attribute_proto.iter().find(named));
    found.map(|found| proto::Attribute { name: attribute.name, ..found.clone() })
}
