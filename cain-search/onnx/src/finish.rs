//! Turns layers in floating point into a network: rounds weights and drops layers that nothing reads.

use std::collections::BTreeMap;

use cain_isa::{Fraction, Machine};
use cain_network::{Image, Integers, Layer, MOST_LAYERS, Network, Operation, Padding, Reach, Source};
use cain_search::Options;

use super::draft::{Draft, Work};
use super::rounding::{self, Change, Rounding, Weights};

/// Dense weights are rounded to 8 bits if that changes them by at most this fraction in the root mean square.
const FINE_ENOUGH: f64 = 0.003;

/// A network and the remarks about its rounding.
pub(crate) struct Finished {
    pub(crate) network: Network,
    pub(crate) rounding: Vec<String>,
    /// Whether weights on the array are rounded so much that outputs are others.
    pub(crate) is_coarse: bool,
    /// The layer that each draft became.
    pub(crate) layers: BTreeMap<usize, usize>,
}

/// Makes a network of the drafts that outputs need.
pub(crate) fn finish(
    name: String,
    input: Image,
    drafts: &[Draft],
    outputs: &[usize],
    rounding: Rounding,
) -> Result<Finished, String> {
    let (machine, options) = (Machine::SCAMP5, Options::default());
    let network = Network {
        name,
        input,
        pictures: vec![],
        largest_sums: Fraction::ONE,
        layers: vec![],
        machine,
        options,
        interruption: None,
    };
    let mut finished = Finished { network, rounding: Vec::new(), is_coarse: false, layers: BTreeMap::new() };
    let mut refused = Vec::new();
    for (i, draft) in needed(drafts, outputs) {
        if let Err(problem) = check_means(drafts, input, draft).and_then(|()| finished.add(i, draft, rounding)) {
            refused.push(format!("layer `{}`: {problem}", draft.name));
        }
    }
    if !refused.is_empty() {
        return Err(refused.join("\n"));
    }
    let layers = finished.network.layers.len();
    if layers > MOST_LAYERS {
        return Err(format!("the model becomes {layers} layers; a network has at most {MOST_LAYERS}"));
    }
    finished.network.shapes().map_err(|error| error.to_string())?;
    Ok(finished)
}

/// Refuses means on the array that are over fewer pixels at the border.
fn check_means(drafts: &[Draft], input: Image, draft: &Draft) -> Result<(), String> {
    let Work::Ready(Operation::MeanPool { size, stride, dilation, padding, count_padding: false }) = draft.work else {
        return Ok(());
    };
    let (_, height, width) = match draft.from.first() {
        Some(Source::Layer(layer)) => drafts.get(*layer).and_then(|draft| draft.size).unwrap_or_default(),
        _ => (1, input.height, input.width),
    };
    if (Reach { size, stride, dilation, padding }).pixels_of_each((height, width)).is_some() {
        return Ok(());
    }
    Err("takes means over fewer pixels at the border, where padding does not count, and the array divides by one number \
         everywhere; train with `AvgPool2d(.., count_include_pad=True)` or without padding, and without `ceil_mode` or with sizes \
         that the windows fill, or read the means out"
        .to_owned())
}

/// The drafts that outputs need, with their indices. Those of the first output come before those that only later
/// outputs need, so that its layer is the first head.
fn needed<'d>(drafts: &'d [Draft], outputs: &[usize]) -> Vec<(usize, &'d Draft)> {
    let mut first_reader = vec![None; drafts.len()];
    for (output, &last) in outputs.iter().enumerate() {
        let mut waiting = vec![last];
        while let Some(draft) = waiting.pop() {
            let Some(reader @ None) = first_reader.get_mut(draft) else { continue };
            *reader = Some(output);
            let from = drafts.get(draft).map(|draft| draft.from.as_slice()).unwrap_or_default();
            waiting.extend(from.iter().filter_map(|source| match source {
                Source::Layer(layer) => Some(*layer),
                Source::Image => None,
            }));
        }
    }
    let read = drafts.iter().enumerate().zip(first_reader);
    let mut needed: Vec<_> = read.filter_map(|(draft, reader)| Some((reader?, draft))).collect();
    needed.sort_by_key(|(reader, _)| *reader);
    needed.into_iter().map(|(_, draft)| draft).collect()
}

impl Finished {
    fn add(&mut self, index: usize, draft: &Draft, rounding: Rounding) -> Result<(), String> {
        let from = draft.from.iter().map(|source| match source {
            Source::Image => Source::Image,
            // If the layer was refused, the import fails anyway.
            Source::Layer(layer) => self.layers.get(layer).map_or(Source::Image, |layer| Source::Layer(*layer)),
        });
        let from: Vec<Source> = from.collect();
        let operation = match &draft.work {
            Work::Ready(Operation::Threshold { at, inclusive, below, above }) => {
                Operation::Threshold { at: shortened(at.clone()), inclusive: *inclusive, below: *below, above: *above }
            }
            Work::Ready(operation) => operation.clone(),
            Work::Convolution { weights, bias, stride, dilation, padding } => {
                let kernels = self.rounded(&draft.name, weights, rounding)?;
                let (stride, dilation, padding) = (*stride, *dilation, *padding);
                Operation::Convolution { kernels, bias: bias.clone(), stride, dilation, padding }
            }
            Work::Affine { scale, shift } => {
                let weights = vec![vec![vec![shortened(scale.clone())]]];
                let scale = self.rounded(&draft.name, &weights, rounding)?.concat().concat().concat();
                Operation::Affine { scale, shift: shortened(shift.clone()) }
            }
            Work::Dense { weights, bias } => {
                let bits = self.bits(&draft.name, weights);
                Operation::Dense { weights: weights.clone(), bias: bias.clone(), bits }
            }
            Work::Sign { at } => {
                let last = self.sign(draft, &from, at);
                self.layers.insert(index, last);
                return Ok(());
            }
        };
        self.network.layers.push(Layer { name: draft.name.clone(), from, operation });
        self.layers.insert(index, self.network.layers.len() - 1);
        Ok(())
    }

    /// Makes the sign from two thresholds and their sum, since it is 0 at 0.
    fn sign(&mut self, draft: &Draft, from: &[Source], at: &[f64]) -> usize {
        let channels = draft.size.map_or(1, |(channels, ..)| channels);
        let layers = &mut self.network.layers;
        let mut push = |suffix: &str, from: Vec<Source>, operation: Operation| {
            layers.push(Layer { name: format!("{}{suffix}", draft.name), from, operation });
            layers.len() - 1
        };
        let at = shortened(at.to_vec());
        let threshold =
            |inclusive: bool, below: f64, above: f64| Operation::Threshold { at: at.clone(), inclusive, below, above };
        let positive = push("_positive", from.to_vec(), threshold(false, 0.0, 1.0));
        let negative = push("_negative", from.to_vec(), threshold(true, -1.0, 0.0));
        let both = push("_both", vec![Source::Layer(positive), Source::Layer(negative)], Operation::Concatenate);
        let weight =
            |output: usize, input: usize| if input % channels == output { Fraction::ONE } else { Fraction::ZERO };
        let kernel = |output: usize| (0..2 * channels).map(|input| vec![vec![weight(output, input)]]).collect();
        let sum = Operation::Convolution {
            kernels: (0..channels).map(kernel).collect(),
            bias: vec![0.0; channels],
            stride: (1, 1),
            dilation: (1, 1),
            padding: Padding::NONE,
        };
        push("", vec![Source::Layer(both)], sum)
    }

    /// Rounds weights on the array, and tells what that changes.
    fn rounded(&mut self, name: &str, weights: &Weights<f64>, rounding: Rounding) -> Result<Weights<Fraction>, String> {
        let rounded = rounding::rounded(name, weights, rounding)?;
        self.rounding.extend(rounded.remarks);
        self.is_coarse |= rounded.is_coarse;
        Ok(rounded.weights)
    }

    /// The width of the integers that dense weights become.
    fn bits(&mut self, name: &str, weights: &[Vec<f64>]) -> u32 {
        let change = |bits: u32| {
            let rounded = Integers::new(weights, bits).rounded();
            let mut change = Change::default();
            let pairs = weights.iter().flatten().zip(rounded.iter().flatten());
            pairs.for_each(|(weight, rounded)| change.add(*weight, *rounded));
            change
        };
        let (bits, change) = match change(8) {
            coarse if coarse.relative() <= FINE_ENOUGH => (8, coarse),
            _ => (16, change(16)),
        };
        let size = (weights.len(), weights.first().map_or(0, Vec::len));
        self.rounding.push(format!(
            "`{name}`: {}×{} weights of {bits} bits on the controller: {}",
            size.0,
            size.1,
            change.text()
        ));
        bits
    }
}

/// Shortens a list to one number if all its numbers are equal.
fn shortened(list: Vec<f64>) -> Vec<f64> {
    match list.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => vec![*first],
        _ => list,
    }
}
