//! Lowers nodes to read-outs and layers on the controller.

use std::collections::BTreeSet;

use cain_network::{Operation, Source};

use super::forms::{Element, Form, Forms};
use super::{Lower, Value, View};
use crate::axes::{self, Slice};
use crate::draft::Work;
use crate::graph::{Became, Id, Node};
use crate::numbers::check_numbers;
use crate::op::{Convolution, Dense, Each, Op};
use crate::substitutes;
use crate::tensor::Tensor;

/// The most numbers of which a sigmoid is returned, each by a layer of its own.
const MOST_SIGMOIDS: usize = 16;

impl Lower<'_> {
    /// The numbers of an input on the controller; maps are read out.
    pub(super) fn forms(&mut self, node: &Node, input: usize) -> Result<Forms, String> {
        match &*self.value(node, input)? {
            Value::Forms(forms) => Ok(forms.clone()),
            Value::Constant(tensor) => Ok(Forms::of_constant(tensor)),
            Value::Maps(view) => self.pixels(view),
            Value::Refused => Err("reads what is not made".to_owned()),
        }
    }

    /// All pixels of a part of maps.
    pub(super) fn pixels(&mut self, view: &View) -> Result<Forms, String> {
        self.sums(view, (false, false))
    }

    /// The numbers of the first input; refuses maps.
    fn numbers_read(&self, node: &Node) -> Result<Forms, String> {
        match &*self.value(node, 0)? {
            Value::Forms(forms) => Ok(forms.clone()),
            Value::Constant(_) | Value::Refused => Err("expected numbers of the picture, found a constant".to_owned()),
            Value::Maps(_) => {
                Err("reads maps on the array; expected numbers, which a flattening or sums of windows make; what is \
                                   chosen for each pixel has to be chosen of maps that are returned"
                    .to_owned())
            }
        }
    }

    /// Adds a layer on the controller that makes new numbers of others.
    pub(super) fn number_layer(&mut self, node: &Node, operation: Operation, read: &Forms) -> Result<Forms, String> {
        let source = self.numbers(read, &node.name)?;
        let count = if matches!(operation, Operation::Argmax) { 1 } else { read.forms.len() };
        let layer = self.push(&node.name, vec![Source::Layer(source)], Work::Ready(operation), None);
        self.became(node, Became::Layer(layer));
        let dims = if count == 1 { vec![1; node.fact.dims.len()] } else { read.dims.clone() };
        Forms::of_layer(layer, count).reshaped(dims)
    }

    /// The maximum of numbers and a bound, or the minimum if the sign is negative.
    pub(super) fn bounded_numbers(
        &mut self,
        node: &Node,
        forms: &Forms,
        sign: f64,
        bound: f64,
    ) -> Result<Forms, String> {
        let affine = |forms: &Forms, shift: f64| forms.affine(&Tensor::scalar(sign), &Tensor::scalar(shift));
        let beyond = affine(forms, -sign * bound)?;
        affine(&self.number_layer(node, Operation::Rectify, &beyond)?, bound)
    }

    /// Numbers whose slope below zero is not 1.
    pub(super) fn bent_numbers(&mut self, node: &Node, forms: &Forms, slopes: &Tensor) -> Result<Forms, String> {
        let none = Tensor::scalar(0.0);
        let rectified = self.number_layer(node, Operation::Rectify, forms)?;
        // Where the numbers are positive, the rectifier has what they lack.
        let rest = rectified.affine(&slopes.map(|slope| 1.0 - slope), &none)?;
        forms.affine(slopes, &none)?.add(&rest, 1.0)
    }

    /// The largest or smallest of the numbers at the same place.
    pub(super) fn extreme_numbers(&mut self, node: &Node, is_max: bool) -> Result<Forms, String> {
        let sign = if is_max { 1.0 } else { -1.0 };
        let mut most = self.forms(node, 0)?;
        for input in 1..node.inputs.len() {
            // The larger one of two numbers is the first one, plus what the second one has more.
            let more = self.forms(node, input)?.add(&most, -1.0)?;
            let more = more.affine(&Tensor::scalar(sign), &Tensor::scalar(0.0))?;
            let rectified = self.number_layer(node, Operation::Rectify, &more)?;
            most = most.add(&rectified, sign)?;
        }
        Ok(most)
    }

    pub(super) fn softmax(&mut self, node: &Node, axis: usize, is_to_end: bool) -> Result<Value, String> {
        let forms = self.numbers_read(node)?;
        let behind = if is_to_end { forms.dims.iter().skip(axis).product() } else { 0 };
        if behind != forms.forms.len() {
            check_axis(&forms, axis)?;
        }
        self.number_layer(node, Operation::Softmax, &forms).map(Value::Forms)
    }

    /// The second probability of 0 and each number.
    pub(super) fn sigmoid(&mut self, node: &Node) -> Result<Value, String> {
        let forms = match &*self.value(node, 0)? {
            Value::Forms(forms) if forms.forms.len() <= MOST_SIGMOIDS => forms.clone(),
            _ => return Err(substitutes::none("Sigmoid")),
        };
        let mut made = Vec::new();
        for form in &forms.forms {
            let one = Forms { dims: vec![1, 1], forms: vec![form.clone()] };
            let both = self.weighted(&one, &[vec![0.0], vec![1.0]], &[0.0; 2], &node.name)?;
            let softmax = self.push(&node.name, vec![Source::Layer(both)], Work::Ready(Operation::Softmax), None);
            self.became(node, Became::Layer(softmax));
            made.push(Form::of(Element::Number { layer: softmax, index: 1 }));
        }
        Ok(Value::Forms(Forms { dims: forms.dims, forms: made }))
    }

    pub(super) fn argmax(&mut self, node: &Node, axis: usize) -> Result<Value, String> {
        let forms = self.numbers_read(node)?;
        check_axis(&forms, axis)?;
        self.number_layer(node, Operation::Argmax, &forms).map(Value::Forms)
    }

    pub(super) fn reduction(&mut self, node: &Node, axes: &[usize], mean: bool, keep: bool) -> Result<Value, String> {
        self.became(node, Became::Text("read-out of sums"));
        let view = match &*self.value(node, 0)? {
            Value::Forms(forms) => return forms.sum(axes, mean, keep).map(Value::Forms),
            Value::Maps(view) => view.clone(),
            Value::Constant(_) | Value::Refused => return Err("this sum of constants is not possible".to_owned()),
        };
        let (rows, columns) = (axes.contains(&2), axes.contains(&3));
        if !rows && !columns && axes.contains(&1) && keep {
            return self.sum_of_channels(node, &view, mean);
        }
        let sums = self.sums(&view, (rows, columns))?;
        let (height, width) = (if rows { view.window.height } else { 1 }, if columns { view.window.width } else { 1 });
        let sums = if mean {
            let pixels = axes::number(height * width);
            sums.affine(&Tensor::scalar(1.0 / pixels), &Tensor::scalar(0.0))?
        } else {
            sums
        };
        // Rows and columns are summed already; only sums over axes of size 1 and over channels are left.
        sums.sum(axes, mean, keep).map(Value::Forms)
    }

    pub(super) fn slice(&mut self, node: &Node, slices: &[Slice]) -> Result<Value, String> {
        self.became(node, Became::Text("part of a read-out"));
        let mut view = match &*self.value(node, 0)? {
            Value::Forms(forms) => {
                return Ok(Value::Forms(slices.iter().fold(forms.clone(), |forms, slice| forms.slice(slice))));
            }
            Value::Maps(view) => view.clone(),
            Value::Constant(_) | Value::Refused => return Err("this slice is not possible".to_owned()),
        };
        let (along_maps, mut of_channels): (Vec<Slice>, Vec<Slice>) =
            slices.iter().cloned().partition(|slice| matches!(slice.axis, 2 | 3));
        let is_spread = |slice: &Slice| slice.axis == 1 && slice.step != 1 && slice.count > 1;
        if let Some(place) = of_channels.iter().position(is_spread) {
            let slice = of_channels.remove(place);
            let places: Vec<usize> = (0..slice.count).map(|taken| slice.place(taken)).collect();
            let layer = self.channels_of(&node.name, &view, &places)?;
            self.became(node, Became::Layer(layer));
            view = View::whole(Source::Layer(layer), (places.len(), view.window.height, view.window.width));
        }
        for slice in of_channels.iter().filter(|slice| slice.axis == 1) {
            view.factors = view.factors.map(|all| all.into_iter().skip(slice.start).take(slice.count).collect());
            view.channels = (view.channels.0 + slice.start, slice.count);
        }
        // With a step along one axis, both are taken at once.
        if let Some(value) = self.thinned(node, &view, &along_maps)? {
            return Ok(value);
        }
        for slice in &along_maps {
            match slice.axis {
                2 => (view.window.top, view.window.height) = (view.window.top + slice.start, slice.count),
                3 => (view.window.left, view.window.width) = (view.window.left + slice.start, slice.count),
                _ => {}
            }
        }
        Ok(Value::Maps(view))
    }

    pub(super) fn reshape(&mut self, node: &Node) -> Result<Value, String> {
        self.read_out_of(node);
        self.forms(node, 0)?.reshaped(node.fact.dims.clone()).map(Value::Forms)
    }

    pub(super) fn transposition(&mut self, node: &Node, order: &[usize]) -> Result<Value, String> {
        self.read_out_of(node);
        Ok(Value::Forms(self.forms(node, 0)?.transposed(order)))
    }

    /// If a node reads maps, notes that they are read out unchanged.
    fn read_out_of(&mut self, node: &Node) {
        let value = self.value(node, 0);
        if let Ok(Value::Maps(view)) = value.as_deref() {
            let what = if view.is_whole() { "read-out of all values" } else { "read-out of a window" };
            self.became(node, Became::Text(what));
        }
    }

    /// A convolution that weights the only number of each map, as a dense layer does.
    pub(super) fn convolution_of_numbers(
        &mut self,
        node: &Node,
        convolution: &Convolution,
        forms: &Forms,
    ) -> Result<Value, String> {
        let (outputs, _, rows, columns) = convolution.sizes();
        let channels = forms.forms.len();
        if forms.dims != [1, channels, 1, 1] || (rows, columns) != (1, 1) || !convolution.reach.padding.is_none() {
            let otherwise = format!(
                "expected maps on the array, found {:?} numbers on the controller, which sums of maps and other orders of \
                 their pixels make; of numbers only one of each map can be weighted, by a kernel of 1×1",
                forms.dims
            );
            let read = node.inputs.first().copied().unwrap_or_default();
            return Err(self.why_no_maps(read, otherwise));
        }
        self.hold_weights(channels.saturating_mul(outputs))?;
        let weight = |output: usize, input: usize| convolution.weight(output, input, 0, 0).unwrap_or_default();
        let scale = |output: usize| convolution.scale.get(output).copied().unwrap_or(1.0);
        let row = |output: usize| (0..channels).map(|input| weight(output, input) * scale(output)).collect();
        let rows: Vec<Vec<f64>> = (0..outputs).map(row).collect();
        let layer = self.weighted(forms, &rows, &convolution.bias, &node.name)?;
        self.became(node, Became::Layer(layer));
        Forms::of_layer(layer, outputs).reshaped(node.fact.dims.clone()).map(Value::Forms)
    }

    /// A convolution that makes one number of all pixels, of maps that are read out, if all that reads it takes numbers.
    pub(super) fn convolution_of_all(
        &mut self,
        node: &Node,
        convolution: &Convolution,
    ) -> Result<Option<Value>, String> {
        let Convolution { reach, scale, bias, .. } = convolution;
        let Value::Maps(view) = &*self.value(node, 0)? else { return Ok(None) };
        let (channels, height, width) = view.part();
        let (outputs, _, rows, columns) = convolution.sizes();
        let is_one = reach.outputs((height, width)) == Some((1, 1)) && (height, width) != (1, 1);
        let covers_all = reach.padding.is_none() && (rows, columns) == (height, width);
        let count = channels * height * width;
        if !is_one || !covers_all || check_numbers(count).is_err() || !self.are_numbers(self.node) {
            return Ok(None);
        }
        self.hold_weights(count.saturating_mul(outputs))?;
        let forms = self.pixels(view)?;
        let row = |output: usize| {
            let scale = scale.get(output).copied().unwrap_or(1.0);
            let weight = |place: usize| {
                let (input, row, column) = (place / (height * width), place / width % height, place % width);
                convolution.weight(output, input, row, column).unwrap_or_default() * scale
            };
            (0..count).map(weight).collect()
        };
        let weights: Vec<Vec<f64>> = (0..outputs).map(row).collect();
        let layer = self.weighted(&forms, &weights, bias, &node.name)?;
        self.became(node, Became::Layer(layer));
        Forms::of_layer(layer, outputs).reshaped(node.fact.dims.clone()).map(|forms| Some(Value::Forms(forms)))
    }

    /// Whether all that is made of the result of a node can be made of numbers.
    pub(super) fn are_numbers(&self, id: Id) -> bool {
        let mut waiting = vec![id];
        let mut seen = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            for (reader, node) in self.graph.nodes.iter().enumerate().filter(|(_, node)| node.inputs.contains(&id)) {
                match &*node.op {
                    // What changes sizes or the order of axes makes numbers, whatever it reads.
                    Op::Softmax { .. } | Op::ArgMax { .. } | Op::Dense(_) | Op::Reshape | Op::Transpose { .. } => {}
                    Op::Convolution(convolution) if convolution.sizes().2 * convolution.sizes().3 == 1 => {
                        waiting.push(reader);
                    }
                    Op::Each(Each::Relu | Each::Leaky { .. } | Each::Abs)
                    | Op::Slopes(_)
                    | Op::Clamp { .. }
                    | Op::Affine { .. }
                    | Op::Reduce { .. } => waiting.push(reader),
                    _ => return false,
                }
            }
        }
        true
    }

    pub(super) fn dense_layer(&mut self, node: &Node, dense: &Dense) -> Result<Value, String> {
        let (inputs, outputs) = dense.sizes();
        let dims = node.inputs.first().and_then(|id| self.graph.node(*id)).map(|read| &read.fact.dims);
        if let Some(dims) = dims.filter(|dims| dims.iter().product::<usize>() != inputs) {
            return Err(format!(
                "weights for {inputs} numbers, but reads {dims:?} numbers; expected all of them, as a `Flatten` makes, or the \
                 channels of maps along the last axis"
            ));
        }
        let mut forms = self.numbers_read(node)?;
        if dense.reads_transposed {
            forms = forms.transposed(&[1, 0]);
        }
        self.hold_weights(inputs.saturating_mul(outputs))?;
        let row = |output: usize| (0..inputs).map(|input| dense.weight(input, output)).collect::<Vec<f64>>();
        let rows: Vec<Vec<f64>> = (0..outputs).map(row).collect();
        let layer = self.weighted(&forms, &rows, &dense.bias, &node.name)?;
        self.became(node, Became::Layer(layer));
        Forms::of_layer(layer, outputs).reshaped(node.fact.dims.clone()).map(Value::Forms)
    }
}

/// Checks that an axis holds all numbers.
fn check_axis(forms: &Forms, axis: usize) -> Result<(), String> {
    if forms.dims.get(axis) == Some(&forms.forms.len()) && !forms.dims.is_empty() {
        return Ok(());
    }
    Err(format!("works along axis {axis} of {:?} numbers; expected the axis of all numbers", forms.dims))
}
