//! Lowers nodes to layers on the array.

use std::rc::Rc;

use cain_network::{Operation, Padding, Source};

use super::{ABSORBED, Lower, Value, View};
use crate::axes;
use crate::draft::{Size, Work};
use crate::graph::{Became, Node};
use crate::op::{Convolution, Op};
use crate::tensor::Tensor;

impl Lower<'_> {
    pub(super) fn convolution(&mut self, node: &Node, convolution: &Convolution) -> Result<Value, String> {
        if let Value::Forms(forms) = &*self.value(node, 0)? {
            return self.convolution_of_numbers(node, convolution, forms);
        }
        if let Some(value) = self.convolution_of_all(node, convolution)? {
            return Ok(value);
        }
        let (source, (channels, height, width)) = self.maps(node, 0)?;
        let (outputs, _, rows, columns) = convolution.sizes();
        self.hold_weights(outputs.saturating_mul(channels).saturating_mul(rows * columns))?;
        let kernel = |output: usize| {
            let scale = convolution.scale.get(output).copied().unwrap_or(1.0);
            let matrix = |input: usize| {
                let at = |row: usize, column: usize| {
                    convolution.weight(output, input, row, column).map_or(0.0, |weight| weight * scale)
                };
                (0..rows).map(|row| (0..columns).map(|column| at(row, column)).collect()).collect()
            };
            (0..channels).map(matrix).collect()
        };
        let reach = convolution.reach;
        let (height, width) = reach.outputs((height, width)).ok_or("the kernel does not fit the maps")?;
        let work = Work::Convolution {
            weights: (0..outputs).map(kernel).collect(),
            bias: convolution.bias.clone(),
            stride: reach.stride,
            dilation: reach.dilation,
            padding: reach.padding,
        };
        Ok(self.layer(node, vec![source], work, (outputs, height, width)))
    }

    pub(super) fn pooling(&mut self, node: &Node) -> Result<Value, String> {
        let (source, (channels, height, width)) = self.maps(node, 0)?;
        let (reach, operation) = match &*node.op {
            Op::MeanPool { reach, count_padding } => {
                let (size, stride, dilation, padding) = (reach.size, reach.stride, reach.dilation, reach.padding);
                let count_padding = *count_padding;
                (reach, Operation::MeanPool { size, stride, dilation, padding, count_padding })
            }
            Op::MaxPool(reach) => {
                let (size, stride, dilation, padding) = (reach.size, reach.stride, reach.dilation, reach.padding);
                (reach, Operation::MaxPool { size, stride, dilation, padding })
            }
            _ => return Err("expected pooling".to_owned()),
        };
        let (height, width) = reach.outputs((height, width)).ok_or("the window does not fit the maps")?;
        Ok(self.layer(node, vec![source], Work::Ready(operation), (channels, height, width)))
    }

    pub(super) fn relu(&mut self, node: &Node) -> Result<Value, String> {
        match &*self.value(node, 0)? {
            Value::Forms(forms) => self.number_layer(node, Operation::Rectify, forms).map(Value::Forms),
            _ => self.maps_layer(node, Operation::Relu),
        }
    }

    pub(super) fn abs(&mut self, node: &Node) -> Result<Value, String> {
        match &*self.value(node, 0)? {
            Value::Forms(forms) => self.bent_numbers(node, forms, &Tensor::scalar(-1.0)).map(Value::Forms),
            _ => self.maps_layer(node, Operation::Abs),
        }
    }

    pub(super) fn leaky_relu(&mut self, node: &Node, alpha: f64) -> Result<Value, String> {
        if let Value::Forms(forms) = &*self.value(node, 0)? {
            return self.bent_numbers(node, forms, &Tensor::scalar(alpha)).map(Value::Forms);
        }
        let exponent = (0..=20).min_by(|a, b| {
            let distance = |exponent: i32| (0.5_f64.powi(exponent) - alpha).abs();
            distance(*a).total_cmp(&distance(*b))
        });
        let exponent = exponent.unwrap_or(0);
        let near = 0.5_f64.powi(exponent);
        if (near - alpha).abs() > 1e-6 * near {
            return self.bent(node, &Tensor::scalar(alpha));
        }
        self.maps_layer(node, Operation::LeakyRelu { exponent: exponent.unsigned_abs() })
    }

    pub(super) fn clamp(&mut self, node: &Node, low: Option<f64>, high: Option<f64>) -> Result<Value, String> {
        if let Value::Forms(forms) = &*self.value(node, 0)? {
            let raised = low.map(|low| self.bounded_numbers(node, forms, 1.0, low)).transpose()?;
            let raised = raised.unwrap_or_else(|| forms.clone());
            let lowered = high.map(|high| self.bounded_numbers(node, &raised, -1.0, high)).transpose()?;
            return Ok(Value::Forms(lowered.unwrap_or(raised)));
        }
        match (low, high) {
            (Some(low), Some(high)) => self.maps_layer(node, Operation::Clamp { low, high }),
            (Some(low), None) => self.bounded(node, (1.0, -low), (1.0, low)),
            (None, Some(high)) => self.bounded(node, (-1.0, high), (-1.0, high)),
            (None, None) => self.value(node, 0).map(|value| (*value).clone()),
        }
    }

    /// A rectifier between two affine layers, which are omitted where they have no effect.
    fn bounded(&mut self, node: &Node, before: (f64, f64), after: (f64, f64)) -> Result<Value, String> {
        let (source, size) = self.maps(node, 0)?;
        let of = |(scale, shift): (f64, f64)| Work::Affine { scale: vec![scale; size.0], shift: vec![shift; size.0] };
        let does_nothing = |affine: (f64, f64)| affine.0 == 1.0 && affine.1 == 0.0;
        let source = if does_nothing(before) {
            source
        } else {
            Source::Layer(self.push(&node.name, vec![source], of(before), Some(size)))
        };
        let rectified = self.layer(node, vec![source], Work::Ready(Operation::Relu), size);
        match rectified {
            Value::Maps(View { source, .. }) if !does_nothing(after) => {
                Ok(self.layer(node, vec![source], of(after), size))
            }
            rectified => Ok(rectified),
        }
    }

    /// The largest or smallest of several maps.
    pub(super) fn extreme(&mut self, node: &Node, is_max: bool) -> Result<Value, String> {
        let values: Vec<_> = (0..node.inputs.len()).map(|input| self.value(node, input)).collect::<Result<_, _>>()?;
        if values.iter().all(|value| matches!(**value, Value::Forms(_) | Value::Constant(_))) {
            return self.extreme_numbers(node, is_max).map(Value::Forms);
        }
        let constant = node.inputs.iter().find_map(|id| self.graph.constant(*id));
        if let Some(constant) = constant {
            return Err(format!("compares with a constant of the sizes {:?}; expected one number", constant.dims));
        }
        let read = (0..node.inputs.len()).map(|input| self.maps(node, input)).collect::<Result<Vec<_>, _>>()?;
        let size = read.first().map_or((0, 0, 0), |(_, size)| *size);
        if read.iter().any(|(_, other)| *other != size) {
            return Err("compares maps of different sizes".to_owned());
        }
        let operation = if is_max { Operation::Maximum } else { Operation::Minimum };
        Ok(self.layer(node, read.into_iter().map(|(source, _)| source).collect(), Work::Ready(operation), size))
    }

    /// The sum of two maps, or their difference if the sign is negative, as a 1×1 convolution over both. A single channel is
    /// added to all others.
    pub(super) fn sum_of_maps(&mut self, node: &Node, sign: f64) -> Result<Value, String> {
        let ((first, size), (second, other)) = (self.maps(node, 0)?, self.maps(node, 1)?);
        let (channels, height, width) = (size.0.max(other.0), size.1, size.2);
        let fits = |(own, rows, columns): Size| (rows, columns) == (height, width) && (own == channels || own == 1);
        if !fits(size) || !fits(other) {
            let shown = |(channels, height, width): Size| format!("{channels} of {height}×{width}");
            return Err(format!("adds maps of different sizes, {} and {}", shown(size), shown(other)));
        }
        let concatenate = Work::Ready(Operation::Concatenate);
        let both = self.push(&node.name, vec![first, second], concatenate, Some((size.0 + other.0, height, width)));
        self.hold_weights((size.0 + other.0) * channels)?;
        let is_of = |output: usize, input: usize, channels: usize| input == output || channels == 1;
        let weight = |output: usize, input: usize| match input.checked_sub(size.0) {
            None if is_of(output, input, size.0) => 1.0,
            Some(input) if is_of(output, input, other.0) => sign,
            _ => 0.0,
        };
        let kernel = |output: usize| (0..size.0 + other.0).map(|input| vec![vec![weight(output, input)]]).collect();
        let work = Work::Convolution {
            weights: (0..channels).map(kernel).collect(),
            bias: vec![0.0; channels],
            stride: (1, 1),
            dilation: (1, 1),
            padding: Padding::NONE,
        };
        Ok(self.layer(node, vec![Source::Layer(both)], work, (channels, height, width)))
    }

    /// Scales and shifts maps or numbers.
    pub(super) fn affine(&mut self, node: &Node, scale: &Tensor, shift: &Tensor) -> Result<Value, String> {
        match &*self.value(node, 0)? {
            Value::Maps(view) if view.dims() == *node.fact.dims => {
                let of_channels = |constant: &Tensor| axes::channels(constant, view.channels.1);
                let (scale, shift) = match (of_channels(scale), of_channels(shift)) {
                    (Ok(scale), Ok(shift)) => (scale, shift),
                    // The controller may weight each pixel by another number.
                    _ if self.are_numbers(self.node) => {
                        self.became(node, Became::Text(ABSORBED));
                        return self.pixels(view)?.affine(scale, shift).map(Value::Forms);
                    }
                    (Err(problem), _) | (_, Err(problem)) => return Err(self.why_not_affine(node, problem)),
                };
                let of_channel = |(channel, (scale, shift)): (usize, (f64, f64))| {
                    let (inner_scale, inner_shift) = view.factor(channel);
                    (scale * inner_scale, shift + scale * inner_shift)
                };
                let factors = scale.into_iter().zip(shift).enumerate().map(of_channel).collect();
                self.became(node, Became::Text("absorbed by the layer on the controller behind it"));
                Ok(Value::Maps(View { factors: Some(factors), ..view.clone() }))
            }
            // Additional leading sizes turn maps into numbers.
            _ => {
                let forms = self.forms(node, 0)?;
                self.became(node, Became::Text(ABSORBED));
                forms.affine(scale, shift).map(Value::Forms)
            }
        }
    }

    /// Why maps cannot be scaled and shifted: means that are over windows of several sizes have a message of their own.
    fn why_not_affine(&self, node: &Node, problem: String) -> String {
        let read = node.inputs.first().and_then(|id| self.graph.node(*id));
        let is_of_means =
            read.is_some_and(|read| matches!(*read.op, Op::MeanPool { .. }) && read.origin == node.origin);
        if !is_of_means {
            return problem;
        }
        "`ceil_mode` with `count_include_pad` takes means over windows of different sizes at the border, and the array divides by \
         one number everywhere; train without `ceil_mode`, or with sizes that the windows fill, or read the means out"
            .to_owned()
    }

    pub(super) fn concatenation(&mut self, node: &Node, axis: usize) -> Result<Value, String> {
        let values: Vec<Rc<Value>> =
            (0..node.inputs.len()).map(|input| self.value(node, input)).collect::<Result<_, _>>()?;
        if values.iter().any(|value| matches!(&**value, Value::Forms(_))) {
            let all: Vec<_> = (0..values.len()).map(|input| self.forms(node, input)).collect::<Result<_, _>>()?;
            self.became(node, Became::Text(ABSORBED));
            return super::Forms::concatenate(&all, axis).map(Value::Forms);
        }
        if axis != 1 {
            return Err(format!("concatenates maps along axis {axis}; expected axis 1, the channels"));
        }
        let mut from = Vec::new();
        let mut size: Option<Size> = None;
        for input in 0..values.len() {
            let (source, (channels, height, width)) = self.maps(node, input)?;
            from.push(source);
            size = Some((size.map_or(0, |(before, ..)| before) + channels, height, width));
        }
        let size = size.ok_or("concatenates nothing")?;
        Ok(self.layer(node, from, Work::Ready(Operation::Concatenate), size))
    }
}
