//! Makes a graph of a model: what each node of the file computes, with its type and sizes.

mod batch;
mod each;
mod extremes;
mod letters;
mod pictures;
mod products;
mod quantised;
mod refused;
mod repeated;
mod shrunk;
mod sizes;
mod sliding;
mod sums;
mod transposed;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::axes;
use super::evaluate::evaluate;
use super::graph::{Became, Fact, Graph, Id, Node};
use super::kind::Kind;
use super::model::Model;
use super::node;
use super::op::{Each, Op, Pair};
use super::picture::Picture;
use super::substitutes;
use super::tensor::{MOST, Tensor, count};
use batch::Batch;
use refused::refused;

/// The most nodes of the graph; those of the file and its tensors are fewer.
const MOST_NODES: usize = 1 << 15;
/// The most elements that a node may make.
const MOST_ELEMENTS: usize = 1 << 26;
/// The most numbers in all constants that nodes make.
const MOST_HELD: usize = 1 << 22;

/// The graph of a model for such pictures, whose numbers are from `whole` if all are whole; the error lists all nodes that are refused.
pub(crate) fn graph(model: &Model, picture: &Picture, whole: Option<(f64, f64)>) -> Result<Graph, String> {
    let mut graph = Graph::default();
    let mut names = BTreeMap::new();
    let source = |op: Op, fact: Fact| Node {
        op: Rc::new(op),
        inputs: Vec::new(),
        fact: Rc::new(fact),
        name: Rc::from("image"),
        origin: None,
    };
    let kind = model.input.kind;
    let maps = Fact { kind, dims: vec![1, 1, picture.height, picture.width] };
    let is_other = maps.dims != picture.dims;
    let mut image = graph.push(source(Op::Image { scale: 1.0, shift: 0.0, whole }, maps));
    if is_other {
        let op = match picture.dims.len() {
            4 => Op::Transpose { order: vec![0, 2, 3, 1] },
            _ => Op::Reshape,
        };
        let reshaped = source(op, Fact { kind, dims: picture.dims.clone() });
        image = graph.push(Node { inputs: vec![image], ..reshaped });
    }
    names.insert(model.input.name.as_str(), image);
    for (name, tensor) in &model.constants {
        let fact = Fact { kind: tensor.kind, dims: tensor.dims.clone() };
        names.insert(name, graph.push(source(Op::Constant(Rc::clone(tensor)), fact)));
    }
    let inputs = model.nodes.iter().flat_map(|node| &node.inputs);
    let used: BTreeSet<&str> = inputs.chain(&model.outputs).map(String::as_str).collect();
    let mut batch = Batch::of(&model.input);
    batch.begin(image);
    let mut short = BTreeMap::new();
    let mut held = 0;
    let mut problems = Vec::new();
    // The values that are not made because a node is refused.
    let mut missing = BTreeSet::new();
    let needed = model.needed();
    for (place, node) in model.nodes.iter().enumerate().filter(|(place, _)| needed.contains(place)) {
        let mut reader = Reader { graph: &mut graph, names: &names, short: &mut short, node, place, batch: &mut batch };
        let made = reader.check_finite().and_then(|()| match node.op.as_str() {
            "Split" => reader.parts().and_then(|parts| parts.into_iter().map(|part| reader.add(part)).collect()),
            "TopK" => reader.first_in_order(&used),
            _ => reader.added().map(|id| vec![id]),
        });
        let made = made.and_then(|made| reader.check_counted(&made).map(|()| made));
        let reads_missing = node.inputs.iter().any(|input| missing.contains(input.as_str()));
        let made = match made {
            Ok(ids) if !reads_missing => ids,
            made => {
                // What else is wrong here may follow from what is missing.
                let problem = made.err().filter(|problem| !reads_missing || substitutes::is_certain(problem));
                problems.extend(problem.map(|problem| (place, problem)));
                missing.extend(node.outputs.iter().map(String::as_str));
                continue;
            }
        };
        held += made.iter().filter_map(|id| graph.constant(*id)).map(|tensor| tensor.values.len()).sum::<usize>();
        if held > MOST_HELD {
            return Err(format!("{}: the constants up to this node are more than {MOST_HELD} numbers", node.shown()));
        }
        for (i, output) in node.outputs.iter().enumerate().filter(|(_, output)| !output.is_empty()) {
            let Some(id) = made.get(i) else {
                if used.contains(output.as_str()) {
                    let what = format!("the output `{output}` is used, which cannot be computed");
                    return Err(format!("{}: {what}", node.shown()));
                }
                continue;
            };
            if names.insert(output, *id).is_some() {
                return Err(format!("{}: `{output}` is made twice", node.shown()));
            }
        }
    }
    problems.extend(refused(model, &needed, &graph, &names));
    if !problems.is_empty() {
        problems.extend(refused::behind(model, &needed, &problems));
        refused::name_normalisations(model, &mut problems);
        problems.sort();
        let shown = |(place, problem): (usize, String)| {
            let node = model.nodes.get(place).map_or(String::new(), node::Node::shown);
            format!("{node}: {problem}")
        };
        return Err(problems.into_iter().map(shown).collect::<Vec<_>>().join("\n"));
    }
    for name in &model.outputs {
        let id = names.get(name.as_str()).copied();
        let id = id.ok_or_else(|| format!("output `{name}`: no node makes it"))?;
        batch.check_output(id).map_err(|problem| format!("output `{name}`: {problem}"))?;
        graph.outputs.push(id);
    }
    Ok(graph)
}

/// The operators that have no counterpart, a line for each node, where nothing else can be told of a model.
pub(crate) fn without_counterpart(model: &Model) -> Vec<String> {
    let needed = model.needed();
    let nodes = needed.iter().filter_map(|place| model.nodes.get(*place));
    let nodes = nodes.filter(|node| substitutes::is_always_refused(&node.op));
    nodes.map(|node| format!("{}: {}", node.shown(), substitutes::none(&node.op))).collect()
}

/// The meaning of a node of the file.
enum Made {
    /// The same as an existing node.
    Same(Id),
    New(Op, Vec<Id>, Fact),
}

struct Reader<'r> {
    graph: &'r mut Graph,
    names: &'r BTreeMap<&'r str, Id>,
    /// What constants become without the axes along which they do not change.
    short: &'r mut BTreeMap<Id, Id>,
    node: &'r node::Node,
    /// The index of the node in the file.
    place: usize,
    batch: &'r mut Batch,
}

impl Reader<'_> {
    /// Adds what a node of one output computes: one node or several.
    fn added(&mut self) -> Result<Id, String> {
        match self.node.op.as_str() {
            "DequantizeLinear" => self.dequantised(),
            "Gather" => self.gathered(),
            "Pad" => self.padded(),
            "PRelu" => self.parametric(),
            "ReduceSum" | "ReduceMean" => self.reduced(),
            "ReduceMax" | "ReduceMin" => self.extreme_of_axis(),
            "Equal" => self.equal(),
            "Greater" => self.compared(Pair::Greater),
            "GreaterOrEqual" => self.compared(Pair::GreaterOrEqual),
            "Less" => self.compared(Pair::Less),
            "LessOrEqual" => self.compared(Pair::LessOrEqual),
            "AveragePool" => self.means_of_windows(),
            "Expand" => self.expanded(),
            "Tile" => self.tiled(),
            "MatMul" | "Gemm" => self.product_of_matrices(),
            "Einsum" => self.by_letters(),
            "Where" => self.selected(),
            "Max" => self.extreme(true),
            "Min" => self.extreme(false),
            _ => self.made().and_then(|made| self.add(made)),
        }
    }

    /// Adds a node that reads another one and has its type.
    fn step(&mut self, input: Id, op: Op, dims: Vec<usize>) -> Result<Id, String> {
        let kind = self.fact_of(input)?.kind;
        self.add(Made::New(op, vec![input], Fact { kind, dims }))
    }

    fn fact_of(&self, id: Id) -> Result<Fact, String> {
        self.graph.node(id).map(|node| (*node.fact).clone()).ok_or_else(|| "reads what is not made".to_owned())
    }

    fn made(&self) -> Result<Made, String> {
        match self.node.op.as_str() {
            "Constant" => Ok(constant(self.node.constant()?)),
            "Identity" => self.same(),
            "Dropout" => match self.constant(2)?.and_then(|mode| mode.single()) {
                Some(mode) if mode != 0.0 => Err("drops numbers; export the model after `model.eval()`".to_owned()),
                _ => self.same(),
            },
            "Cast" => self.cast(),
            "QuantizeLinear" => self.quantised(),
            "CastLike" => self.cast_like(),
            "Shape" => self.shape(),
            "Size" => self.size(),
            "ConstantOfShape" => self.filled(),
            "Range" => self.numbered(),
            "ReduceProd" => self.product(),
            "SpaceToDepth" => self.blocks(),
            "Conv" => self.convolution(),
            "ConvTranspose" => self.transposed_convolution(),
            "BatchNormalization" => self.normalisation(),
            "Relu" => self.each(Each::Relu),
            "LeakyRelu" => self.leaky(self.node.float("alpha", 0.01)),
            "Abs" => self.each(Each::Abs),
            "Neg" => self.each(Each::Neg),
            "Sign" => self.each(Each::Sign),
            "Sqrt" => self.each(Each::Sqrt),
            "Round" => self.each(Each::Round),
            "Floor" => self.each(Each::Floor),
            "Ceil" => self.each(Each::Ceil),
            "Not" => self.each(Each::Not),
            "Sigmoid" => self.each(Each::Sigmoid),
            "Tanh" => self.each(Each::Tanh),
            "Clip" => self.clip(),
            "And" => self.both(false),
            "Or" => self.both(true),
            "Xor" => self.either(),
            "Add" => self.pair(Pair::Add),
            "Sub" => self.pair(Pair::Sub),
            "Mul" => self.pair(Pair::Mul),
            "Div" => self.pair(Pair::Div),
            "MaxPool" => self.largest_of_windows(),
            "GlobalMaxPool" => self.largest(),
            "GlobalAveragePool" => self.reduction(),
            "Slice" => self.slice(),
            "Concat" => self.concatenation(),
            "Transpose" => self.transposition(),
            "Flatten" | "Reshape" | "Squeeze" | "Unsqueeze" => self.reshape(),
            "Softmax" | "LogSoftmax" => self.softmax(),
            "ArgMax" => self.argmax(),
            op => Err(substitutes::none(op)),
        }
    }

    /// Adds a node to the graph, or the constant that it makes.
    fn add(&mut self, made: Made) -> Result<Id, String> {
        let (op, inputs, fact) = match made {
            Made::Same(id) => {
                let became = if self.graph.constant(id).is_some() { Became::Constant } else { Became::Text("dropped") };
                self.graph.became.insert(self.place, became);
                return Ok(id);
            }
            Made::New(op, inputs, fact) => (op, inputs, fact),
        };
        if self.graph.nodes.len() >= MOST_NODES {
            return Err(format!("all nodes up to this one make more than {MOST_NODES}; take fewer channels apart"));
        }
        if count(&fact.dims).is_none_or(|count| count > MOST_ELEMENTS) {
            return Err(format!("makes an array of the sizes {:?}, which is too large", fact.dims));
        }
        let constants: Option<Vec<_>> = inputs.iter().map(|input| self.graph.constant(*input).cloned()).collect();
        let (mut place, mut counted) = (None, None);
        let op = match constants {
            _ if matches!(op, Op::Constant(_)) => op,
            Some(constants) if !constants.is_empty() => {
                if count(&fact.dims).is_none_or(|count| count > MOST) {
                    return Err(format!("makes a constant of the sizes {:?}, which is too large", fact.dims));
                }
                let made =
                    evaluate(&op, &fact, &constants).ok_or("this calculation with constants is not possible")??;
                counted = self.counted(&op, &inputs, &fact, &made)?;
                Op::Constant(Rc::new(made))
            }
            _ => {
                place = self.place(&op, &inputs, &fact)?;
                op
            }
        };
        if let Op::Constant(one) = &op
            && inputs.is_empty()
        {
            counted = self.counted(&op, &inputs, &fact, one)?;
        }
        let is_constant = matches!(op, Op::Constant(_));
        let inputs = if is_constant { Vec::new() } else { self.shortened(&op, inputs, &fact) };
        if is_constant {
            self.graph.became.insert(self.place, Became::Constant);
        }
        let name = Rc::from(self.layer_name());
        let node = Node { op: Rc::new(op), inputs, fact: Rc::new(fact), name, origin: Some(self.place) };
        let id = self.graph.push(node);
        self.note_place(id, place);
        if let Some(all) = counted {
            self.note_counted(id, all);
        }
        Ok(id)
    }

    /// The name of the layer that the node becomes.
    fn layer_name(&self) -> String {
        let name = if self.node.name.is_empty() { self.node.outputs.first() } else { Some(&self.node.name) };
        let name = name.map_or("", String::as_str);
        let own = self.node.op.to_ascii_lowercase();
        let mut parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty()).collect();
        // Exporters call the only node of a module `/conv1/Conv`, for example.
        let is_own =
            |part: &&str| part.to_ascii_lowercase().trim_end_matches(|c: char| c == '_' || c.is_ascii_digit()) == own;
        if parts.len() > 1 && parts.last().is_some_and(is_own) {
            parts.pop();
        }
        parts.join("_")
    }

    /// Refuses numbers that are infinite or none, except for bounds and what padding checks itself.
    fn check_finite(&self) -> Result<(), String> {
        let names = self.node.inputs.iter().filter(|_| !matches!(self.node.op.as_str(), "Clip" | "Identity" | "Pad"));
        for name in names {
            let constant = self.names.get(name.as_str()).and_then(|id| self.graph.constant(*id));
            if let Some(value) = constant.and_then(|tensor| tensor.not_finite()) {
                return Err(format!("reads the number {value} of `{name}`, which is not finite"));
            }
        }
        for name in ["alpha", "beta", "epsilon"] {
            let value = self.node.float(name, 0.0);
            if !value.is_finite() {
                return Err(format!("has the number {value} as `{name}`, which is not finite"));
            }
        }
        Ok(())
    }

    fn has(&self, input: usize) -> bool {
        self.node.inputs.get(input).is_some_and(|name| !name.is_empty())
    }

    fn id(&self, input: usize) -> Result<Id, String> {
        let name = self.node.inputs.get(input).map(String::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| format!("input {} is missing", input + 1))?;
        let id = self.names.get(name).copied();
        id.ok_or_else(|| format!("reads `{name}`, which no earlier node makes"))
    }

    fn fact(&self, input: usize) -> Result<&Fact, String> {
        let node = self.graph.node(self.id(input)?);
        node.map(|node| &*node.fact).ok_or_else(|| format!("input {} is missing", input + 1))
    }

    fn dims(&self, input: usize) -> Result<&[usize], String> {
        self.fact(input).map(|fact| fact.dims.as_slice())
    }

    /// An input that must be a constant; `None` if it is omitted.
    fn constant(&self, input: usize) -> Result<Option<Rc<Tensor>>, String> {
        if !self.has(input) {
            return Ok(None);
        }
        match self.graph.constant(self.id(input)?) {
            Some(tensor) => Ok(Some(Rc::clone(tensor))),
            None => Err(format!("input {} is not a constant", input + 1)),
        }
    }

    fn required(&self, input: usize) -> Result<Rc<Tensor>, String> {
        self.constant(input)?.ok_or_else(|| format!("input {} is missing", input + 1))
    }

    /// The integers of an input that must be a constant.
    fn integers(&self, input: usize) -> Result<Option<Vec<i64>>, String> {
        Ok(self.constant(input)?.map(|tensor| tensor.integers()))
    }

    fn same(&self) -> Result<Made, String> {
        self.id(0).map(Made::Same)
    }

    /// A node whose type is that of its first input.
    fn alike(&self, op: Op, dims: Vec<usize>) -> Result<Made, String> {
        Ok(Made::New(op, vec![self.id(0)?], Fact { kind: self.fact(0)?.kind, dims }))
    }

    /// The type of the first input, which must be a type of numbers.
    fn number_kind(&self) -> Result<Kind, String> {
        match self.fact(0)?.kind {
            Kind::Bool => Err("calculates with a condition; add a cast".to_owned()),
            kind => Ok(kind),
        }
    }

    fn check_float(&self) -> Result<(), String> {
        match self.fact(0)?.kind {
            kind if kind.is_float() => Ok(()),
            kind => Err(format!("calculates with numbers of the type {kind}; expected floating point")),
        }
    }

    fn shape(&self) -> Result<Made, String> {
        let fact = self.fact(0)?;
        Ok(constant(axes::shape(self.node, &fact.dims)))
    }

    /// The number of elements.
    fn size(&self) -> Result<Made, String> {
        let size = count(self.dims(0)?).ok_or("has too many elements")?;
        Ok(constant(Tensor::single_of(Kind::INDEX, axes::number(size))))
    }

    /// One value, repeated to fill the given sizes.
    fn filled(&self) -> Result<Made, String> {
        let value = if self.node.has("value") { self.node.constant()? } else { Tensor::scalar(0.0) };
        let one = value.single().ok_or("repeats several numbers; expected one")?;
        let sizes = self.required(0)?.integers();
        let dims: Option<Vec<usize>> = sizes.iter().map(|size| usize::try_from(*size).ok()).collect();
        let fits = |dims: &Vec<usize>| count(dims).is_some_and(|count| count <= MOST);
        let dims = dims.filter(fits).ok_or_else(|| format!("the sizes {sizes:?} are not possible"))?;
        let values = vec![one; count(&dims).unwrap_or(0)];
        Ok(constant(Tensor { kind: value.kind, dims, values }))
    }
}

fn constant(tensor: Tensor) -> Made {
    let fact = Fact { kind: tensor.kind, dims: tensor.dims.clone() };
    Made::New(Op::Constant(Rc::new(tensor)), Vec::new(), fact)
}
