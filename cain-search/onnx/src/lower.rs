//! Lowers a simplified graph to layers: maps on the array, read-outs of them, and numbers on the controller.
//!
//! Layers never change. A factor that no layer has absorbed yet belongs to the value, and becomes a layer of its own
//! where scaled maps are needed.

mod array;
mod channels;
mod controller;
mod forms;
mod means;
mod outputs;
mod pairs;
mod parts;
mod read_out;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cain_network::{Operation, Source, Window};

use super::bounds;
use super::draft::{Draft, Size, Work};
use super::graph::{Became, Graph, Id, Node};
use super::kind::MOST_EXACT;
use super::numbers::check_numbers;
use super::op::{Each, Op};
use super::substitutes;
use super::tensor::Tensor;
use forms::Forms;

/// The most numbers and terms that all values may hold together.
const MOST_HELD: usize = 1 << 22;
/// The most weights that all layers may have together.
const MOST_WEIGHTS: usize = 1 << 23;

/// The value that a node makes.
#[derive(Clone, Debug)]
enum Value {
    Constant(Rc<Tensor>),
    Maps(View),
    Forms(Forms),
    /// The value of a node that is refused, or that reads such a value.
    Refused,
}

/// A part of the maps of a layer, with pending factors for its channels.
#[derive(Clone, Debug)]
struct View {
    source: Source,
    /// The size of all maps of the layer.
    size: Size,
    /// The first channel and the number of channels.
    channels: (usize, usize),
    window: Window,
    /// The pending factor and summand of each channel of the part.
    factors: Option<Vec<(f64, f64)>>,
}

impl View {
    fn whole(source: Source, size: Size) -> Self {
        let window = Window { top: 0, left: 0, height: size.1, width: size.2 };
        Self { source, size, channels: (0, size.0), window, factors: None }
    }

    fn is_whole(&self) -> bool {
        self.part() == self.size
    }

    fn dims(&self) -> [usize; 4] {
        [1, self.channels.1, self.window.height, self.window.width]
    }

    /// The size of the part.
    fn part(&self) -> Size {
        (self.channels.1, self.window.height, self.window.width)
    }

    /// The pending factor and summand of a channel of the part.
    fn factor(&self, channel: usize) -> (f64, f64) {
        self.factors.as_ref().and_then(|factors| factors.get(channel).copied()).unwrap_or((1.0, 0.0))
    }
}

/// The layers of a graph.
pub(crate) struct Lowered {
    pub(crate) drafts: Vec<Draft>,
    /// The drafts that make the outputs, each of which no other layer reads.
    pub(crate) outputs: Vec<usize>,
    /// The factor and the summand of the picture.
    pub(crate) image: (f64, f64),
    /// What became of nodes of the file.
    pub(crate) became: BTreeMap<usize, Became>,
    /// Remarks about outputs.
    pub(crate) remarks: Vec<String>,
}

/// Lowers a graph; `shown` names a node of the file, and `outputs` has the names of the outputs.
pub(crate) fn lower(graph: &Graph, shown: &dyn Fn(usize) -> String, outputs: &[String]) -> Result<Lowered, String> {
    let bounds = bounds::whole(graph);
    let mut lower = Lower {
        graph,
        drafts: Vec::new(),
        values: Vec::new(),
        settled: BTreeMap::new(),
        names: BTreeSet::new(),
        held: 0,
        weights: 0,
        read_outs: Vec::new(),
        picture: (0, 0, 0),
        passed_on: None,
        remarks: Vec::new(),
        image: (1.0, 0.0),
        bounds,
        became: graph.became.clone(),
        node: 0,
        at_fault: None,
    };
    let mut problems = Vec::new();
    for (id, node) in graph.nodes.iter().enumerate() {
        lower.node = id;
        let is_refused = |id: &Id| matches!(lower.values.get(*id).map(|value| &**value), Some(Value::Refused));
        if node.inputs.iter().any(is_refused) {
            // It would be refused whatever it reads.
            let problem = match &*node.op {
                Op::Each(each @ (Each::Sqrt | Each::Round | Each::Floor | Each::Ceil | Each::Tanh)) => {
                    Some(substitutes::none(each.name()))
                }
                Op::Quantise { .. } => Some(substitutes::ROUNDED.to_owned()),
                _ => None,
            };
            problems.extend(problem.zip(node.origin).map(|(problem, origin)| format!("{}: {problem}", shown(origin))));
            lower.values.push(Rc::new(Value::Refused));
            continue;
        }
        let value = lower.value_of(node).and_then(|value| {
            check_whole(node, lower.bounds.get(id).copied().flatten())?;
            lower.hold(&value)?;
            Ok(value)
        });
        let value = value.unwrap_or_else(|problem| {
            let fault = lower.at_fault.take().and_then(|id| graph.node(id)?.origin);
            problems.push(match fault.or(node.origin) {
                Some(origin) => format!("{}: {problem}", shown(origin)),
                None => problem,
            });
            Value::Refused
        });
        lower.values.push(Rc::new(value));
    }
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let mut made = Vec::new();
    for (id, name) in graph.outputs.iter().zip(outputs) {
        match lower.output(*id, name) {
            Ok(draft) => made.push(draft),
            Err(problem) => problems.push(format!("output `{name}`: {problem}")),
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let outputs = lower.heads(&made);
    let Lower { drafts, image, became, remarks, .. } = lower;
    Ok(Lowered { drafts, outputs, image, became, remarks })
}

/// Refuses integers that may leave the range of their type, where they would wrap around.
fn check_whole(node: &Node, bounds: Option<(f64, f64)>) -> Result<(), String> {
    let is_made = !matches!(*node.op, Op::Constant(_) | Op::Image { .. });
    match (node.fact.kind.bounds(), bounds) {
        (Some((least, most)), Some((low, high))) if low >= least.max(-MOST_EXACT) && high <= most.min(MOST_EXACT) => {
            Ok(())
        }
        (Some(_), _) if is_made => {
            let kind = node.fact.kind;
            Err(format!(
                "calculates with numbers of the type {kind} that may leave it or be rounded; cast them to float first"
            ))
        }
        _ => Ok(()),
    }
}

struct Lower<'g> {
    graph: &'g Graph,
    drafts: Vec<Draft>,
    values: Vec<Rc<Value>>,
    /// The layers made for maps with factors.
    settled: BTreeMap<Id, usize>,
    names: BTreeSet<String>,
    /// The number of numbers and terms that all values hold.
    held: usize,
    weights: usize,
    /// The read-outs so far: the maps, their windows and the layer.
    read_outs: Vec<(usize, Vec<Window>, usize)>,
    /// The size of the picture, and the layer that passes it on.
    picture: Size,
    passed_on: Option<usize>,
    remarks: Vec<String>,
    image: (f64, f64),
    /// The least and the largest number of each node, if all are whole.
    bounds: Vec<Option<(f64, f64)>>,
    became: BTreeMap<usize, Became>,
    /// The node that is being lowered.
    node: Id,
    /// The node that is named if that one is refused, and another one is at fault.
    at_fault: Option<Id>,
}

impl<'g> Lower<'g> {
    fn value_of(&mut self, node: &'g Node) -> Result<Value, String> {
        match &*node.op {
            Op::Image { scale, shift, .. } => {
                self.image = (*scale, *shift);
                let [_, _, height, width] = node.fact.dims.as_slice() else { return Err("is no picture".to_owned()) };
                self.picture = (1, *height, *width);
                Ok(Value::Maps(View::whole(Source::Image, self.picture)))
            }
            Op::Constant(tensor) => Ok(Value::Constant(Rc::clone(tensor))),
            Op::Each(each) => match each {
                Each::Relu => self.relu(node),
                Each::Abs => self.abs(node),
                Each::Leaky { alpha } => self.leaky_relu(node, *alpha),
                Each::Sign => Err("expected maps on the array".to_owned()),
                Each::Not => self.affine(node, &Tensor::scalar(-1.0), &Tensor::scalar(1.0)),
                Each::Sigmoid => self.sigmoid(node),
                Each::Neg | Each::Sqrt | Each::Round | Each::Floor | Each::Ceil | Each::Tanh => {
                    Err(substitutes::none(each.name()))
                }
            },
            Op::Quantise { .. } => Err(substitutes::ROUNDED.to_owned()),
            Op::Slopes(slopes) => self.bent(node, slopes),
            Op::Cast => Err(self.why_not_cast(node)),
            Op::Pair(pair) => self.pair(node, *pair),
            Op::Extreme { is_max } => self.extreme(node, *is_max),
            Op::Where => self.selection(node),
            Op::Clamp { low, high } => self.clamp(node, *low, *high),
            Op::Affine { scale, shift } => self.affine(node, scale, shift),
            Op::Threshold { at, inclusive, below, above } => {
                let (inclusive, below, above) = (*inclusive, *below, *above);
                self.compared(node)?;
                self.maps_layer(node, Operation::Threshold { at: at.clone(), inclusive, below, above })
            }
            Op::Cut { at, inclusive, below, above } => {
                self.compared(node)?;
                self.cut(node, (at, *inclusive), *below, *above)
            }
            Op::Sign { at } => {
                self.compared(node)?;
                let (source, size) = self.maps(node, 0)?;
                Ok(self.layer(node, vec![source], Work::Sign { at: at.clone() }, size))
            }
            Op::Convolution(convolution) => self.convolution(node, convolution),
            Op::MaxPool(_) | Op::MeanPool { .. } => self.pooling(node),
            Op::Pad(padding) => self.padded(node, *padding),
            Op::Surrounded { value, .. } => Err(format!(
                "pads with {value}, which only a `MaxPool` behind it can leave out, if each of its windows has a pixel of the maps; \
                 let the pooling pad, or pad with a finite number"
            )),
            Op::Around { sides, value } => Err(self.why_not_around(node, sides, *value)),
            Op::Reduce { axes, is_mean, keeps } => self.reduction(node, axes, *is_mean, *keeps),
            Op::Slice(slices) => self.slice(node, slices),
            Op::Concat { axis } => self.concatenation(node, *axis),
            Op::Transpose { order } => self.transposition(node, order),
            Op::Reshape => self.reshape(node),
            Op::Dense(dense) => self.dense_layer(node, dense),
            Op::Take { axis, places } => self.chosen(node, *axis, places),
            Op::Phases(phases) => self.phases(node, phases),
            Op::Product { .. } => Err(substitutes::none("ReduceProd")),
            Op::Softmax { is_logarithm: true, .. } if !self.is_only_output() => Err(
                "the controller has no logarithm; return it as the last node, which becomes a softmax, or choose the \
                 largest by `argmax`"
                    .to_owned(),
            ),
            Op::Softmax { axis, is_to_end, .. } => self.softmax(node, *axis, *is_to_end),
            Op::ArgMax { axis } => self.argmax(node, *axis),
        }
    }

    /// Whether the node is an output, and no other node reads it.
    fn is_only_output(&self) -> bool {
        self.graph.nodes.iter().all(|node| !node.inputs.contains(&self.node))
    }

    /// The value of an input.
    fn value(&self, node: &Node, input: usize) -> Result<Rc<Value>, String> {
        let value = node.inputs.get(input).and_then(|id| self.values.get(*id).cloned());
        value.ok_or_else(|| format!("input {} is missing", input + 1))
    }

    /// Counts the numbers of a value; fails if all values together become too large.
    fn hold(&mut self, value: &Value) -> Result<(), String> {
        if let Value::Forms(forms) = value {
            self.held += forms.forms.iter().map(|form| form.terms.len() + 1).sum::<usize>();
        }
        if self.held > MOST_HELD {
            return Err(format!("all nodes up to this one make more than {MOST_HELD} numbers off the array"));
        }
        Ok(())
    }

    /// Counts the weights of layers before they are built; fails if there are too many in all.
    fn hold_weights(&mut self, count: usize) -> Result<(), String> {
        check_numbers(count)?;
        self.weights += count;
        if self.weights > MOST_WEIGHTS {
            return Err(format!("all layers up to this one have more than {MOST_WEIGHTS} weights"));
        }
        Ok(())
    }

    fn became(&mut self, node: &Node, what: Became) {
        if let Some(origin) = node.origin {
            self.became.insert(origin, what);
        }
    }

    /// Adds a layer; its name is made of that text, and no other layer has it.
    fn push(&mut self, name: &str, from: Vec<Source>, work: Work, size: Option<Size>) -> usize {
        let name = self.fresh_name(name);
        self.drafts.push(Draft { name, from, work, size });
        self.drafts.len() - 1
    }

    fn fresh_name(&mut self, text: &str) -> String {
        let parts: Vec<&str> =
            text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let word: String = parts.join("_").to_ascii_lowercase().chars().take(60).collect();
        let word = if word.is_empty() { "layer".to_owned() } else { word };
        let numbered = (2..).map(|number| format!("{word}_{number}"));
        let fits = |name: &String| name != "image" && !self.names.contains(name);
        let name = std::iter::once(word.clone()).chain(numbered).find(fits).unwrap_or(word);
        self.names.insert(name.clone());
        name
    }

    /// Adds a layer and returns its maps.
    fn layer(&mut self, node: &Node, from: Vec<Source>, work: Work, size: Size) -> Value {
        let layer = self.push(&node.name, from, work, Some(size));
        self.became(node, Became::Layer(layer));
        Value::Maps(View::whole(Source::Layer(layer), size))
    }

    /// Adds a layer that makes maps of maps of the same size.
    fn maps_layer(&mut self, node: &Node, operation: Operation) -> Result<Value, String> {
        let (source, size) = self.maps(node, 0)?;
        Ok(self.layer(node, vec![source], Work::Ready(operation), size))
    }

    /// The layer whose maps an input is, with all factors applied.
    fn maps(&mut self, node: &Node, input: usize) -> Result<(Source, Size), String> {
        let id = node.inputs.get(input).copied().ok_or_else(|| format!("input {} is missing", input + 1))?;
        self.maps_of(id)
    }

    fn maps_of(&mut self, id: Id) -> Result<(Source, Size), String> {
        let (value, node) = self.values.get(id).cloned().zip(self.graph.node(id)).ok_or("reads what is not made")?;
        match &*value {
            Value::Maps(view) if view.is_whole() && view.factors.is_none() => Ok((view.source, view.size)),
            Value::Maps(view) => {
                if let Some(layer) = self.settled.get(&id) {
                    return Ok((Source::Layer(*layer), view.part()));
                }
                let layer = if view.is_whole() {
                    let (scale, shift) = (0..view.channels.1).map(|channel| view.factor(channel)).unzip();
                    self.push(&node.name, vec![view.source], Work::Affine { scale, shift }, Some(view.size))
                } else {
                    self.part_of(&node.name, view)?
                };
                self.settled.insert(id, layer);
                self.became(node, Became::Layer(layer));
                Ok((Source::Layer(layer), view.part()))
            }
            Value::Forms(forms) if forms.forms.iter().any(|form| !form.terms.is_empty()) => {
                let otherwise = format!(
                    "expected maps on the array, but `{}` is on the controller, whose numbers the array does not get back",
                    node.name
                );
                Err(self.why_no_maps(id, otherwise))
            }
            // Most constants of the file have no name of their own here.
            Value::Constant(_) | Value::Forms(_) => {
                let dims = &node.fact.dims;
                let what = node.origin.map_or_else(String::new, |_| format!("`{}`, ", node.name));
                Err(format!(
                    "expected maps of the picture, but reads {what}numbers of the sizes {dims:?} that are the same for every picture, \
                     which the array does not make; leave them out before the export: what a convolution makes of a map with one \
                     number everywhere belongs to its biases"
                ))
            }
            Value::Refused => Err(format!("reads `{}`, which is refused", node.name)),
        }
    }
}

/// The report for calculations that a later layer absorbs.
const ABSORBED: &str = "controller: absorbed by the layer behind it";
