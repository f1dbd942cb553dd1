//! What the nodes of a model become.

use std::rc::Rc;

use cain_search::network::{Operation, Source, Window};

use super::constants;
use super::forms::Forms;
use super::graph::{Became, Condition, Graph, Maps, Op, Pending, Step, Value};
use super::model::Node;
use super::tensor::Tensor;

/// Reads a node; the error does not name it.
pub(super) fn read(graph: &mut Graph, node: &Node) -> Result<(), String> {
    let step = graph.steps.len();
    graph.steps.push(Step { node: node.shown(), what: Became::Text("dropped") });
    let values = Reader { graph, node, step }.values()?;
    for (name, value) in node.outputs.iter().zip(values) {
        if !name.is_empty() {
            graph.values.insert(name.clone(), Rc::new(value));
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
            self.became(&Became::Text("a constant"));
            return Ok(vec![Value::Constant(self.node.constant()?)]);
        }
        if let Some(constants) = self.constants()
            && let Some(computed) = constants::compute(self.node, &constants)
        {
            self.became(&Became::Text("a constant"));
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
            "MaxPool" | "AveragePool" => self.pooling()?,
            "GlobalAveragePool" | "ReduceSum" | "ReduceMean" => self.reduction()?,
            "Slice" => self.slice()?,
            "Concat" => self.concatenation()?,
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

    /// Numbers that a new layer on the controller makes of the first input.
    fn number_layer(&mut self, operation: Operation, forms: &Forms, dims: Vec<usize>) -> Result<Value, String> {
        let name = self.layer_name();
        let source = self.graph.numbers(forms, &name)?;
        let layer = self.graph.push(&name, vec![Source::Layer(source)], Op::Ready(operation), None);
        self.became(&Became::Layer(layer));
        Forms::of_layer(layer, dims.iter().product()).reshaped(dims).map(Value::Forms)
    }

    /// The first input as numbers on the controller.
    pub(super) fn forms(&mut self, input: usize) -> Result<Forms, String> {
        match &*self.input(input)? {
            Value::Forms(forms) => Ok(forms.clone()),
            Value::Constant(_) => Err("expected numbers of the picture, found a constant".to_owned()),
            Value::Maps(_) | Value::Part(..) | Value::Condition(_) => {
                Err("reads maps on the array; expected numbers, which a flattening or sums of windows make".to_owned())
            }
        }
    }

    fn shape(&mut self) -> Result<Value, String> {
        let dims = self.dims(0)?;
        self.became(&Became::Text("a constant"));
        Ok(Value::Constant(Tensor::list(dims.into_iter().map(constants::number).collect())))
    }

    /// The sizes of an input.
    pub(super) fn dims(&self, input: usize) -> Result<Vec<usize>, String> {
        Ok(match &*self.input(input)? {
            Value::Constant(tensor) => tensor.dims.clone(),
            Value::Maps(Maps { size, .. }) | Value::Condition(Condition { maps: Maps { size, .. }, .. }) => {
                vec![1, size.0, size.1, size.2]
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

    fn softmax(&mut self) -> Result<Value, String> {
        let forms = self.forms(0)?;
        Self::check_axis(&forms, self.node.int("axis", -1))?;
        self.number_layer(Operation::Softmax, &forms, forms.dims.clone())
    }

    fn argmax(&mut self) -> Result<Value, String> {
        let forms = self.forms(0)?;
        Self::check_axis(&forms, self.node.int("axis", 0))?;
        if self.node.int("select_last_index", 0) != 0 {
            return Err("of equal numbers the first is taken; `select_last_index` is not possible".to_owned());
        }
        let dims =
            if self.node.int("keepdims", 1) == 1 { vec![1; forms.dims.len()] } else { vec![1; forms.dims.len() - 1] };
        self.number_layer(Operation::Argmax, &forms, dims)
    }

    /// Checks that an axis holds all numbers.
    fn check_axis(forms: &Forms, axis: i64) -> Result<(), String> {
        let axis = constants::axis(axis, forms.dims.len())?;
        if forms.dims.get(axis) == Some(&forms.forms.len()) && !forms.dims.is_empty() {
            return Ok(());
        }
        Err(format!("works along axis {axis} of {:?} numbers; expected the axis of all numbers", forms.dims))
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

    fn reduction(&mut self) -> Result<Value, String> {
        let op = self.node.op.as_str();
        let rank = self.dims(0)?.len();
        let (mean, keep) = (op != "ReduceSum", op == "GlobalAveragePool" || self.node.int("keepdims", 1) == 1);
        let axes = match (op, self.node.ints("axes"), self.constant(1)?) {
            ("GlobalAveragePool", ..) => vec![2, 3],
            (_, Some(axes), _) => axes.to_vec(),
            (_, None, Some(axes)) => axes.integers(),
            // Over all of them, also the picture's own, of size 1.
            (_, None, None) if self.node.int("noop_with_empty_axes", 0) == 0 => {
                (0..rank).map(|axis| i64::try_from(axis).unwrap_or(0)).collect()
            }
            (_, None, None) => Vec::new(),
        };
        let axes: Vec<usize> = axes.into_iter().map(|axis| constants::axis(axis, rank)).collect::<Result<_, _>>()?;
        self.became(&Became::Text("read-out of sums"));
        let whole = |maps: &Maps| {
            (maps.clone(), (0, maps.size.0), Window { top: 0, left: 0, height: maps.size.1, width: maps.size.2 })
        };
        let (maps, channels, window) = match &*self.input(0)? {
            Value::Forms(forms) => return forms.sum(&axes, mean, keep).map(Value::Forms),
            Value::Maps(maps) => whole(maps),
            Value::Part(maps, channels, window) => (maps.clone(), *channels, *window),
            Value::Condition(_) => return Err("sums a condition; add a cast".to_owned()),
            Value::Constant(_) => return Err("this sum of constants is not possible".to_owned()),
        };
        let (rows, columns) = (axes.contains(&2), axes.contains(&3));
        if !rows && !columns {
            return Err("sums of maps over channels only; expected sums over rows and columns".to_owned());
        }
        let sums = self.graph.sums(&maps, channels, window, (rows, columns))?;
        let (height, width) = (if rows { window.height } else { 1 }, if columns { window.width } else { 1 });
        let pixels = height * width;
        let sums = if mean {
            sums.affine(&Tensor::scalar(1.0 / constants::number(pixels)), &Tensor::scalar(0.0))?
        } else {
            sums
        };
        // Rows and columns are summed already; what is left are sums over axes of size 1, and over channels.
        sums.sum(&axes, mean, keep).map(Value::Forms)
    }

    fn slice(&mut self) -> Result<Value, String> {
        let dims = self.dims(0)?;
        let ranges = constants::slices(
            self.node,
            [self.constant(1)?, self.constant(2)?, self.constant(3)?, self.constant(4)?],
            &dims,
        )?;
        self.became(&Became::Text("part of a read-out"));
        let (maps, mut channels, mut window) = match &*self.input(0)? {
            Value::Forms(forms) => {
                let mut forms = forms.clone();
                for range in ranges {
                    forms = forms.slice(range.axis, range.start, range.step, range.count);
                }
                return Ok(Value::Forms(forms));
            }
            Value::Maps(maps) => {
                (maps.clone(), (0, maps.size.0), Window { top: 0, left: 0, height: maps.size.1, width: maps.size.2 })
            }
            Value::Part(maps, channels, window) => (maps.clone(), *channels, *window),
            Value::Condition(_) | Value::Constant(_) => return Err("this slice is not possible".to_owned()),
        };
        for range in ranges {
            if range.step != 1 && range.count > 1 {
                return Err(format!("takes every {}-th of axis {}; expected all of a window", range.step, range.axis));
            }
            match range.axis {
                1 => channels = (channels.0 + range.start, range.count),
                2 => (window.top, window.height) = (window.top + range.start, range.count),
                3 => (window.left, window.width) = (window.left + range.start, range.count),
                _ => {}
            }
        }
        if channels.1 == 0 || window.area() == 0 {
            return Err("the slice is empty".to_owned());
        }
        Ok(Value::Part(maps, channels, window))
    }

    fn reshape(&mut self) -> Result<Value, String> {
        let dims = self.dims(0)?;
        let shape = self.constant(1)?.map(|shape| shape.integers());
        let to = constants::reshaped(self.node, &dims, shape)?;
        match &*self.input(0)? {
            Value::Forms(forms) => forms.reshaped(to).map(Value::Forms),
            Value::Maps(_) | Value::Part(..) | Value::Condition(_) if to == dims => Ok((*self.input(0)?).clone()),
            Value::Maps(maps) => {
                let window = Window { top: 0, left: 0, height: maps.size.1, width: maps.size.2 };
                self.became(&Became::Text("read-out of all values"));
                let forms = self.graph.sums(maps, (0, maps.size.0), window, (false, false))?;
                forms.reshaped(to).map(Value::Forms)
            }
            Value::Part(maps, channels, window) => {
                self.became(&Became::Text("read-out of a window"));
                self.graph.sums(maps, *channels, *window, (false, false))?.reshaped(to).map(Value::Forms)
            }
            Value::Condition(_) => Err("reads a condition as numbers; add a cast".to_owned()),
            Value::Constant(_) => Err("this change of sizes is not possible".to_owned()),
        }
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
            _ => Err("neither input is a constant".to_owned()),
        }
    }

    fn dense(&mut self) -> Result<Value, String> {
        let forms = self.forms(0)?;
        let (node, mut weights) = (self.node, self.required(1)?);
        let is_gemm = node.op == "Gemm";
        let (alpha, beta) = if is_gemm { (node.float("alpha", 1.0), node.float("beta", 1.0)) } else { (1.0, 1.0) };
        if is_gemm && node.int("transA", 0) != 0 {
            return Err("`transA` is not possible".to_owned());
        }
        if is_gemm && node.int("transB", 0) != 0 {
            weights = constants::transposed(&weights)?;
        }
        let [inputs, outputs] = *weights.dims.as_slice() else {
            return Err(format!("the weights have the sizes {:?}; expected a matrix", weights.dims));
        };
        if forms.dims.last() != Some(&inputs) || forms.forms.len() != inputs {
            return Err(format!("weights for {inputs} numbers, but reads {:?} numbers", forms.dims));
        }
        let column = |output: usize| {
            let weights = weights.values.iter().skip(output).step_by(outputs);
            weights.map(|weight| weight * alpha).collect::<Vec<f64>>()
        };
        let rows: Vec<Vec<f64>> = (0..outputs).map(column).collect();
        let bias = match if is_gemm { self.constant(2)? } else { None } {
            Some(bias) => {
                let bias = bias.map(|bias| bias * beta);
                let all = Tensor { dims: vec![1, outputs], values: vec![0.0; outputs] };
                let bias = all.combine(&bias, |_, bias| bias)?;
                if bias.values.len() != outputs {
                    return Err(format!("a bias of {:?} numbers for {outputs} outputs", bias.dims));
                }
                bias.values
            }
            None => vec![0.0; outputs],
        };
        let name = self.layer_name();
        let layer = self.graph.weighted(&forms, &rows, &bias, &name)?;
        self.became(&Became::Layer(layer));
        let mut dims = forms.dims.clone();
        if let Some(last) = dims.last_mut() {
            *last = outputs;
        }
        Forms::of_layer(layer, outputs).reshaped(dims).map(Value::Forms)
    }
}
