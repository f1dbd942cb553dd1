//! Graphs of operators, and their evaluation.

use std::collections::BTreeMap;

use prost::Message as _;

use super::call::Call;
use super::proto::{self, Node};
use super::tensor::Tensor;

/// A model: its operators in the order in which they compute.
#[derive(Clone, Debug)]
pub struct Graph {
    opset: i64,
    nodes: Vec<Node>,
    constants: BTreeMap<String, Tensor>,
    input: String,
    /// The sizes of the input; 0 for those that the model leaves open.
    sizes: Vec<usize>,
    outputs: Vec<String>,
}

impl Graph {
    /// Reads a model with one input.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let model = proto::Model::decode(bytes).map_err(|error| error.to_string())?;
        let standard = model.opset_import.iter().find(|set| set.domain.is_empty() || set.domain == "ai.onnx");
        let opset = standard.ok_or("the version of the operators is missing")?.version;
        let graph = model.graph.ok_or("there is no graph")?;
        let constants = graph.initializer.iter().map(|tensor| Ok((tensor.name.clone(), Tensor::read(tensor)?)));
        let constants: BTreeMap<String, Tensor> = constants.collect::<Result<_, String>>()?;
        let inputs: Vec<_> = graph.input.into_iter().filter(|input| !constants.contains_key(&input.name)).collect();
        let [input] = inputs.as_slice() else { return Err(format!("{} inputs; expected one", inputs.len())) };
        let shape = input.r#type.as_ref().and_then(|kind| kind.tensor_type.as_ref()?.shape.as_ref());
        let size = |dimension: &proto::Dimension| dimension.dim_value.and_then(|size| usize::try_from(size).ok());
        let sizes = shape.map(|shape| shape.dim.iter().map(|dimension| size(dimension).unwrap_or(0)).collect());
        Ok(Self {
            opset,
            nodes: graph.node,
            constants,
            input: input.name.clone(),
            sizes: sizes.unwrap_or_default(),
            outputs: graph.output.into_iter().map(|output| output.name).collect(),
        })
    }

    /// The rows and columns of the picture.
    pub fn picture(&self) -> Result<(usize, usize), String> {
        match *self.sizes.as_slice() {
            [_, 1, height, width] if height > 0 && width > 0 => Ok((height, width)),
            _ => Err(format!("the sizes of the input are {:?}; expected a picture", self.sizes)),
        }
    }

    /// The values of all outputs for a picture, given row by row.
    pub fn outputs(&self, picture: &[f64]) -> Result<Vec<Tensor>, String> {
        let (height, width) = self.picture()?;
        let mut values: BTreeMap<&str, Tensor> = BTreeMap::new();
        values.insert(&self.input, Tensor::reals(&[1, 1, height, width], picture)?);
        for node in &self.nodes {
            let find = |name: &String| match name.as_str() {
                "" => Ok(None),
                name => values
                    .get(name)
                    .or_else(|| self.constants.get(name))
                    .map(Some)
                    .ok_or_else(|| format!("`{name}` is read before it is made")),
            };
            let inputs = node.input.iter().map(find).collect::<Result<_, _>>()?;
            let made = Call { node, opset: self.opset, inputs }.outputs();
            let made = made.map_err(|problem| format!("node `{}` ({}): {problem}", node.name, node.op_type))?;
            for (name, value) in node.output.iter().zip(made).filter(|(name, _)| !name.is_empty()) {
                values.insert(name, value);
            }
        }
        let value = |name: &String| values.get(name.as_str()).or_else(|| self.constants.get(name)).cloned();
        let outputs = self.outputs.iter().map(|name| value(name).ok_or_else(|| format!("`{name}` is not made")));
        outputs.collect()
    }
}
