//! Decodes the bytes of a file into nodes and constants.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::functions::Expansion;
use super::kind::{Kind, type_name};
use super::node::{Node, standard_version};
use super::proto;
use super::tensor::{self, Tensor};
use super::wire::{self, Message as _};

/// The supported versions of the operators. Before 11, bounds of `Clip`, slices and padding are attributes. Since 18, the supported operators have changed only in their types, in
/// `AveragePool`, which has dilations since 19, and in modes and rules for types that are refused.
const OPSETS: std::ops::RangeInclusive<i64> = 7..=28;
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

impl Model {
    /// The places of the nodes that outputs need.
    pub(crate) fn needed(&self) -> BTreeSet<usize> {
        let mut read: BTreeSet<&str> = self.outputs.iter().map(String::as_str).collect();
        let mut needed = BTreeSet::new();
        for (place, node) in self.nodes.iter().enumerate().rev() {
            if node.outputs.iter().any(|output| !output.is_empty() && read.contains(output.as_str())) {
                read.extend(node.inputs.iter().map(String::as_str));
                needed.insert(place);
            }
        }
        needed
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let damaged = |error: wire::Damage| format!("not an ONNX file, or a damaged one: {error}");
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
            ("sparse tensors", &graph.sparse_initializer),
            ("inputs", &graph.input),
            ("outputs", &graph.output),
            ("functions", &model.functions),
        ] {
            if list.len() > MOST {
                return Err(format!("{} {what}; at most {MOST} are read", list.len()));
            }
        }
        let mut constants = BTreeMap::new();
        let mut tensors = Vec::new();
        for bytes in &graph.initializer {
            let tensor = proto::Tensor::decode(bytes).map_err(damaged)?;
            tensors.push((tensor.name.clone(), Tensor::read(&tensor)));
        }
        // A few bytes may stand for many numbers.
        let mut room = tensor::MOST;
        for bytes in &graph.sparse_initializer {
            let sparse = proto::SparseTensor::decode(bytes).map_err(damaged)?;
            let name = sparse.values.as_ref().map_or(String::new(), |values| values.name.clone());
            let tensor = Tensor::of_sparse(&sparse, room);
            room -= tensor.as_ref().map_or(0, |tensor| tensor.values.len());
            tensors.push((name, tensor));
        }
        let mut problems = Vec::new();
        for (name, tensor) in tensors {
            let twice = "there are two of this name; export the model again";
            let added = tensor.map(|tensor| constants.insert(name.clone(), Rc::new(tensor)).is_none());
            let added = added.and_then(|is_new| if is_new { Ok(()) } else { Err(twice.to_owned()) });
            problems.extend(added.err().map(|problem| format!("tensor `{name}`: {problem}")));
        }
        if !problems.is_empty() {
            return Err(problems.join("\n"));
        }
        let nodes = graph.node.iter().map(|bytes| proto::Node::decode(bytes).map(|node| Node::new(node, version)));
        let nodes: Vec<Node> = nodes.collect::<Result<_, _>>().map_err(damaged)?;
        let functions = model.functions.iter().map(|bytes| proto::Function::decode(bytes));
        let functions: Vec<_> = functions.collect::<Result<_, _>>().map_err(damaged)?;
        let nodes = Expansion::new(&functions, &mut constants, MOST)?.of(nodes)?;
        let infos = |list: &[Vec<u8>]| {
            list.iter().map(|bytes| proto::ValueInfo::decode(bytes)).collect::<Result<Vec<_>, _>>().map_err(damaged)
        };
        // Older exporters list the weights among the inputs.
        let mut inputs = infos(&graph.input)?;
        inputs.retain(|input| !constants.contains_key(&input.name));
        let [input] = <[proto::ValueInfo; 1]>::try_from(inputs).map_err(|inputs| {
            let names: Vec<String> = inputs.iter().take(8).map(|input| format!("`{}`", input.name)).collect();
            let more = if inputs.len() > names.len() { " and more" } else { "" };
            match inputs.as_slice() {
                [] => "the model has no input; expected one picture".to_owned(),
                all => format!("the model has {} inputs, {}{more}; expected one picture", all.len(), names.join(", ")),
            }
        })?;
        let tensor = input.r#type.and_then(|kind| kind.tensor_type).unwrap_or_default();
        let kind = match tensor.elem_type {
            0 => Kind::Float,
            code => Kind::of(code.into()).ok_or_else(|| {
                let name = &input.name;
                format!(
                    "the input `{name}` has numbers of the type {}; expected floating point or integers",
                    type_name(code.into())
                )
            })?,
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
