//! Nodes that stand for several: calls of functions that the model defines, and operators that others express.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::axes;
use super::kind::Kind;
use super::node::{Node, standard_version};
use super::proto;
use super::tensor::Tensor;

/// How deep functions may call each other.
const DEEPEST: usize = 16;

/// Replaces nodes until none stands for several.
pub(crate) struct Expansion<'m> {
    /// The functions by their names and what tells those of the same name apart.
    functions: BTreeMap<(String, String), &'m proto::Function>,
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
    ) -> Result<Self, String> {
        let mut known = BTreeMap::new();
        for function in functions {
            let name = format!("{}.{}", function.domain, function.name);
            if known.insert((name, function.overload.clone()), function).is_some() {
                return Err(format!(
                    "there are two functions `{}` of the domain `{}`; export the model again",
                    function.name, function.domain
                ));
            }
        }
        Ok(Self { functions: known, constants, nodes: Vec::new(), calls: 0, most })
    }

    pub(crate) fn of(mut self, nodes: Vec<Node>) -> Result<Vec<Node>, String> {
        for node in nodes {
            self.add(node, 0)?;
        }
        Ok(self.nodes)
    }

    fn add(&mut self, node: Node, depth: usize) -> Result<(), String> {
        if let Some(&function) = self.functions.get(&(node.op.clone(), node.overload.clone())) {
            return self.call(&node, function, depth);
        }
        match node.op.as_str() {
            "Sum" => self.sum(&node, None),
            "Mean" => {
                let count = axes::number(node.inputs.len().max(1));
                self.sum(&node, Some(1.0 / count))
            }
            "ReduceMax" | "ReduceMin" => self.extreme(node),
            "ArgMin" => self.least(node),
            "HardSigmoid" => self.hard_sigmoid(&node),
            "ThresholdedRelu" => self.thresholded(&node),
            "Shrink" => self.shrunk(&node),
            "ReduceL1" => self.absolute_sum(node),
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

    /// A sum of any number of inputs, as additions, times a factor.
    fn sum(&mut self, node: &Node, factor: Option<f64>) -> Result<(), String> {
        let Some((first, rest)) = node.inputs.split_first() else {
            return Err(format!("{}: adds nothing", node.shown()));
        };
        let output = node.outputs.first().cloned().unwrap_or_default();
        let mut sum = first.clone();
        for (place, input) in rest.iter().enumerate() {
            let is_last = place + 1 == rest.len() && factor.is_none();
            let to = if is_last { output.clone() } else { format!("{output}/{place}") };
            self.push(node.step("Add", &[&sum, input], &to, None))?;
            sum = to;
        }
        match factor {
            Some(factor) => {
                let name = format!("{output}/factor");
                self.constants.insert(name.clone(), Rc::new(Tensor::single_of(Kind::Float, factor)));
                self.push(node.step("Mul", &[&sum, &name], &output, None))
            }
            None if rest.is_empty() => self.push(node.step("Identity", &[&sum], &output, None)),
            None => Ok(()),
        }
    }

    /// The largest or smallest number of each map.
    fn extreme(&mut self, node: Node) -> Result<(), String> {
        let axes = match node.inputs.get(1).filter(|name| !name.is_empty()) {
            Some(name) => self.constant(name),
            None => node.ints("axes").map(<[i64]>::to_vec),
        };
        let is_of_maps = axes.is_some_and(|mut axes| {
            axes.sort_unstable();
            matches!(*axes, [2 | -2, 3] | [-2, -1] | [-1, 2])
        });
        let (Some(input), Some(output), true) = (node.inputs.first(), node.outputs.first(), is_of_maps) else {
            return self.push(node);
        };
        let is_max = node.op == "ReduceMax";
        // Without the sizes of rows and columns, which are 1, there is a list of channels.
        let last = if node.int("keepdims", 1) == 0 { "Flatten" } else { "Identity" };
        let all: &[&str] = if is_max { &["GlobalMaxPool", last] } else { &["Neg", "GlobalMaxPool", "Neg", last] };
        let mut from = input.clone();
        for (place, op) in all.iter().enumerate() {
            let to = if place + 1 == all.len() { output.clone() } else { format!("{output}/{place}") };
            self.push(node.step(op, &[&from], &to, None))?;
            from = to;
        }
        Ok(())
    }

    /// The integers of a constant, which a node before may make.
    fn constant(&self, name: &str) -> Option<Vec<i64>> {
        if let Some(tensor) = self.constants.get(name) {
            return Some(tensor.integers());
        }
        let made = self.nodes.iter().rev().find(|node| node.outputs.iter().any(|output| output == name))?;
        if made.op == "Constant" { made.constant().ok().map(|tensor| tensor.integers()) } else { None }
    }

    /// The place of the smallest number, which is that of the largest if their signs are changed.
    fn least(&mut self, mut node: Node) -> Result<(), String> {
        let (Some(input), Some(output)) = (node.inputs.first(), node.outputs.first()) else {
            return self.push(node);
        };
        let negative = format!("{output}/negative");
        self.push(node.step("Neg", &[input], &negative, None))?;
        "ArgMax".clone_into(&mut node.op);
        node.inputs = vec![negative];
        self.push(node)
    }

    /// A line that is limited to 0 and 1.
    fn hard_sigmoid(&mut self, node: &Node) -> Result<(), String> {
        let steps: [Step<'_>; 2] = [("Mul", &["", "alpha"], "scaled"), ("Add", &["scaled", "beta"], "shifted")];
        self.steps(node, &[("alpha", node.float("alpha", 0.2)), ("beta", node.float("beta", 0.5))], &steps)?;
        let output = node.outputs.first().cloned().unwrap_or_default();
        let limits = Some([("min", 0.0), ("max", 1.0)]);
        self.push(node.step("Clip", &[&format!("{output}/shifted")], &output, limits))
    }

    /// Numbers above a threshold, and 0 elsewhere.
    fn thresholded(&mut self, node: &Node) -> Result<(), String> {
        let steps: [Step<'_>; 2] = [("Greater", &["", "alpha"], "above"), ("Where", &["above", "", "zero"], OUTPUT)];
        self.steps(node, &[("alpha", node.float("alpha", 1.0)), ("zero", 0.0)], &steps)
    }

    /// Numbers that are far from 0, nearer to it by a bias, and 0 elsewhere.
    fn shrunk(&mut self, node: &Node) -> Result<(), String> {
        let (limit, bias) = (node.float("lambd", 0.5), node.float("bias", 0.0));
        if limit < 0.0 {
            // All other numbers are above it.
            let steps: [Step<'_>; 4] = [
                ("Less", &["", "low"], "below"),
                ("Add", &["", "bias"], "more"),
                ("Sub", &["", "bias"], "less"),
                ("Where", &["below", "more", "less"], OUTPUT),
            ];
            return self.steps(node, &[("low", -limit), ("bias", bias)], &steps);
        }
        let steps: [Step<'_>; 7] = [
            ("Greater", &["", "high"], "above"),
            ("Sub", &["", "bias"], "less"),
            ("Where", &["above", "less", "zero"], "positive"),
            ("Less", &["", "low"], "below"),
            ("Add", &["", "bias"], "more"),
            ("Where", &["below", "more", "zero"], "negative"),
            ("Add", &["positive", "negative"], OUTPUT),
        ];
        self.steps(node, &[("high", limit), ("low", -limit), ("bias", bias), ("zero", 0.0)], &steps)
    }

    /// Puts steps in place of a node whose input has an empty name in them; numbers get the type of that.
    fn steps(&mut self, node: &Node, numbers: &[(&str, f64)], steps: &[Step<'_>]) -> Result<(), String> {
        let (Some(input), Some(output)) = (node.inputs.first(), node.outputs.first()) else {
            return Err(format!("{}: reads or makes nothing", node.shown()));
        };
        let name = |part: &str| match part {
            "" => input.clone(),
            OUTPUT => output.clone(),
            part => format!("{output}/{part}"),
        };
        for (part, number) in numbers {
            let constant = format!("{}/number", name(part));
            self.constants.insert(constant.clone(), Rc::new(Tensor::single_of(Kind::Float, *number)));
            self.push(node.step("CastLike", &[&constant, input], &name(part), None))?;
        }
        for (op, inputs, made) in steps {
            let inputs: Vec<String> = inputs.iter().map(|part| name(part)).collect();
            let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
            self.push(node.step(op, &inputs, &name(made), None))?;
        }
        Ok(())
    }

    /// The sum of absolute values.
    fn absolute_sum(&mut self, mut node: Node) -> Result<(), String> {
        let (Some(input), Some(output)) = (node.inputs.first_mut(), node.outputs.first()) else {
            return self.push(node);
        };
        let absolute = format!("{output}/absolute");
        let read = std::mem::replace(input, absolute.clone());
        "ReduceSum".clone_into(&mut node.op);
        self.push(node.step("Abs", &[&read], &absolute, None))?;
        self.push(node)
    }
}

/// An operator, the names of its inputs and that of its output.
type Step<'n> = (&'n str, &'n [&'n str], &'n str);

/// Stands for the output of the node that steps replace.
const OUTPUT: &str = "output";

/// The attribute of a node within a function: its own, or the one of the call that it refers to.
fn actual(attribute: proto::Attribute, call: &Node, function: &proto::Function) -> Option<proto::Attribute> {
    if attribute.ref_attr_name.is_empty() {
        return Some(attribute);
    }
    let named = |default: &&proto::Attribute| default.name == attribute.ref_attr_name;
    let found = call.attribute(&attribute.ref_attr_name).or_else(|| function.attribute_proto.iter().find(named));
    found.map(|found| proto::Attribute { name: attribute.name, ..found.clone() })
}
