//! What the nodes of a model become.

use std::rc::Rc;

use cain_search::network::{Operation, Source};

use super::constants;
use super::forms::Forms;
use super::graph::{Became, Condition, Graph, Maps, Op, PADDED, Pending, Step, Value};
use super::model::Node;
use super::tensor::Tensor;

/// Reads a node; the error does not name it.
pub(super) fn read(graph: &mut Graph, node: &Node) -> Result<(), String> {
    let step = graph.steps.len();
    graph.steps.push(Step { node: node.shown(), what: Became::Text("dropped") });
    let values = Reader { graph, node, step }.values()?;
    for (name, value) in node.outputs.iter().zip(values) {
        if !name.is_empty() {
            graph.set(name, value)?;
        }
    }
    for name in node.outputs.iter().filter(|name| !name.is_empty()) {
        if !graph.values.contains_key(name) && graph.readers.contains_key(name) {
            return Err(format!("the output `{name}` is used, which cannot be computed"));
        }
    }
    Ok(())
}

pub(super) struct Reader<'g> {
    pub(super) graph: &'g mut Graph,
    pub(super) node: &'g Node,
    pub(super) step: usize,
}

impl Reader<'_> {
    /// What the outputs of the node are, the first ones at least.
    fn values(&mut self) -> Result<Vec<Value>, String> {
        if self.node.op == "Constant" {
            self.became(&Became::Constant);
            return Ok(vec![Value::Constant(self.node.constant()?)]);
        }
        if let Some(constants) = self.constants()
            && let Some(computed) = constants::compute(self.node, &constants)
        {
            self.became(&Became::Constant);
            return Ok(vec![Value::Constant(computed?)]);
        }
        let value = match self.node.op.as_str() {
            "Identity" | "Dropout" => (*self.input(0)?).clone(),
            "Cast" => self.cast()?,
            "Shape" => self.shape()?,
            "Conv" => self.convolution()?,
            "BatchNormalization" => self.normalisation()?,
            "Relu" => self.relu()?,
            "LeakyRelu" => self.leaky_relu()?,
            "Abs" => self.maps_layer(Operation::Abs)?,
            "Neg" => self.affine(&Tensor::scalar(-1.0), &Tensor::scalar(0.0))?,
            "Clip" => self.clip()?,
            "Max" | "Min" => self.most()?,
            "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual" => self.comparison()?,
            "Not" => self.not()?,
            "Where" => self.selection()?,
            "Sign" => self.sign()?,
            "Pad" => self.pad()?,
            "MaxPool" | "AveragePool" => self.pooling()?,
            "GlobalAveragePool" | "ReduceSum" | "ReduceMean" => self.reduction()?,
            "Slice" => self.slice()?,
            "Concat" => self.concatenation()?,
            "Transpose" => self.transposition()?,
            "Flatten" | "Reshape" | "Squeeze" | "Unsqueeze" => self.reshape()?,
            "Mul" | "Div" | "Add" | "Sub" => self.arithmetic()?,
            "Gemm" | "MatMul" => self.dense()?,
            "Softmax" => self.softmax()?,
            "ArgMax" => self.argmax()?,
            _ => return Err("no counterpart on the array or the controller".to_owned()),
        };
        Ok(vec![value])
    }

    pub(super) fn became(&mut self, what: &Became) {
        self.graph.note(&[self.step], what);
    }

    /// The name of the tensor that an input reads.
    pub(super) fn name(&self, input: usize) -> Result<&str, String> {
        let name = self.node.inputs.get(input).map(String::as_str).filter(|name| !name.is_empty());
        name.ok_or_else(|| format!("input {} is missing", input + 1))
    }

    pub(super) fn input(&self, input: usize) -> Result<Rc<Value>, String> {
        self.graph.value(self.name(input)?)
    }

    /// All inputs, if they are constants.
    fn constants(&self) -> Option<Vec<Option<Tensor>>> {
        let constant = |name: &String| match name.as_str() {
            "" => Some(None),
            name => match &**self.graph.values.get(name)? {
                Value::Constant(tensor) => Some(Some(tensor.clone())),
                _ => None,
            },
        };
        let all: Option<Vec<_>> = self.node.inputs.iter().map(constant).collect();
        all.filter(|all| !all.is_empty())
    }

    /// An input that must be a constant; `None` if it is left out.
    pub(super) fn constant(&self, input: usize) -> Result<Option<Tensor>, String> {
        if self.name(input).is_err() {
            return Ok(None);
        }
        match &*self.input(input)? {
            Value::Constant(tensor) => Ok(Some(tensor.clone())),
            _ => Err(format!("input {} is not a constant", input + 1)),
        }
    }

    pub(super) fn required(&self, input: usize) -> Result<Tensor, String> {
        self.constant(input)?.ok_or_else(|| format!("input {} is missing", input + 1))
    }

    /// What the layer is called that the node becomes.
    pub(super) fn layer_name(&self) -> String {
        let name = if self.node.name.is_empty() { self.node.outputs.first() } else { Some(&self.node.name) };
        let name = name.map_or("", String::as_str);
        let own = self.node.op.to_ascii_lowercase();
        let mut parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty()).collect();
        // `/conv1/Conv` is what an exporter calls the only node of a module.
        let is_own =
            |part: &&str| part.to_ascii_lowercase().trim_end_matches(|c: char| c == '_' || c.is_ascii_digit()) == own;
        if parts.len() > 1 && parts.last().is_some_and(is_own) {
            parts.pop();
        }
        parts.join("_")
    }

    /// The maps that an input reads, with nothing pending.
    pub(super) fn settled(&mut self, input: usize) -> Result<(Source, super::graph::Size), String> {
        let name = self.name(input)?.to_owned();
        self.graph.maps(&name)
    }

    /// Maps that a new layer makes.
    pub(super) fn layer(&mut self, from: Vec<Source>, op: Op, size: super::graph::Size) -> Value {
        let name = self.layer_name();
        let layer = self.graph.push(&name, from, op, Some(size));
        self.became(&Became::Layer(layer));
        Value::Maps(Maps { source: Source::Layer(layer), size, pending: None })
    }

    /// A layer that makes maps of maps of the same size.
    pub(super) fn maps_layer(&mut self, operation: Operation) -> Result<Value, String> {
        let (source, size) = self.settled(0)?;
        Ok(self.layer(vec![source], Op::Ready(operation), size))
    }

    fn shape(&mut self) -> Result<Value, String> {
        let dims = self.dims(0)?;
        self.became(&Became::Constant);
        Ok(Value::Constant(constants::shape(self.node, &dims)))
    }

    /// The sizes of an input.
    pub(super) fn dims(&self, input: usize) -> Result<Vec<usize>, String> {
        Ok(match &*self.input(input)? {
            Value::Constant(tensor) => tensor.dims.clone(),
            Value::Maps(Maps { size, .. }) | Value::Condition(Condition { maps: Maps { size, .. }, .. }) => {
                vec![1, size.0, size.1, size.2]
            }
            Value::Padded(Maps { size, .. }, padding) => {
                vec![1, size.0, size.1 + padding.top + padding.bottom, size.2 + padding.left + padding.right]
            }
            Value::Part(_, (_, channels), window) => vec![1, *channels, window.height, window.width],
            Value::Forms(forms) => forms.dims.clone(),
        })
    }

    fn relu(&mut self) -> Result<Value, String> {
        if let Value::Forms(forms) = &*self.input(0)? {
            return self.number_layer(Operation::Rectify, forms, forms.dims.clone());
        }
        self.maps_layer(Operation::Relu)
    }

    /// Scales and shifts the first input that is no constant; positions are those of the node's inputs.
    fn affine(&mut self, scale: &Tensor, shift: &Tensor) -> Result<Value, String> {
        self.affine_of(0, scale, shift)
    }

    /// Scales and shifts an input by constants that are broadcast to it.
    pub(super) fn affine_of(&mut self, input: usize, scale: &Tensor, shift: &Tensor) -> Result<Value, String> {
        match &*self.input(input)? {
            Value::Forms(forms) => {
                self.became(&Became::Text("controller: absorbed by the layer behind it"));
                forms.affine(scale, shift).map(Value::Forms)
            }
            Value::Maps(maps) => self.pend(input, maps, scale, shift).map(Value::Maps),
            Value::Part(maps, channels, window) => {
                let maps = self.pend(input, maps, scale, shift)?;
                Ok(Value::Part(maps, *channels, *window))
            }
            Value::Condition(_) => Err("calculates with a condition; add a cast".to_owned()),
            Value::Padded(..) => Err(PADDED.to_owned()),
            Value::Constant(_) => Err("this calculation with constants is not possible".to_owned()),
        }
    }

    fn pend(&mut self, input: usize, maps: &Maps, scale: &Tensor, shift: &Tensor) -> Result<Maps, String> {
        let scales = constants::channels(scale, maps.size.0)?;
        let shifts = constants::channels(shift, maps.size.0)?;
        let readers = self.graph.readers.get(self.name(input)?).copied().unwrap_or(0);
        let (name, step) = (self.layer_name(), self.step);
        let before = maps.pending.clone();
        let is_alone = readers == 1 && before.as_ref().is_none_or(|before| before.is_alone);
        let (mut scale, mut shift, mut steps) = (scales, shifts, vec![step]);
        if let Some(before) = before {
            for ((scale, shift), (inner_scale, inner_shift)) in
                scale.iter_mut().zip(&mut shift).zip(before.scale.iter().zip(&before.shift))
            {
                *shift += *scale * inner_shift;
                *scale *= inner_scale;
            }
            steps.extend(before.steps);
        }
        Ok(Maps { pending: Some(Pending { scale, shift, name, is_alone, steps }), ..maps.clone() })
    }

    fn concatenation(&mut self) -> Result<Value, String> {
        let inputs: Vec<Rc<Value>> =
            (0..self.node.inputs.len()).map(|input| self.input(input)).collect::<Result<_, _>>()?;
        let rank = self.dims(0)?.len();
        let axis = constants::axis(self.node.int("axis", 1), rank)?;
        let all: Option<Vec<Forms>> = inputs
            .iter()
            .map(|value| if let Value::Forms(forms) = &**value { Some(forms.clone()) } else { None })
            .collect();
        if let Some(all) = all {
            self.became(&Became::Text("controller: absorbed by the layer behind it"));
            return Forms::concatenate(&all, axis).map(Value::Forms);
        }
        if axis != 1 {
            return Err(format!("concatenates maps along axis {axis}; expected axis 1, the channels"));
        }
        let mut from = Vec::new();
        let mut size: Option<super::graph::Size> = None;
        for input in 0..inputs.len() {
            let (source, (channels, height, width)) = self.settled(input)?;
            let (before, first) =
                size.map_or((0, (height, width)), |(before, height, width)| (before, (height, width)));
            if first != (height, width) {
                return Err(format!("concatenates maps of {}×{} and of {height}×{width} pixels", first.0, first.1));
            }
            from.push(source);
            size = Some((before + channels, height, width));
        }
        let size = size.ok_or("concatenates nothing")?;
        Ok(self.layer(from, Op::Ready(Operation::Concatenate), size))
    }

    /// Calculations of two inputs, of which one is constant, or both are numbers on the controller.
    fn arithmetic(&mut self) -> Result<Value, String> {
        let op = self.node.op.as_str();
        let zero = Tensor::scalar(0.0);
        let one = Tensor::scalar(1.0);
        match (&*self.input(0)?, &*self.input(1)?) {
            (_, Value::Constant(constant)) => {
                let (scale, shift) = match op {
                    "Mul" => (constant.clone(), zero),
                    "Div" if constant.values.contains(&0.0) => return Err("divides by zero".to_owned()),
                    "Div" => (constant.map(|value| 1.0 / value), zero),
                    "Add" => (one, constant.clone()),
                    _ => (one, constant.map(|value| -value)),
                };
                self.affine_of(0, &scale, &shift)
            }
            (Value::Constant(constant), _) => match op {
                "Mul" => self.affine_of(1, constant, &zero),
                "Add" => self.affine_of(1, &one, constant),
                "Sub" => self.affine_of(1, &Tensor::scalar(-1.0), constant),
                _ => Err("divides a constant; expected a division by a constant".to_owned()),
            },
            (Value::Forms(first), Value::Forms(second)) if op == "Add" || op == "Sub" => {
                self.became(&Became::Text("controller: absorbed by the layer behind it"));
                first.add(second, if op == "Add" { 1.0 } else { -1.0 }).map(Value::Forms)
            }
            (Value::Maps(_), Value::Maps(_)) if op == "Add" || op == "Sub" => {
                self.sum_of_maps(if op == "Add" { 1.0 } else { -1.0 })
            }
            _ => Err("neither input is a constant".to_owned()),
        }
    }
}
