//! `cain import MODEL.onnx`: trained networks to networks in kernel files.

mod array;
mod constants;
mod controller;
mod finish;
mod forms;
mod graph;
mod in_pixel;
mod model;
mod nodes;
mod proto;
mod read_out;
mod sliding;
mod tensor;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use cain_search::network::{Image, MOST_NUMBERS, MOST_PIXELS, Network, Source};

use forms::Forms;
use graph::{Became, Graph, Maps, Value};
use model::Model;

pub(super) use in_pixel::read as read_in_pixel;

/// The largest model that is read. Messages of ONNX may take some ten times their size in memory.
pub(super) const MAX_BYTES: u64 = 1 << 23;

/// What the model does not say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    pub(super) levels: (f64, f64),
    pub(super) range: Option<(f64, f64)>,
    pub(super) binarise: Option<u8>,
    pub(super) depth: Option<u32>,
}

/// A network, and what became of the model.
#[derive(Debug)]
pub(super) struct Imported {
    pub(super) network: Network,
    /// Lines about nodes and about rounding.
    pub(super) remarks: Vec<String>,
}

/// Reads a model; the error lists what is wrong.
pub(super) fn read(bytes: &[u8], name: &str, choices: Choices) -> Result<Imported, String> {
    let model = Model::read(bytes)?;
    let (height, width) = picture(&model.input.1)?;
    let mut graph = Graph::default();
    for (name, tensor) in &model.constants {
        graph.values.insert(name.clone(), Rc::new(Value::Constant(tensor.clone())));
    }
    let maps = Maps { source: Source::Image, size: (1, height, width), pending: None };
    graph.values.insert(model.input.0.clone(), Rc::new(Value::Maps(maps)));
    for name in model.nodes.iter().flat_map(|node| &node.inputs).chain(&model.outputs) {
        *graph.readers.entry(name.clone()).or_default() += 1;
    }
    for node in &model.nodes {
        nodes::read(&mut graph, node).map_err(|problem| format!("{}: {problem}", node.shown()))?;
    }
    let outputs: Vec<usize> = model
        .outputs
        .iter()
        .map(|name| output(&mut graph, name).map_err(|problem| format!("output `{name}`: {problem}")))
        .collect::<Result<_, _>>()?;
    let range = choices.range.unwrap_or(choices.levels);
    let (scale, shift) = graph.image.unwrap_or((1.0, 0.0));
    let input = Image {
        height,
        width,
        levels: choices.levels,
        range: (range.0 * scale + shift, range.1 * scale + shift),
        binarise: choices.binarise,
    };
    let finished = finish::finish(name.to_owned(), input, &graph.drafts, &outputs, choices.depth)?;
    let mut remarks = report(&graph, &finished);
    remarks.extend(finished.rounding);
    Ok(Imported { network: finished.network, remarks })
}

/// The size of the only input.
fn picture(sizes: &[Option<i64>]) -> Result<(usize, usize), String> {
    let side = |size: Option<i64>| size.and_then(|size| usize::try_from(size).ok()).filter(|size| *size <= MOST_PIXELS);
    match *sizes {
        [batch, Some(1), height, width] if batch.is_none_or(|batch| batch == 1) => side(height).zip(side(width)),
        // The pictures of a batch are independent of each other.
        [_, Some(1), height, width] => side(height).zip(side(width)),
        _ => None,
    }
    .ok_or_else(|| {
        let sizes: Vec<String> =
            sizes.iter().map(|size| size.map_or("?".to_owned(), |size| size.to_string())).collect();
        format!(
            "the input has the sizes [{}]; expected pictures of one channel, [?, 1, rows, columns]",
            sizes.join(", ")
        )
    })
}

/// The layer that makes an output.
fn output(graph: &mut Graph, name: &str) -> Result<usize, String> {
    let forms: Forms = match &*graph.value(name)? {
        Value::Forms(forms) => forms.clone(),
        Value::Constant(_) => return Err("does not depend on the picture".to_owned()),
        Value::Maps(_) | Value::Padded(..) | Value::Part(..) | Value::Condition(_) => {
            return match graph.maps(name)?.0 {
                Source::Layer(layer) => Ok(layer),
                Source::Image => Err("is the picture itself".to_owned()),
            };
        }
    };
    graph.numbers(&forms, name)
}

/// A line for each node: where it runs.
fn report(graph: &Graph, finished: &finish::Finished) -> Vec<String> {
    let layers = &finished.network.layers;
    let shapes = finished.network.shapes().unwrap_or_default();
    let layer =
        |draft: usize| finished.layers.get(&draft).and_then(|layer| Some((layers.get(*layer)?, shapes.get(*layer)?)));
    let names: BTreeMap<usize, &str> = graph.drafts.iter().map(|draft| draft.name.as_str()).enumerate().collect();
    let became = |what: &Became| match what {
        Became::Constant => "a constant".to_owned(),
        Became::Text(text) => (*text).to_owned(),
        Became::In(draft) => format!("folded into `{}`", names.get(draft).copied().unwrap_or_default()),
        Became::Layer(draft) => match layer(*draft) {
            Some((layer, shape @ cain_search::network::Shape::Maps { .. })) => {
                format!("array: `{}`, {} to {shape}", layer.name, layer.operation.name())
            }
            Some((layer, shape)) => format!("controller: `{}`, {} to {shape}", layer.name, layer.operation.name()),
            None => "part of the layers behind it".to_owned(),
        },
    };
    // Exporters write dozens of constants, for the sizes of slices.
    let (constants, steps): (Vec<_>, Vec<_>) =
        graph.steps.iter().partition(|step| matches!(step.what, Became::Constant));
    let mut lines: Vec<String> = steps.iter().map(|step| format!("{}: {}", step.node, became(&step.what))).collect();
    if !constants.is_empty() {
        lines.push(format!("{} nodes are constants", constants.len()));
    }
    lines
}

/// Refuses more numbers than a network can have.
fn check_numbers(count: usize) -> Result<(), String> {
    if count <= MOST_NUMBERS { Ok(()) } else { Err(format!("{count} numbers; at most {MOST_NUMBERS} are possible")) }
}
