//! Nodes as they are in a file.

use std::collections::BTreeMap;

use super::kind::Kind;
use super::proto;
use super::tensor::{self, Tensor};

/// A node with its attributes.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) op: String,
    /// Which function is called, of those with the same name.
    pub(crate) overload: String,
    /// The version of the operators.
    pub(crate) opset: i64,
    /// The names of the inputs; empty names stand for omitted inputs.
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
    attributes: BTreeMap<String, proto::Attribute>,
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
        let (inputs, outputs, overload) = (node.input, node.output, node.overload);
        Self { name: node.name, op, overload, opset, inputs, outputs, attributes }
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
            overload: String::new(),
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
        if let Some(sparse) = attribute("sparse_value").and_then(|attribute| attribute.sparse_tensor.as_deref()) {
            return Tensor::of_sparse(sparse, tensor::MOST);
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
