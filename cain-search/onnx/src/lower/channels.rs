//! Lowers what mixes channels of maps, or pads them, to convolutions with kernels of 1×1 pixels.

use cain_network::{Operation, Padding, Source};

use super::{Lower, Value, View};
use crate::axes;
use crate::draft::{Size, Work};
use crate::graph::{Became, Node};
use crate::op::Op;
use crate::tensor::Tensor;

impl Lower<'_> {
    /// The given places along an axis.
    pub(super) fn chosen(&mut self, node: &Node, axis: usize, places: &[usize]) -> Result<Value, String> {
        self.became(node, Became::Text("part of a read-out"));
        match &*self.value(node, 0)? {
            Value::Maps(view) if axis == 1 && !self.is_only_flattened() => {
                let layer = self.channels_of(&node.name, view, places)?;
                self.became(node, Became::Layer(layer));
                let size = (places.len(), view.window.height, view.window.width);
                Ok(Value::Maps(View::whole(Source::Layer(layer), size)))
            }
            Value::Maps(view) => self.pixels(view)?.chosen(axis, places).map(Value::Forms),
            Value::Forms(forms) => forms.chosen(axis, places).map(Value::Forms),
            Value::Constant(_) | Value::Refused => Err("expected maps or numbers of the picture".to_owned()),
        }
    }

    /// Whether only nodes read this one that read out all values in some order, which costs nothing on the controller.
    pub(super) fn is_only_flattened(&self) -> bool {
        let mut readers = self.graph.nodes.iter().filter(|node| node.inputs.contains(&self.node));
        readers.all(|reader| matches!(*reader.op, Op::Reshape | Op::Transpose { .. }))
    }

    /// The sum or the mean of all channels.
    pub(super) fn sum_of_channels(&mut self, node: &Node, view: &View, is_mean: bool) -> Result<Value, String> {
        let own = View { factors: None, ..view.clone() };
        let source = if own.is_whole() { own.source } else { Source::Layer(self.part_of(&node.name, &own)?) };
        let size = view.part();
        let share = if is_mean { 1.0 / axes::number(size.0) } else { 1.0 };
        let bias: f64 = (0..size.0).map(|channel| view.factor(channel).1 * share).sum();
        let weight = |_: usize, channel: usize| view.factor(channel).0 * share;
        self.mixed(node, (source, size), &weight, vec![bias], Padding::NONE)
    }

    /// Maps whose slopes below zero are not 1: their positive part, less their negative part times the slopes.
    pub(super) fn bent(&mut self, node: &Node, slopes: &Tensor) -> Result<Value, String> {
        if let Value::Forms(forms) = &*self.value(node, 0)? {
            return self.bent_numbers(node, forms, slopes).map(Value::Forms);
        }
        let (source, size) = self.maps(node, 0)?;
        let slopes = axes::channels(slopes, size.0)?;
        let name = |part: &str| format!("{}_{part}", node.name);
        let relu = || Work::Ready(Operation::Relu);
        let positive = self.push(&name("positive"), vec![source], relu(), Some(size));
        let minus = Work::Affine { scale: vec![-1.0], shift: vec![0.0] };
        let turned = self.push(&name("turned"), vec![source], minus, Some(size));
        let negative = self.push(&name("negative"), vec![Source::Layer(turned)], relu(), Some(size));
        let parts = vec![Source::Layer(positive), Source::Layer(negative)];
        let twice = (2 * size.0, size.1, size.2);
        let both = self.push(&name("both"), parts, Work::Ready(Operation::Concatenate), Some(twice));
        let weight = |output: usize, input: usize| match input.checked_sub(size.0) {
            None if input == output => 1.0,
            Some(input) if input == output => -slopes.get(input).copied().unwrap_or_default(),
            _ => 0.0,
        };
        self.mixed(node, (Source::Layer(both), twice), &weight, vec![0.0; size.0], Padding::NONE)
    }

    /// Maps with zeros around them, which no convolution or pooling has taken over.
    pub(super) fn padded(&mut self, node: &Node, padding: Padding) -> Result<Value, String> {
        let (source, size) = self.maps(node, 0)?;
        let weight = |output: usize, input: usize| f64::from(u8::from(input == output));
        self.mixed(node, (source, size), &weight, vec![0.0; size.0], padding)
    }

    /// Adds a layer whose channels, of which each has a bias, are weighted sums of those of maps.
    fn mixed(
        &mut self,
        node: &Node,
        (source, (channels, height, width)): (Source, Size),
        weight: &dyn Fn(usize, usize) -> f64,
        bias: Vec<f64>,
        padding: Padding,
    ) -> Result<Value, String> {
        let outputs = bias.len();
        self.hold_weights(channels.saturating_mul(outputs))?;
        let kernel = |output: usize| (0..channels).map(|input| vec![vec![weight(output, input)]]).collect();
        let work = Work::Convolution {
            weights: (0..outputs).map(kernel).collect(),
            bias,
            stride: (1, 1),
            dilation: (1, 1),
            padding,
        };
        let Padding { top, left, bottom, right } = padding;
        Ok(self.layer(node, vec![source], work, (outputs, top + height + bottom, left + width + right)))
    }
}
