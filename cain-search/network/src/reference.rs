//! Evaluates networks in floating point.

use super::declaration::{Network, Operation, Source};
use super::error::{NetworkError, Problem};
use super::geometry::Reach;
use super::maps::{Maps, number};
use super::shape::Shape;
use super::shapes::BitLevels;
use super::{events, exact};

/// The result of a layer for a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Maps.
    Maps(Maps),
    /// Numbers.
    Numbers(Vec<f64>),
}

impl Value {
    /// All numbers; those of maps by channel, row and column.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Maps(maps) => &maps.values,
            Self::Numbers(numbers) => numbers,
        }
    }
}

impl Network {
    /// The result of each layer for a picture of the network's size, given row by row, in numbers of the network.
    ///
    /// Sums are computed in double precision, which is exact for pixels and weights with few digits.
    pub fn evaluate(&self, pixels: &[u8]) -> Result<Vec<Value>, NetworkError> {
        self.evaluate_with(pixels, &|_| None)
    }

    /// The result of each layer for a picture, where the numbers of some layers are given: later layers read these
    /// instead of what the layers would make. There must be as many as a layer makes.
    pub fn evaluate_with(
        &self,
        pixels: &[u8],
        given: &dyn Fn(usize) -> Option<Vec<f64>>,
    ) -> Result<Vec<Value>, NetworkError> {
        let shapes = self.shapes()?;
        let expected = self.input.height * self.input.width;
        if pixels.len() != expected {
            let problem = Problem::Pixels { found: pixels.len(), expected };
            return Err(NetworkError { layer: None, name: self.name.clone(), problem });
        }
        let image = Value::Maps(Maps {
            channels: 1,
            height: self.input.height,
            width: self.input.width,
            values: pixels.iter().map(|&pixel| self.input.number(pixel)).collect(),
        });
        let bits = self.bits()?;
        let mut values: Vec<Value> = Vec::new();
        for (place, (layer, &shape)) in self.layers.iter().zip(&shapes).enumerate() {
            if let Some(values_of) = given(place).filter(|given| given.len() == shape.values()) {
                values.push(match shape {
                    Shape::Maps { channels, height, width, .. } => {
                        Value::Maps(Maps { values: values_of, ..Maps::new((channels, height, width)) })
                    }
                    Shape::Numbers(_) | Shape::Events { .. } => Value::Numbers(values_of),
                });
                continue;
            }
            let source = |source: &Source| match *source {
                Source::Image => &image,
                Source::Layer(earlier) => &values[earlier],
            };
            let sources: Vec<&Value> = layer.from.iter().map(source).collect();
            let read = match layer.from.first() {
                Some(&Source::Layer(earlier)) => bits[earlier].as_ref().map(Read::Bits).or(match shapes[earlier] {
                    Shape::Events { capacity, .. } => Some(Read::Events { capacity }),
                    _ => None,
                }),
                _ => None,
            };
            let value = match (&layer.operation, sources[0], read) {
                (Operation::Events { capacity }, Value::Maps(maps), Some(Read::Bits(levels))) => {
                    Value::Numbers(events::lists(maps, levels, *capacity))
                }
                (Operation::Windows { windows, mean }, Value::Numbers(lists), Some(Read::Events { capacity })) => {
                    Value::Numbers(events::event_counts(lists, capacity, windows, *mean))
                }
                _ => layer.operation.evaluate(&sources, shape),
            };
            values.push(value);
        }
        Ok(values)
    }
}

/// The input of a layer, where values alone are not enough.
enum Read<'n> {
    Bits(&'n BitLevels),
    Events { capacity: usize },
}

impl Operation {
    /// Evaluates an operation that has been checked.
    fn evaluate(&self, sources: &[&Value], shape: Shape) -> Value {
        match (shape, sources[0]) {
            (Shape::Maps { channels, height, width, .. }, Value::Maps(first)) => {
                let size = (channels, height, width);
                Value::Maps(self.maps(first, sources, size))
            }
            (_, Value::Maps(maps)) => Value::Numbers(self.read_out(maps)),
            (_, Value::Numbers(first)) => Value::Numbers(self.numbers(first, sources)),
        }
    }

    fn maps(&self, first: &Maps, sources: &[&Value], size: (usize, usize, usize)) -> Maps {
        match self {
            Self::Convolution { kernels, bias, stride, dilation, padding } => {
                let reach = Reach::of_kernels(kernels, *stride, *dilation, *padding);
                convolve(first, &reach, kernels, bias, size)
            }
            Self::Digital { kernels, stride, dilation, padding } => {
                let reach = Reach::of_kernels(kernels, *stride, *dilation, *padding);
                convolve(first, &reach, kernels, &vec![0.0; kernels.len()], size)
            }
            Self::Logic { functions } => {
                let maps = sources.iter().filter_map(|source| match source {
                    Value::Maps(maps) => Some(maps),
                    Value::Numbers(_) => None,
                });
                let inputs: Vec<_> =
                    maps.flat_map(|maps| (0..maps.channels).map(move |channel| (maps, channel))).collect();
                each_output(size, |channel, row, column| exact::evaluate(&functions[channel], &inputs, row, column))
            }
            Self::Affine { scale, shift } => {
                first.map(|channel, value| value * entry(scale, channel).to_f64() + entry(shift, channel))
            }
            Self::Relu => first.map(|_, value| value.max(0.0)),
            Self::LeakyRelu { exponent } => {
                let slope = 0.5_f64.powi(exponent.cast_signed());
                first.map(|_, value| if value < 0.0 { value * slope } else { value })
            }
            Self::Abs => first.map(|_, value| value.abs()),
            Self::Clamp { low, high } => first.map(|_, value| value.clamp(*low, *high)),
            Self::Threshold { at, inclusive, below, above } => first.map(|channel, value| {
                let at = entry(at, channel);
                let is_above = if *inclusive { value >= at } else { value > at };
                if is_above { *above } else { *below }
            }),
            Self::Maximum => combine(first, sources, f64::max),
            Self::Minimum => combine(first, sources, f64::min),
            Self::MaxPool { size: window, stride, dilation, padding } => {
                let reach = Reach { size: *window, stride: *stride, dilation: *dilation, padding: *padding };
                each_output(size, |channel, row, column| {
                    first.read(&reach, channel, row, column).flatten().fold(f64::NEG_INFINITY, f64::max)
                })
            }
            Self::MeanPool { size: window, stride, dilation, padding, count_padding } => {
                let reach = Reach { size: *window, stride: *stride, dilation: *dilation, padding: *padding };
                each_output(size, |channel, row, column| {
                    let (sum, pixels) = first
                        .read(&reach, channel, row, column)
                        .flatten()
                        .fold((0.0, 0), |(sum, pixels), value| (sum + value, pixels + 1));
                    sum / number(if *count_padding { window.0 * window.1 } else { pixels })
                })
            }
            Self::Concatenate => {
                let values = sources.iter().flat_map(|source| source.numbers()).copied().collect();
                Maps { values, ..Maps::new(size) }
            }
            Self::Windows { .. }
            | Self::Plane
            | Self::Events { .. }
            | Self::Dense { .. }
            | Self::Rectify
            | Self::Softmax
            | Self::Argmax
            | Self::Join => unreachable!("`{}` makes no maps", self.name()),
        }
    }

    fn read_out(&self, maps: &Maps) -> Vec<f64> {
        match self {
            Self::Windows { windows, mean } => (0..maps.channels)
                .flat_map(|channel| windows.iter().map(move |window| maps.window(channel, window, *mean)))
                .collect(),
            _ => maps.values.clone(),
        }
    }

    fn numbers(&self, first: &[f64], sources: &[&Value]) -> Vec<f64> {
        match self {
            Self::Dense { weights, bias, .. } => {
                let sum = |row: &Vec<f64>| row.iter().zip(first).map(|(weight, number)| weight * number).sum::<f64>();
                weights.iter().zip(bias).map(|(row, bias)| sum(row) + bias).collect()
            }
            Self::Affine { scale, shift } => first
                .iter()
                .enumerate()
                .map(|(i, number)| number * entry(scale, i).to_f64() + entry(shift, i))
                .collect(),
            Self::Rectify => first.iter().map(|number| number.max(0.0)).collect(),
            Self::Softmax => {
                let most = first.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let powers: Vec<f64> = first.iter().map(|number| (number - most).exp()).collect();
                let sum: f64 = powers.iter().sum();
                powers.iter().map(|power| power / sum).collect()
            }
            Self::Argmax => vec![number(argmax(first))],
            _ => sources.iter().flat_map(|source| source.numbers()).copied().collect(),
        }
    }
}

fn convolve(
    maps: &Maps,
    reach: &Reach,
    kernels: &[Vec<Vec<Vec<cain_isa::Fraction>>>],
    bias: &[f64],
    size: (usize, usize, usize),
) -> Maps {
    // The non-zero weights: channel, place in the kernel, weight.
    let weights = |kernel: &[Vec<Vec<cain_isa::Fraction>>]| {
        let flat = kernel.iter().map(|matrix| matrix.concat()).enumerate();
        flat.flat_map(|(channel, weights)| {
            weights.into_iter().enumerate().map(move |(tap, weight)| (channel, tap, weight.to_f64()))
        })
        .filter(|(_, _, weight)| *weight != 0.0)
        .collect::<Vec<_>>()
    };
    let kernels: Vec<_> = kernels.iter().map(|kernel| weights(kernel)).collect();
    let mut pixels = Vec::new();
    let mut place = None;
    each_output(size, |channel, row, column| {
        if place != Some((row, column)) {
            place = Some((row, column));
            pixels = reach.pixels(row, column).collect();
        }
        let term = |&(input, tap, weight): &(usize, usize, f64)| {
            let (y, x) = pixels[tap];
            maps.at(input, y, x).map_or(0.0, |value| value * weight)
        };
        kernels[channel].iter().map(term).sum::<f64>() + bias[channel]
    })
}

fn combine(first: &Maps, sources: &[&Value], of: impl Fn(f64, f64) -> f64) -> Maps {
    let mut combined = first.clone();
    for source in sources {
        for (value, other) in combined.values.iter_mut().zip(source.numbers()) {
            *value = of(*value, *other);
        }
    }
    combined
}

/// Makes maps by channel, row and column.
fn each_output(size: (usize, usize, usize), mut value: impl FnMut(usize, usize, usize) -> f64) -> Maps {
    let mut maps = Maps::new(size);
    for channel in 0..size.0 {
        for row in 0..size.1 {
            for column in 0..size.2 {
                maps.values.push(value(channel, row, column));
            }
        }
    }
    maps
}

/// The index of the largest number, or the first of equal ones.
fn argmax(numbers: &[f64]) -> usize {
    let mut best = 0;
    for (i, number) in numbers.iter().enumerate() {
        if *number > numbers[best] {
            best = i;
        }
    }
    best
}

/// The entry of a channel in a list with one for each, or one for all.
fn entry<T: Copy>(list: &[T], channel: usize) -> T {
    if list.len() == 1 { list[0] } else { list[channel] }
}
