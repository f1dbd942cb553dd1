//! Lowers what mixes channels of maps, or pads them, to convolutions with kernels of 1×1 pixels.

use cain_network::{MOST_CHANNELS, Operation, Padding, Source};

use super::{Lower, Value, View};
use crate::axes;
use crate::draft::{Size, Work};
use crate::graph::{Became, Node};
use crate::op::{Line, Op};
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
        let none = vec![0.0; size.0];
        let positive = self.beyond(node, "positive", (source, size), (1.0, &none));
        let negative = self.beyond(node, "negative", (source, size), (-1.0, &none));
        let parts = [(positive, vec![1.0; size.0]), (negative, slopes.iter().map(|slope| -slope).collect())];
        self.sum_of_parts(node, &parts, size, none)
    }

    /// Maps that are one line of others below a threshold, and another line above it: multiples of how far they are beyond it on
    /// either side, and bits for the jump between the lines.
    pub(super) fn cut(
        &mut self,
        node: &Node,
        (at, inclusive): (&[f64], bool),
        below: Line,
        above: Line,
    ) -> Result<Value, String> {
        let (source, size) = self.maps(node, 0)?;
        let mut parts = Vec::new();
        if above.scale != 0.0 {
            let beyond = self.beyond(node, "above", (source, size), (1.0, at));
            parts.push((beyond, vec![above.scale; size.0]));
        }
        if below.scale != 0.0 {
            let beyond = self.beyond(node, "below", (source, size), (-1.0, at));
            parts.push((beyond, vec![-below.scale; size.0]));
        }
        let mut ends: Vec<(f64, f64)> = at.iter().map(|at| (below.of(*at), above.of(*at))).collect();
        if ends.iter().any(|(below, above)| below != above) {
            let uniform = ends.first().copied().filter(|first| ends.iter().all(|ends| ends == first));
            // What bits stand for is exact; weights are rounded.
            let (below, above) = uniform.unwrap_or((0.0, 1.0));
            let threshold = Operation::Threshold { at: at.to_vec(), inclusive, below, above };
            let bits = self.push(&format!("{}_bits", node.name), vec![source], Work::Ready(threshold), Some(size));
            let jumps = ends.iter().map(|(below, above)| if uniform.is_some() { 1.0 } else { above - below }).collect();
            parts.push((bits, jumps));
            if uniform.is_some() {
                ends.fill((0.0, 0.0));
            }
        }
        self.sum_of_parts(node, &parts, size, ends.into_iter().map(|(below, _)| below).collect())
    }

    /// The layer of how far maps are above the threshold of each channel, or below it if the sign is negative.
    fn beyond(&mut self, node: &Node, part: &str, (source, size): (Source, Size), (sign, at): (f64, &[f64])) -> usize {
        let does_nothing = sign == 1.0 && at.iter().all(|at| *at == 0.0);
        let source = if does_nothing {
            source
        } else {
            let affine = Work::Affine { scale: vec![sign; size.0], shift: at.iter().map(|at| -sign * at).collect() };
            Source::Layer(self.push(&format!("{}_from_{part}", node.name), vec![source], affine, Some(size)))
        };
        self.push(&format!("{}_{part}", node.name), vec![source], Work::Ready(Operation::Relu), Some(size))
    }

    /// The sum of layers of the same size, of which each has a factor for each channel, and of a bias.
    fn sum_of_parts(
        &mut self,
        node: &Node,
        parts: &[(usize, Vec<f64>)],
        (channels, height, width): Size,
        bias: Vec<f64>,
    ) -> Result<Value, String> {
        let all = (parts.len() * channels, height, width);
        let source = match *parts {
            [] => return Err("makes a constant of maps".to_owned()),
            [(only, ref factors)]
                if factors.iter().all(|factor| *factor == 1.0) && bias.iter().all(|bias| *bias == 0.0) =>
            {
                self.became(node, Became::Layer(only));
                return Ok(Value::Maps(View::whole(Source::Layer(only), all)));
            }
            [(only, _)] => only,
            _ => {
                let from = parts.iter().map(|(layer, _)| Source::Layer(*layer)).collect();
                self.push(&format!("{}_parts", node.name), from, Work::Ready(Operation::Concatenate), Some(all))
            }
        };
        let weight = |output: usize, input: usize| {
            let own = parts.get(input / channels).filter(|_| input % channels == output);
            own.and_then(|(_, factors)| factors.get(output).copied()).unwrap_or_default()
        };
        self.mixed(node, (Source::Layer(source), all), &weight, bias, Padding::NONE)
    }

    /// Maps with zeros around them, which no convolution or pooling has taken over.
    pub(super) fn padded(&mut self, node: &Node, padding: Padding) -> Result<Value, String> {
        let (source, size) = self.maps(node, 0)?;
        let weight = |output: usize, input: usize| f64::from(u8::from(input == output));
        self.mixed(node, (source, size), &weight, vec![0.0; size.0], padding)
    }

    /// Why an array cannot have a number around it.
    pub(super) fn why_not_around(&self, node: &Node, sides: &[(usize, usize)], value: f64) -> String {
        let read = node.inputs.first().and_then(|id| self.graph.node(*id));
        let dims = read.map(|read| read.fact.dims.as_slice()).unwrap_or_default();
        let (&[1, channels, _, _], &[first, (before, after), ..]) = (dims, sides) else {
            return format!("reads the sizes {dims:?}; expected maps, [1, channels, rows, columns]");
        };
        let all = before + channels + after;
        if first != (0, 0) {
            "pads axis 0; expected channels, rows and columns only".to_owned()
        } else if all > MOST_CHANNELS {
            format!("makes {all} maps; at most {MOST_CHANNELS} are possible")
        } else if !value.is_finite() {
            format!("pads channels with {value}; expected a finite number")
        } else {
            format!("pads whole numbers with {value}; cast them to float first, or pad with zeros")
        }
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
