//! A growing model: every node is evaluated for some pictures as soon as it is added.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::super::evaluator::call::{Call, Near};
use super::super::evaluator::proto::{self, Attribute, Node};
use super::super::evaluator::tensor::{Kind, Number, Tensor, whole};
use super::super::wire::Message as _;
use super::message::{code, message};
use super::pictures::{level, picture};
use crate::Dice;

/// The number of pictures that are evaluated.
const SAMPLES: usize = 3;
/// The most numbers in an array.
const MOST: usize = 600;

/// A growing model.
pub(super) struct Builder<'d> {
    pub(super) dice: &'d mut Dice,
    pub(super) opset: i64,
    graph: proto::Graph,
    /// The value of each name, for each of the pictures.
    values: BTreeMap<String, Vec<Tensor>>,
    /// The names of values that depend on the picture, in the order in which they are made.
    made: Vec<String>,
    /// The names among them that nodes read.
    read: BTreeSet<String>,
    /// The names among them of numbers on the controller.
    numbers: BTreeSet<String>,
    /// The names among them of the picture, scaled and shifted.
    pictures: BTreeSet<String>,
    /// The constructs that occur in the model.
    pub(super) constructs: BTreeSet<&'static str>,
}

impl<'d> Builder<'d> {
    pub(super) fn new(dice: &'d mut Dice) -> Self {
        let opset = dice.between(11, 23);
        let (height, width) = (3 + dice.below(5), 3 + dice.below(5));
        let name = dice.pick(&["picture", "input.1", "x"]);
        let open = proto::Dimension { dim_value: None, dim_param: Some("batch".to_owned()) };
        let batch = if dice.once_in(2) { open } else { size(1) };
        let shape = proto::Shape { dim: vec![batch, size(1), size(height), size(width)] };
        let mut builder = Self {
            dice,
            opset,
            graph: proto::Graph {
                name: "generated".to_owned(),
                input: vec![info(name, Kind::Single, Some(shape))],
                ..proto::Graph::default()
            },
            values: BTreeMap::new(),
            made: vec![name.to_owned()],
            read: BTreeSet::new(),
            numbers: BTreeSet::new(),
            pictures: BTreeSet::from([name.to_owned()]),
            constructs: BTreeSet::new(),
        };
        let sample = |number| {
            let numbers = picture(builder.dice, height * width, number);
            let levels = numbers.into_iter().map(level).map(Number::Real).collect();
            Tensor { kind: Kind::Single, dims: vec![1, 1, height, width], numbers: levels }
        };
        let samples = (0..SAMPLES).map(sample).collect();
        builder.values.insert(name.to_owned(), samples);
        builder
    }

    /// The value of a name for one of the pictures.
    pub(super) fn value(&self, name: &str) -> &Tensor {
        &self.values[name][0]
    }

    /// The sizes along each axis.
    pub(super) fn dims(&self, name: &str) -> Vec<usize> {
        self.value(name).dims.clone()
    }

    /// A number that a value has for one of the pictures.
    pub(super) fn occurring(&mut self, name: &str) -> f64 {
        let all = &self.values[name];
        let numbers = &all[self.dice.below(all.len())].numbers;
        numbers[self.dice.below(numbers.len())].real()
    }

    /// Whether a value is maps on the array.
    pub(super) fn is_maps(&self, name: &str) -> bool {
        let value = self.value(name);
        value.kind == Kind::Single && value.rank() == 4 && !value.numbers.is_empty() && !self.numbers.contains(name)
    }

    /// Random maps, often the last ones; constructs call them `v`.
    pub(super) fn maps(&mut self, fits: impl Fn(&[usize]) -> bool) -> Option<String> {
        let all: Vec<&String> = self.made.iter().filter(|name| self.is_maps(name)).collect();
        let fitting: Vec<&String> = all.into_iter().filter(|name| fits(&self.value(name).dims)).collect();
        let count = fitting.len();
        let recent = if self.dice.once_in(2) { count.min(2) } else { count };
        (count > 0).then(|| fitting[count - 1 - self.dice.below(recent)].clone())
    }

    /// Random maps to be read out: preferably those that nothing reads, and seldom the picture, which has to be on the
    /// array already.
    pub(super) fn maps_to_read_out(&mut self) -> Option<String> {
        let is_unread = self.dice.below(4) > 0;
        let of_picture = self.dice.once_in(30);
        let may_be = |name: &&String| self.is_maps(name) && (of_picture || !self.pictures.contains(*name));
        let all: Vec<&String> = self.made.iter().filter(may_be).collect();
        let unread: Vec<&String> = all.iter().filter(|name| !self.read.contains(**name)).copied().collect();
        let some = if is_unread && !unread.is_empty() { unread } else { all };
        (!some.is_empty()).then(|| (*self.dice.one_of(&some)).clone())
    }

    /// Numbers in floating point on the controller.
    pub(super) fn numbers(&mut self, fits: impl Fn(&[usize]) -> bool) -> Option<String> {
        let is_some = |name: &&String| {
            let value = self.value(name);
            let is_small = !value.numbers.is_empty() && value.numbers.len() <= 300;
            value.kind == Kind::Single && is_small && self.numbers.contains(*name) && fits(&value.dims)
        };
        let all: Vec<&String> = self.made.iter().filter(is_some).collect();
        let count = all.len();
        let recent = if self.dice.once_in(2) { count.min(2) } else { count };
        (count > 0).then(|| all[count - 1 - self.dice.below(recent)].clone())
    }

    /// The numbers on the controller that no node reads yet.
    pub(super) fn unread_numbers(&self) -> Vec<String> {
        self.made.iter().filter(|name| self.numbers.contains(*name) && !self.read.contains(*name)).cloned().collect()
    }

    /// All numbers on the controller.
    pub(super) fn all_numbers(&self) -> Vec<String> {
        self.made.iter().filter(|name| self.numbers.contains(*name)).cloned().collect()
    }

    /// Maps that no node reads yet and that are not the picture.
    pub(super) fn unread_maps(&self) -> Vec<String> {
        let is_unread =
            |name: &&String| self.is_maps(name) && !self.read.contains(*name) && !self.pictures.contains(*name);
        self.made.iter().filter(is_unread).cloned().collect()
    }

    /// Records that a value is on the controller.
    pub(super) fn read_out(&mut self, name: Option<String>) -> Option<String> {
        self.numbers.extend(name.clone());
        name
    }

    /// Adds a node with one relevant output, if it can be evaluated exactly.
    pub(super) fn node(&mut self, op: &str, inputs: &[&str], attributes: Vec<Attribute>) -> Option<String> {
        self.add(op, inputs, attributes, 1, true)
    }

    /// Adds a node whose results need not be exact.
    pub(super) fn inexact(&mut self, op: &str, inputs: &[&str], attributes: Vec<Attribute>) -> Option<String> {
        self.add(op, inputs, attributes, 1, false)
    }

    /// Adds a node with a number of outputs, of which the first one is returned.
    pub(super) fn add(
        &mut self,
        op: &str,
        inputs: &[&str],
        attribute: Vec<Attribute>,
        outputs: usize,
        exact: bool,
    ) -> Option<String> {
        let number = self.graph.node.len();
        let own = op.to_ascii_lowercase();
        let node = Node {
            input: inputs.iter().map(ToString::to_string).collect(),
            output: (0..outputs).map(|output| format!("{own}_{number}_{output}")).collect(),
            name: match self.dice.below(3) {
                0 => String::new(),
                1 => format!("/block{number}/{op}"),
                _ => format!("{op}_{number}"),
            },
            op_type: op.to_owned(),
            attribute,
            ..Node::default()
        };
        let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); outputs];
        for sample in 0..SAMPLES {
            let value = |name: &&str| if name.is_empty() { None } else { Some(&self.values[*name][sample]) };
            let near = Near { most: 0.0, is_found: Cell::new(false) };
            let inputs = inputs.iter().map(value).collect();
            let call = Call { node: &node, opset: self.opset, inputs, near: &near };
            for (results, output) in results.iter_mut().zip(call.outputs().ok()?) {
                let is_exact = output.numbers.iter().all(|number| is_exact(*number));
                if output.numbers.len() > MOST || (exact && !is_exact) {
                    return None;
                }
                results.push(output);
            }
        }
        // Sizes are known in advance.
        let depending: Vec<String> = if op == "Shape" { Vec::new() } else { self.depending(inputs) };
        if !depending.is_empty() {
            self.made.push(node.output[0].clone());
            let is_affine =
                ["Identity", "Dropout", "Add", "Sub", "Mul", "Div", "Neg", "BatchNormalization"].contains(&op);
            if is_affine && depending.iter().all(|name| self.pictures.contains(name)) {
                self.pictures.insert(node.output[0].clone());
            }
            if depending.iter().any(|name| self.numbers.contains(name)) {
                self.numbers.insert(node.output[0].clone());
            }
            self.read.extend(depending);
        }
        for (name, results) in node.output.iter().zip(results) {
            self.values.insert(name.clone(), results);
        }
        let name = node.output[0].clone();
        self.graph.node.push(node);
        Some(name)
    }

    /// The names among these that depend on the picture.
    fn depending(&self, names: &[&str]) -> Vec<String> {
        self.made.iter().filter(|made| names.contains(&made.as_str())).cloned().collect()
    }

    /// Adds a constant, in the graph's list or as a node.
    pub(super) fn constant(&mut self, tensor: &Tensor) -> String {
        let name = format!("c{}", self.values.len());
        let raw = self.dice.once_in(2);
        let node = |attribute: Attribute| Node {
            output: vec![name.clone()],
            op_type: "Constant".to_owned(),
            attribute: vec![attribute],
            ..Node::default()
        };
        let short = match (tensor.kind, tensor.numbers.as_slice(), tensor.dims.as_slice()) {
            (Kind::Single, [number], []) => Some(float("value_float", number.real())),
            (Kind::Int64, [Number::Whole(number)], []) => Some(int("value_int", *number)),
            (Kind::Int64, _, [_]) => tensor.wholes().ok().map(|list| ints("value_ints", &list)),
            _ => None,
        };
        match (self.dice.below(4), short) {
            (0, Some(short)) if self.opset >= 12 => self.graph.node.push(node(short)),
            (0 | 1, _) => self.graph.node.push(node(self::tensor("value", tensor, raw))),
            _ => self.graph.initializer.push(message(tensor, &name, raw)),
        }
        self.values.insert(name.clone(), vec![tensor.clone(); SAMPLES]);
        name
    }

    /// A constant list of integers.
    pub(super) fn list(&mut self, numbers: &[i64]) -> String {
        self.constant(&Tensor::list(numbers))
    }

    /// The model with these outputs.
    pub(super) fn finish(mut self, outputs: &[String]) -> Vec<u8> {
        self.graph.output = outputs.iter().map(|name| info(name, self.value(name).kind, None)).collect();
        let model = proto::Model {
            ir_version: 8,
            graph: Some(self.graph),
            opset_import: vec![proto::OperatorSet { domain: String::new(), version: self.opset }],
            functions: Vec::new(),
        };
        model.encode_to_vec()
    }
}

/// Whether a number, and its sums and products with others, are the same in single and in double precision.
fn is_exact(number: Number) -> bool {
    match number {
        Number::Real(number) => (number * 64.0).fract() == 0.0 && number.abs() <= 65_536.0,
        Number::Whole(_) => true,
    }
}

fn info(name: &str, kind: Kind, shape: Option<proto::Shape>) -> proto::ValueInfo {
    let tensor_type = Some(proto::TensorType { elem_type: code(kind), shape });
    proto::ValueInfo { name: name.to_owned(), r#type: Some(proto::Type { tensor_type }) }
}

fn size(size: usize) -> proto::Dimension {
    proto::Dimension { dim_value: Some(whole(size)), dim_param: None }
}

pub(super) fn int(name: &str, i: i64) -> Attribute {
    Attribute { name: name.to_owned(), i, r#type: 2, ..Attribute::default() }
}

pub(super) fn ints(name: &str, ints: &[i64]) -> Attribute {
    Attribute { name: name.to_owned(), ints: ints.to_vec(), r#type: 7, ..Attribute::default() }
}

#[expect(clippy::cast_possible_truncation, reason = "attributes are single precision")]
pub(super) fn float(name: &str, number: f64) -> Attribute {
    Attribute { name: name.to_owned(), f: number as f32, r#type: 1, ..Attribute::default() }
}

pub(super) fn text(name: &str, text: &str) -> Attribute {
    Attribute { name: name.to_owned(), s: text.as_bytes().to_vec(), r#type: 3, ..Attribute::default() }
}

pub(super) fn tensor(name: &str, tensor: &Tensor, raw: bool) -> Attribute {
    Attribute { name: name.to_owned(), t: Some(message(tensor, "", raw)), r#type: 4, ..Attribute::default() }
}
