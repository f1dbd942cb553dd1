//! Decodes the bytes of a file into nodes and constants.

use std::collections::BTreeMap;
use std::rc::Rc;

use prost::Message as _;

use super::functions::Expansion;
use super::kind::Kind;
use super::proto;
use super::tensor::Tensor;

/// The supported versions of the operators. Since 18, the supported operators have changed only in their types, in
/// `AveragePool`, which has dilations since 19, and in modes and rules for types that are refused.
const OPSETS: std::ops::RangeInclusive<i64> = 11..=28;
/// The most nodes and tensors that a model may have.
const MOST: usize = 10_000;

/// A model, its nodes in the order in which they compute.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) nodes: Vec<Node>,
    pub(crate) constants: BTreeMap<String, Rc<Tensor>>,
    pub(crate) input: Input,
    pub(crate) outputs: Vec<String>,
}

/// The only input.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The sizes, of which the first one stands for the pictures of a batch.
    pub(crate) sizes: Vec<Option<i64>>,
}

/// A node with its attributes.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) op: String,
    /// The version of the operators.
    pub(crate) opset: i64,
    /// The names of the inputs; empty names stand for omitted inputs.
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
    attributes: BTreeMap<String, proto::Attribute>,
}

impl Model {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let damaged = |error: prost::DecodeError| format!("not an ONNX file, or a damaged one: {error}");
        let model = proto::Model::decode(bytes).map_err(damaged)?;
        let graph = model.graph.ok_or("not an ONNX file, or a damaged one: there is no graph")?;
        let wanted = || format!("export it with opset {} to {}", OPSETS.start(), OPSETS.end());
        let version = standard_version(&model.opset_import)
            .ok_or_else(|| format!("the file does not say which opset it uses; {}", wanted()))?;
        if !OPSETS.contains(&version) {
            return Err(format!("the model uses opset {version}; {}", wanted()));
        }
        for (what, list) in [
            ("nodes", &graph.node),
            ("tensors", &graph.initializer),
            ("inputs", &graph.input),
            ("outputs", &graph.output),
            ("functions", &model.functions),
        ] {
            if list.len() > MOST {
                return Err(format!("{} {what}; at most {MOST} are read", list.len()));
            }
        }
        let mut constants = BTreeMap::new();
        for bytes in &graph.initializer {
            let tensor = proto::Tensor::decode(&**bytes).map_err(damaged)?;
            let name = tensor.name.clone();
            let tensor = Tensor::read(&tensor).map_err(|problem| format!("tensor `{name}`: {problem}"))?;
            constants.insert(name, Rc::new(tensor));
        }
        let nodes = graph.node.iter().map(|bytes| proto::Node::decode(&**bytes).map(|node| Node::new(node, version)));
        let nodes: Vec<Node> = nodes.collect::<Result<_, _>>().map_err(damaged)?;
        let functions = model.functions.iter().map(|bytes| proto::Function::decode(&**bytes));
        let functions: Vec<_> = functions.collect::<Result<_, _>>().map_err(damaged)?;
        let nodes = Expansion::new(&functions, &mut constants, MOST).of(nodes)?;
        let infos = |list: &[Vec<u8>]| {
            list.iter().map(|bytes| proto::ValueInfo::decode(&**bytes)).collect::<Result<Vec<_>, _>>().map_err(damaged)
        };
        // Older exporters list the weights among the inputs.
        let mut inputs = infos(&graph.input)?;
        inputs.retain(|input| !constants.contains_key(&input.name));
        let found = inputs.len();
        let Ok([input]) = <[proto::ValueInfo; 1]>::try_from(inputs) else {
            return Err(format!("the model has {found} inputs; expected one picture"));
        };
        let tensor = input.r#type.and_then(|kind| kind.tensor_type).unwrap_or_default();
        let kind = match tensor.elem_type {
            0 => Kind::Float,
            code => Kind::of(code.into()).ok_or_else(|| format!("the input has numbers of the type {code}"))?,
        };
        let shape = tensor.shape.unwrap_or_default();
        let sizes = shape.dim.iter().map(|dimension| dimension.dim_value.filter(|size| *size > 0)).collect();
        let outputs: Vec<String> = infos(&graph.output)?.into_iter().map(|output| output.name).collect();
        if outputs.is_empty() {
            return Err("the model has no output".to_owned());
        }
        Ok(Self { nodes, constants, input: Input { name: input.name, kind, sizes }, outputs })
    }
}

/// The version of the standard operators.
pub(crate) fn standard_version(sets: &[proto::OperatorSet]) -> Option<i64> {
    sets.iter().find(|set| set.domain.is_empty() || set.domain == "ai.onnx").map(|set| set.version)
}

impl Node {
    pub(crate) fn new(node: proto::Node, opset: i64) -> Self {
        let attributes = node.attribute.into_iter().map(|attribute| (attribute.name.clone(), attribute)).collect();
        let is_standard = node.domain.is_empty() || node.domain == "ai.onnx";
        let op = if is_standard { node.op_type } else { format!("{}.{}", node.domain, node.op_type) };
        Self { name: node.name, op, opset, inputs: node.input, outputs: node.output, attributes }
    }

    /// A node that does a part of what this one stands for.
    pub(crate) fn step(&self, op: &str, inputs: &[&str], output: &str, floats: Option<[(&str, f32); 2]>) -> Self {
        let attribute = |(name, f): (&str, f32)| {
            let name = name.to_owned();
            (name.clone(), proto::Attribute { name, f, ..proto::Attribute::default() })
        };
        Self {
            name: self.name.clone(),
            op: op.to_owned(),
            opset: self.opset,
            inputs: inputs.iter().map(|&input| input.to_owned()).collect(),
            outputs: vec![output.to_owned()],
            attributes: floats.into_iter().flatten().map(attribute).collect(),
        }
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&proto::Attribute> {
        self.attributes.get(name)
    }

    /// The name of the node in messages.
    pub(crate) fn shown(&self) -> String {
        let output = self.outputs.first().map_or("", String::as_str);
        let name = if self.name.is_empty() { output } else { &self.name };
        format!("node `{name}` ({})", self.op)
    }

    pub(crate) fn int(&self, name: &str, default: i64) -> i64 {
        self.attributes.get(name).map_or(default, |attribute| attribute.i)
    }

    pub(crate) fn float(&self, name: &str, default: f32) -> f64 {
        f64::from(self.attributes.get(name).map_or(default, |attribute| attribute.f))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.attributes.contains_key(name)
    }

    pub(crate) fn ints(&self, name: &str) -> Option<&[i64]> {
        self.attributes.get(name).map(|attribute| attribute.ints.as_slice())
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.attributes.get(name).map(|attribute| String::from_utf8_lossy(&attribute.s).into_owned())
    }

    /// The value of a node `Constant`.
    pub(crate) fn constant(&self) -> Result<Tensor, String> {
        let attribute = |name: &str| self.attributes.get(name);
        if let Some(tensor) = attribute("value").and_then(|attribute| attribute.t.as_deref()) {
            return Tensor::read(tensor);
        }
        if let Some(value) = attribute("value_float") {
            return Ok(Tensor::single_of(Kind::Float, f64::from(value.f)));
        }
        if let Some(value) = attribute("value_int") {
            return Ok(Tensor::single_of(Kind::INDEX, Tensor::integer(value.i)));
        }
        if let Some(values) = attribute("value_floats") {
            return Ok(Tensor::list(Kind::Float, values.floats.iter().copied().map(f64::from).collect()));
        }
        if let Some(values) = attribute("value_ints") {
            return Ok(Tensor::list(Kind::INDEX, values.ints.iter().copied().map(Tensor::integer).collect()));
        }
        Err("the constant has no numbers".to_owned())
    }
}
