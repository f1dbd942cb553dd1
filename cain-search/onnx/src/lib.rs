//! Reads trained networks from ONNX models.
//!
//! [`read`] makes a [`Network`] of a model, [`read_in_pixel`] one whose weights are in the pixels. A model is first read
//! node for node into a graph whose values have types and sizes; passes replace nodes for all that read them, each a whole
//! value at a time; what is left is lowered to layers, and the model's numbers are rounded to weights that the array has.
//! [`Check`] runs the model by an [`evaluator`] of its own, and compares every output with that of the network.

#![expect(clippy::float_cmp, reason = "only exact values make a number that does nothing")]

mod axes;
mod bounds;
mod check;
mod draft;
mod evaluate;
pub mod evaluator;
mod external;
mod finish;
mod functions;
mod graph;
mod in_pixel;
mod index;
mod kind;
mod lower;
mod model;
mod node;
mod numbers;
mod op;
mod passes;
mod phases;
mod picture;
mod proto;
mod read;
mod rounding;
mod substitutes;
mod tensor;
#[cfg(test)]
mod tests;
mod wire;

use std::collections::BTreeMap;

use cain_network::{Image, Network, Shape};

use graph::Became;
use lower::Lowered;
use model::Model;
use node::Node;
use picture::Picture;
use rounding::Rounding;

pub use check::{Check, Compared};
pub use external::with_external;
pub use in_pixel::read as read_in_pixel;

/// The size of the largest model that is read. In memory, messages of ONNX may take about ten times their size.
pub const MAX_BYTES: u64 = 1 << 23;

/// Choices that the model does not contain.
#[derive(Clone, Copy, Debug)]
pub struct Choices {
    /// The values on the array of a black and of a white pixel, in DN.
    pub levels: (f64, f64),
    /// The numbers that the model was trained on for black and white; without them, the model must tell them by how it
    /// begins.
    pub range: Option<(f64, f64)>,
    /// Pixels of at least this grey are white and all others black.
    pub binarise: Option<u8>,
    /// Weights on the array are rounded to multiples of 1/2^depth, or of half of that as often as makes the largest weight of a layer
    /// at least 1/8 beside it; without a depth they must be such multiples.
    pub depth: Option<u32>,
}

/// A network, and what became of the nodes of the model.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The network.
    pub network: Network,
    /// The network before its weights were rounded.
    pub unrounded: Network,
    /// The numbers that the model takes for black and white.
    pub range: (f64, f64),
    /// The outputs that are probabilities, where the model returns their logarithms.
    pub logarithms: Vec<usize>,
    /// Remarks about nodes and about rounding, one a line.
    pub remarks: Vec<String>,
    /// Whether weights on the array are rounded so much that outputs are others; a remark then begins with `warning:`.
    pub is_coarse: bool,
}

/// Whether the file looks like a model.
#[must_use]
pub fn is_model(bytes: &[u8]) -> bool {
    Model::read(bytes).is_ok()
}

/// Reads a model; the error lists everything that is wrong.
pub fn read(bytes: &[u8], name: &str, choices: Choices) -> Result<Imported, String> {
    let model = Model::read(bytes)?;
    let refused = |problem| [vec![problem], read::without_counterpart(&model)].concat().join("\n");
    let picture = Picture::of(&model.input).map_err(refused)?;
    let whole = picture::whole(model.input.kind, choices.range, choices.binarise.is_some());
    let graph = passes::simplified(read::graph(&model, &picture, whole)?, choices.range, &mut |_, _, _| {});
    let shown = |node: usize| model.nodes.get(node).map_or(String::new(), Node::shown);
    let lowered = lower::lower(&graph, &shown, &model.outputs)?;
    let (scale, shift) = lowered.image;
    let own = picture::own_range(model.input.kind, lowered.image);
    let range = choices.range.or(own).ok_or_else(|| picture::no_range(lowered.image))?;
    picture::check_range(model.input.kind, range, choices.binarise.is_some())?;
    let input = Image {
        height: picture.height,
        width: picture.width,
        levels: choices.levels,
        range: (range.0 * scale + shift, range.1 * scale + shift),
        binarise: choices.binarise,
    };
    let finish = |depth| finish::finish(name.to_owned(), input, &lowered.drafts, &lowered.outputs, depth);
    let finished = finish(Rounding::To(choices.depth))?;
    let unrounded = finish(Rounding::Finest)?.network;
    let mut remarks = report(&model, &lowered, &finished);
    if choices.range.is_none() {
        remarks
            .push(format!("the numbers for black and white are {} and {}, by how the model begins", range.0, range.1));
    }
    remarks.extend(lowered.remarks);
    remarks.extend(finished.rounding);
    let is_logarithm = |id: &graph::Id| matches!(graph.op(*id), Some(op::Op::Softmax { is_logarithm: true, .. }));
    let outputs = graph.outputs.iter().enumerate();
    let logarithms = outputs.filter_map(|(output, id)| is_logarithm(id).then_some(output)).collect();
    let (network, is_coarse) = (finished.network, finished.is_coarse);
    Ok(Imported { network, unrounded, range, logarithms, remarks, is_coarse })
}

/// A line for each node that says where it runs.
fn report(model: &Model, lowered: &Lowered, finished: &finish::Finished) -> Vec<String> {
    let shapes = finished.network.shapes().unwrap_or_default();
    let layers: BTreeMap<usize, _> = finished.network.layers.iter().zip(&shapes).enumerate().collect();
    let layer = |draft: usize| finished.layers.get(&draft).and_then(|layer| layers.get(layer));
    let ends = ends(&lowered.became, model.nodes.len());
    let mut constants = 0;
    let mut lines = Vec::new();
    for (place, node) in model.nodes.iter().enumerate() {
        let what = ends.get(place).copied().flatten();
        let is_into = matches!(lowered.became.get(&place), Some(Became::Into(_)));
        let became = match what {
            Some(Became::Constant) => {
                // Exporters write dozens of constants for the sizes of slices.
                constants += 1;
                continue;
            }
            Some(Became::Layer(draft)) => match layer(*draft) {
                Some((layer, _)) if is_into => format!("folded into `{}`", layer.name),
                Some((layer, shape @ Shape::Maps { .. })) => {
                    format!("array: `{}`, {} to {shape}", layer.name, layer.operation.name())
                }
                Some((layer, shape)) => {
                    format!("controller: `{}`, {} to {shape}", layer.name, layer.operation.name())
                }
                None => "part of the layers behind it".to_owned(),
            },
            Some(Became::Text(text)) => (*text).to_owned(),
            Some(Became::Into(_)) | None => "dropped".to_owned(),
        };
        lines.push(format!("{}: {became}", node.shown()));
    }
    if constants > 0 {
        lines.push(format!("{constants} nodes are constants"));
    }
    lines
}

/// The final result for each node of the file; nodes that were merged into others get the result of these.
fn ends(became: &BTreeMap<usize, Became>, nodes: usize) -> Vec<Option<&Became>> {
    let mut ends: Vec<Option<&Became>> = vec![None; nodes];
    // Most nodes become a part of later ones, so later ones are resolved first.
    for place in (0..nodes).rev() {
        let mut end = became.get(&place);
        for _ in 0..nodes {
            let Some(Became::Into(other)) = end else { break };
            end = ends.get(*other).copied().flatten().or_else(|| became.get(other));
        }
        if let Some(known) = ends.get_mut(place) {
            *known = end;
        }
    }
    ends
}
