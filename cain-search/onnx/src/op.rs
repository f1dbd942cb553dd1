//! The operations of the nodes of the graph.

use std::rc::Rc;

use cain_network::{Padding, Reach};

use super::axes::Slice;
use super::numbers::check_numbers;
use super::phases::{Phase, Phases};
use super::tensor::Tensor;

#[derive(Debug)]
pub(crate) enum Op {
    /// The picture; each number of it is scaled and shifted.
    Image {
        scale: f64,
        shift: f64,
        /// The least and the largest number of the picture itself, if all are whole.
        whole: Option<(f64, f64)>,
    },
    Constant(Rc<Tensor>),
    /// A function of each number.
    Each(Each),
    /// A rectifier whose slopes below zero are repeated to fill the sizes.
    Slopes(Rc<Tensor>),
    /// A change of the type.
    Cast,
    /// The integer nearest to each number divided by `scale`, plus `zero`, kept within the type.
    Quantise {
        scale: f64,
        zero: f64,
    },
    /// A function of two numbers at the same place.
    Pair(Pair),
    /// The largest or smallest of the numbers at the same place.
    Extreme {
        is_max: bool,
    },
    /// Numbers of the second input where the first one is true, otherwise of the third one.
    Where,
    Clamp {
        low: Option<f64>,
        high: Option<f64>,
    },
    /// Each number times a factor, plus a summand.
    Affine {
        scale: Tensor,
        shift: Tensor,
    },
    /// One of two numbers for each number of maps, depending on a threshold.
    Threshold {
        /// The threshold of each channel.
        at: Vec<f64>,
        /// Whether equal values count as above.
        inclusive: bool,
        below: f64,
        above: f64,
    },
    /// One of two lines for each number of maps, depending on a threshold.
    Cut {
        /// The threshold of each channel.
        at: Vec<f64>,
        /// Whether equal values count as above.
        inclusive: bool,
        below: Line,
        above: Line,
    },
    /// 1 above, -1 below and 0 at the threshold of each channel of maps.
    Sign {
        at: Vec<f64>,
    },
    Convolution(Convolution),
    MaxPool(Reach),
    MeanPool {
        reach: Reach,
        count_padding: bool,
    },
    /// Zeros around maps.
    Pad(Padding),
    /// Another number around maps.
    Surrounded {
        padding: Padding,
        value: f64,
    },
    /// A number around an array of any axes: how often before and behind, along each of them.
    Around {
        sides: Vec<(usize, usize)>,
        value: f64,
    },
    /// Sums or means over axes.
    Reduce {
        axes: Vec<usize>,
        is_mean: bool,
        keeps: bool,
    },
    /// Products over axes, of constants.
    Product {
        axes: Vec<usize>,
    },
    Slice(Vec<Slice>),
    Concat {
        axis: usize,
    },
    Transpose {
        order: Vec<usize>,
    },
    Reshape,
    /// These places along an axis, in this order.
    Take {
        axis: usize,
        places: Vec<usize>,
    },
    /// Channels that take rows and columns of those of maps.
    Phases(Phases),
    Dense(Dense),
    /// Works from this axis on.
    Softmax {
        axis: usize,
        is_to_end: bool,
        is_logarithm: bool,
    },
    ArgMax {
        axis: usize,
    },
}

impl Op {
    /// A number around maps.
    pub(crate) fn around_maps(padding: Padding, value: f64) -> Self {
        if value == 0.0 { Self::Pad(padding) } else { Self::Surrounded { padding, value } }
    }
}

/// A factor and a summand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) scale: f64,
    pub(crate) shift: f64,
}

impl Line {
    pub(crate) fn of(self, number: f64) -> f64 {
        self.scale * number + self.shift
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        Self { scale: self.scale * factor, shift: self.shift * factor }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Each {
    Neg,
    Abs,
    Sign,
    Relu,
    Leaky { alpha: f64 },
    Sqrt,
    Round,
    Floor,
    Ceil,
    Not,
    Sigmoid,
    Tanh,
}

impl Each {
    /// The name of the operator in ONNX.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Neg => "Neg",
            Self::Abs => "Abs",
            Self::Sign => "Sign",
            Self::Relu => "Relu",
            Self::Leaky { .. } => "LeakyRelu",
            Self::Sqrt => "Sqrt",
            Self::Round => "Round",
            Self::Floor => "Floor",
            Self::Ceil => "Ceil",
            Self::Not => "Not",
            Self::Sigmoid => "Sigmoid",
            Self::Tanh => "Tanh",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    Add,
    Sub,
    Mul,
    Div,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    /// Whether one of two conditions holds, and not both.
    Xor,
}

impl Pair {
    pub(crate) const fn is_comparison(self) -> bool {
        matches!(self, Self::Greater | Self::GreaterOrEqual | Self::Less | Self::LessOrEqual)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Convolution {
    /// The weights by output channel, input channel of the group, row and column.
    pub(crate) weights: Rc<Tensor>,
    pub(crate) groups: usize,
    /// The factor of each output channel.
    pub(crate) scale: Vec<f64>,
    /// The summand of each output channel, after the factor.
    pub(crate) bias: Vec<f64>,
    pub(crate) reach: Reach,
}

impl Convolution {
    /// The number of output channels, of input channels per group, of rows and of columns.
    pub(crate) fn sizes(&self) -> (usize, usize, usize, usize) {
        match *self.weights.dims.as_slice() {
            [outputs, inputs, rows, columns] => (outputs, inputs, rows, columns),
            _ => (0, 0, 0, 0),
        }
    }

    /// The weight of an output channel for an input channel, without the factor; `None` if they are in different
    /// groups.
    pub(crate) fn weight(&self, output: usize, input: usize, row: usize, column: usize) -> Option<f64> {
        let (outputs, inputs, rows, columns) = self.sizes();
        let first = output / (outputs / self.groups.max(1)).max(1) * inputs;
        let own = input.checked_sub(first).filter(|own| *own < inputs)?;
        self.weights.values.get(((output * inputs + own) * rows + row) * columns + column).copied()
    }
}

impl Convolution {
    /// The convolution of maps that are shifted by a number for each channel, as one of the maps themselves; it has no padding.
    pub(crate) fn behind(&self, shifts: &[f64]) -> Self {
        let (.., rows, columns) = self.sizes();
        let bias = |(output, bias): (usize, &f64)| {
            let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let sum = |(input, shift): (usize, &f64)| {
                let weights = places.clone().filter_map(|(row, column)| self.weight(output, input, row, column));
                weights.sum::<f64>() * shift
            };
            let sum: f64 = shifts.iter().enumerate().map(sum).sum();
            bias + self.scale.get(output).copied().unwrap_or(1.0) * sum
        };
        Self { bias: self.bias.iter().enumerate().map(bias).collect(), ..self.clone() }
    }

    /// The convolution of phases of maps, each times a factor, as one of the maps themselves. The maps have `from` channels, rows and
    /// columns, and the phases `made` rows and columns. `None` if padding would be beside other pixels, or if there are too many
    /// weights.
    pub(crate) fn of_phases(
        &self,
        (phases, factors): (&Phases, &[f64]),
        made: (usize, usize),
        (channels, height, width): (usize, usize, usize),
    ) -> Option<Self> {
        let (outputs, _, rows, columns) = self.sizes();
        let Reach { stride, dilation, padding, .. } = self.reach;
        let step = phases.step;
        let last = |of: fn(&Phase) -> usize| phases.all.iter().map(of).max().unwrap_or_default();
        let last = (last(|phase| phase.row), last(|phase| phase.column));
        let is_whole = step == (1, 1) && last == (0, 0);
        let is_exact = (step.0 * made.0, step.1 * made.1) == (height, width) && last.0 < step.0 && last.1 < step.1;
        if !is_exact && !padding.is_none() {
            return None;
        }
        // The distances of taps; if whole channels are taken, the dilation stays what it is.
        let apart = if is_whole { (1, 1) } else { (dilation.0 * step.0, dilation.1 * step.1) };
        let size = ((rows - 1) * apart.0 + last.0 + 1, (columns - 1) * apart.1 + last.1 + 1);
        let reach = Reach {
            size,
            stride: (stride.0 * step.0, stride.1 * step.1),
            dilation: if is_whole { dilation } else { (1, 1) },
            padding: Padding {
                top: padding.top * step.0,
                left: padding.left * step.1,
                bottom: padding.bottom * step.0,
                right: padding.right * step.1,
            },
        };
        let count = outputs.checked_mul(channels)?.checked_mul(size.0)?.checked_mul(size.1)?;
        if check_numbers(count).is_err() || reach.outputs((height, width)) != self.reach.outputs(made) {
            return None;
        }
        let mut values = vec![0.0; count];
        for output in 0..outputs {
            for (input, (phase, factor)) in phases.all.iter().zip(factors).enumerate() {
                for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                    let (y, x) = (row * apart.0 + phase.row, column * apart.1 + phase.column);
                    let at = ((output * channels + phase.channel) * size.0 + y) * size.1 + x;
                    *values.get_mut(at)? += self.weight(output, input, row, column).unwrap_or_default() * factor;
                }
            }
        }
        let weights = Tensor { kind: self.weights.kind, dims: vec![outputs, channels, size.0, size.1], values };
        Some(Self { weights: Rc::new(weights), groups: 1, reach, ..self.clone() })
    }
}

#[derive(Debug)]
pub(crate) struct Dense {
    /// The weights, inputs by outputs.
    pub(crate) weights: Rc<Tensor>,
    /// Whether the weights are stored outputs by inputs.
    pub(crate) is_transposed: bool,
    /// Whether the input is a matrix to be transposed first.
    pub(crate) reads_transposed: bool,
    pub(crate) factor: f64,
    pub(crate) bias: Vec<f64>,
}

impl Dense {
    /// The numbers of inputs and of outputs.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        match *self.weights.dims.as_slice() {
            [outputs, inputs] if self.is_transposed => (inputs, outputs),
            [inputs, outputs] => (inputs, outputs),
            _ => (0, 0),
        }
    }

    pub(crate) fn weight(&self, input: usize, output: usize) -> f64 {
        let (inputs, outputs) = self.sizes();
        let place = if self.is_transposed { output * inputs + input } else { input * outputs + output };
        self.weights.values.get(place).copied().unwrap_or_default() * self.factor
    }
}
