//! Graphs of operators, and their evaluation.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::super::wire::Message as _;
use super::call::{Call, Near};
use super::proto::{self, Function, Node, OperatorSet};
use super::tensor::{Kind, Number, Tensor};

/// How deep functions may call each other.
const DEEPEST: usize = 20;

/// A model: its operators in the order in which they compute.
#[derive(Clone, Debug)]
pub struct Graph {
    opset: i64,
    nodes: Vec<Node>,
    functions: Vec<Function>,
    constants: BTreeMap<String, Tensor>,
    input: String,
    /// The type of the input.
    kind: Kind,
    /// The sizes of the input; 0 for those that the model leaves open.
    sizes: Vec<usize>,
    outputs: Vec<String>,
}

/// The results of a model for a picture.
#[derive(Clone, Debug)]
pub struct Run {
    /// The values of all outputs.
    pub outputs: Vec<Tensor>,
    /// For each output that is the place of a largest number, the numbers: if a function that keeps their order made
    /// them, those before it.
    pub scores: Vec<Option<Tensor>>,
    /// Whether numbers that differ very little were compared on the way.
    pub is_near: bool,
}

impl Graph {
    /// Reads a model with one input.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let model = proto::Model::decode(bytes).map_err(|error| error.to_string())?;
        let opset = standard(&model.opset_import).ok_or("the version of the operators is missing")?;
        let graph = model.graph.ok_or("there is no graph")?;
        let constants = graph.initializer.iter().map(|tensor| Ok((tensor.name.clone(), Tensor::read(tensor)?)));
        let mut constants: BTreeMap<String, Tensor> = constants.collect::<Result<_, String>>()?;
        for sparse in &graph.sparse_initializer {
            let name = sparse.values.as_ref().map_or(String::new(), |values| values.name.clone());
            constants.insert(name, Tensor::of_sparse(sparse)?);
        }
        let inputs: Vec<_> = graph.input.into_iter().filter(|input| !constants.contains_key(&input.name)).collect();
        let [input] = inputs.as_slice() else { return Err(format!("{} inputs; expected one", inputs.len())) };
        let r#type = input.r#type.as_ref().and_then(|r#type| r#type.tensor_type.as_ref());
        let kind = match r#type.map_or(0, |r#type| r#type.elem_type) {
            0 => Kind::Single,
            code => Kind::of(code)?,
        };
        let shape = r#type.and_then(|r#type| r#type.shape.as_ref());
        let size = |dimension: &proto::Dimension| dimension.dim_value.and_then(|size| usize::try_from(size).ok());
        let sizes = shape.map(|shape| shape.dim.iter().map(|dimension| size(dimension).unwrap_or(0)).collect());
        let outputs: Vec<String> = graph.output.into_iter().map(|output| output.name).collect();
        Ok(Self {
            opset,
            nodes: needed(graph.node, &outputs),
            functions: model.functions,
            constants,
            input: input.name.clone(),
            kind,
            sizes: sizes.unwrap_or_default(),
            outputs,
        })
    }

    /// The rows and columns of the picture.
    pub fn picture(&self) -> Result<(usize, usize), String> {
        match *self.sizes.as_slice() {
            [_, 1, height, width] | [_, height, width, 1] | [_, height, width] if height > 0 && width > 0 => {
                Ok((height, width))
            }
            _ => Err(format!("the sizes of the input are {:?}; expected a picture", self.sizes)),
        }
    }

    /// The fixed number of pictures of a batch, or one.
    fn pictures(&self) -> usize {
        self.sizes.first().copied().unwrap_or(1).max(1)
    }

    /// The name of an output.
    #[must_use]
    pub fn output_name(&self, output: usize) -> &str {
        self.outputs.get(output).map_or("", String::as_str)
    }

    /// The values of all outputs for a picture, given row by row.
    pub fn outputs(&self, picture: &[f64]) -> Result<Vec<Tensor>, String> {
        self.run(picture, 0.0).map(|run| run.outputs)
    }

    /// The values of all outputs, and whether numbers were compared that differ by at most `near`, but are not equal.
    pub fn run(&self, picture: &[f64], near: f64) -> Result<Run, String> {
        self.picture()?;
        let near = Near { most: near, is_found: Cell::new(false) };
        let mut dims = self.sizes.clone();
        let pictures = self.pictures();
        dims[0] = pictures;
        // What becomes of a picture must not depend on others before it in the batch.
        let others = (1..pictures).flat_map(|_| picture.iter().rev());
        let picture: Vec<f64> = others.chain(picture).copied().collect();
        // Numbers between whole ones stay what they are, since no type of whole numbers has them.
        let are_whole = !self.kind.is_real() && picture.iter().all(|number| number.fract() == 0.0);
        #[expect(clippy::cast_possible_truncation, reason = "small whole numbers")]
        let number = |number: &f64| if are_whole { Number::Whole(*number as i64) } else { Number::Real(*number) };
        let kind = if are_whole || self.kind.is_real() { self.kind } else { Kind::Single };
        let picture = Tensor::new(kind, dims, picture.iter().map(number).collect())?;
        let mut values = BTreeMap::from([(self.input.clone(), picture)]);
        self.nodes(&self.nodes, self.opset, &mut values, &near, 0)?;
        let value = |name: &String| match values.get(name) {
            Some(value) => last(value, pictures).map(Some),
            None => Ok(self.constants.get(name).cloned()),
        };
        let outputs = self.outputs.iter().map(|name| value(name)?.ok_or_else(|| format!("`{name}` is not made")));
        let scores = self.outputs.iter().map(|name| self.scores(name).map_or(Ok(None), value));
        Ok(Run {
            outputs: outputs.collect::<Result<_, String>>()?,
            scores: scores.collect::<Result<_, String>>()?,
            is_near: near.is_found.get(),
        })
    }

    /// The numbers of which an output is the place of the largest.
    fn scores(&self, output: &String) -> Option<&String> {
        let maker = |value: &String| self.nodes.iter().find(|node| node.output.contains(value));
        let mut scores = maker(output).filter(|node| node.op_type == "ArgMax")?.input.first()?;
        let keeps_order = |node: &&Node| matches!(&*node.op_type, "Softmax" | "LogSoftmax" | "Sigmoid" | "Tanh");
        for _ in &self.nodes {
            let Some(function) = maker(scores).filter(keeps_order) else { break };
            scores = function.input.first()?;
        }
        Some(scores)
    }

    /// Adds the values that nodes make.
    fn nodes(
        &self,
        nodes: &[Node],
        opset: i64,
        values: &mut BTreeMap<String, Tensor>,
        near: &Near,
        depth: usize,
    ) -> Result<(), String> {
        for node in nodes {
            let find = |name: &String| match name.as_str() {
                "" => Ok(None),
                name => values
                    .get(name)
                    .or_else(|| self.constants.get(name).filter(|_| depth == 0))
                    .map(Some)
                    .ok_or_else(|| format!("`{name}` is read before it is made")),
            };
            let inputs = node.input.iter().map(find).collect::<Result<Vec<_>, _>>()?;
            let is_called = |function: &&Function| {
                function.domain == node.domain && function.name == node.op_type && function.overload == node.overload
            };
            let made = match self.functions.iter().find(is_called) {
                Some(function) => self.called(function, node, opset, &inputs, near, depth),
                None => Call { node, opset, inputs, near }.outputs(),
            };
            let made = made.map_err(|problem| format!("node `{}` ({}): {problem}", node.name, node.op_type))?;
            for (name, value) in node.output.iter().zip(made).filter(|(name, _)| !name.is_empty()) {
                values.insert(name.clone(), value);
            }
        }
        Ok(())
    }

    /// The values that a function makes, whose own values have names of their own.
    fn called(
        &self,
        function: &Function,
        call: &Node,
        opset: i64,
        inputs: &[Option<&Tensor>],
        near: &Near,
        depth: usize,
    ) -> Result<Vec<Tensor>, String> {
        if depth > DEEPEST {
            return Err("functions call each other without an end".to_owned());
        }
        let given = function.input.iter().zip(inputs);
        let given = given.filter_map(|(name, value)| Some((name.clone(), Tensor::clone((*value)?))));
        let mut values: BTreeMap<String, Tensor> = given.collect();
        let mut nodes = function.node.clone();
        for attributes in nodes.iter_mut().map(|node| &mut node.attribute) {
            for attribute in attributes.iter_mut().filter(|attribute| !attribute.ref_attr_name.is_empty()) {
                let all = call.attribute.iter().chain(&function.attribute_proto);
                if let Some(meant) = all.into_iter().find(|other| other.name == attribute.ref_attr_name) {
                    *attribute = proto::Attribute { name: attribute.name.clone(), ..meant.clone() };
                }
            }
            // An attribute of the call that is left out is left out here, too.
            attributes.retain(|attribute| attribute.ref_attr_name.is_empty());
        }
        // An input that is left out is left out by those that read it, too.
        let is_open = |name: &String| function.input.contains(name) && !values.contains_key(name);
        for input in nodes.iter_mut().flat_map(|node| &mut node.input).filter(|name| is_open(name)) {
            input.clear();
        }
        let opset = standard(&function.opset_import).unwrap_or(opset);
        self.nodes(&nodes, opset, &mut values, near, depth + 1)?;
        let made = |name: &String| values.get(name).cloned().ok_or_else(|| format!("`{name}` is not made"));
        function.output.iter().map(made).collect()
    }
}

/// What a value has for the last picture of a batch.
fn last(value: &Tensor, pictures: usize) -> Result<Tensor, String> {
    match value.dims.split_first() {
        _ if pictures == 1 => Ok(value.clone()),
        Some((first, rest)) if *first == pictures => {
            let before = value.numbers.len() / pictures * (pictures - 1);
            Tensor::new(value.kind, [&[1], rest].concat(), value.numbers[before..].to_vec())
        }
        _ => Err(format!("makes numbers of the sizes {:?} for {pictures} pictures", value.dims)),
    }
}

/// The version of the standard operators.
fn standard(sets: &[OperatorSet]) -> Option<i64> {
    sets.iter().find(|set| set.domain.is_empty() || set.domain == "ai.onnx").map(|set| set.version)
}

/// The nodes that make outputs, or what such nodes read.
fn needed(nodes: Vec<Node>, outputs: &[String]) -> Vec<Node> {
    let mut read: BTreeSet<String> = outputs.iter().cloned().collect();
    let mut needed: Vec<Node> = Vec::new();
    for node in nodes.into_iter().rev() {
        if node.output.iter().any(|output| read.contains(output)) {
            read.extend(node.input.iter().filter(|input| !input.is_empty()).cloned());
            needed.push(node);
        }
    }
    needed.reverse();
    needed
}
