//! Checks a network against its model: both are run on pictures, and every output is compared.

use cain_isa::Fraction;
use cain_network::{Network, Operation, Source, Value};

use super::evaluator::{Graph, Run};
use super::{Choices, Imported};

/// The largest difference of an output, as a part of its largest number.
const TOLERANCE: f64 = 1e-6;
/// The same as a part of the largest number of the picture.
const OF_PICTURE: f64 = 1e-9;

/// What a picture showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Whether all outputs are the same. Otherwise a value is so near a threshold that the last digits of a calculation
    /// decide.
    pub is_same: bool,
    /// The class that the model finds: its first output, or the place of the largest number of it.
    pub class: usize,
    /// The class that the network finds with its rounded weights.
    pub rounded: usize,
}

/// Compares a model, the network that was made of it, and the network that was written to a kernel file and read back.
///
/// The network that was written must be the one that was made. Each of its weights must be the nearest multiple of
/// 1/2^depth, or of the smaller unit of a layer with small weights, to one of the model; the model is compared with the
/// network with these weights in place, so that no difference is excused by rounding. Calculations use double precision. The error tells the output and the picture.
pub struct Check<'m> {
    model: Graph,
    imported: &'m Imported,
    /// The network that was written, with the weights as they were before they were rounded.
    exact: Network,
    /// The network that was written, with the integers that the controller has.
    written: Network,
    choices: Choices,
}

impl<'m> Check<'m> {
    /// Checks that the network was written as it was made, and prepares the model.
    pub fn new(bytes: &[u8], imported: &'m Imported, written: &'m Network, choices: Choices) -> Result<Self, String> {
        let unknown = |problem: String| format!("the model cannot be run: {problem}");
        let model = Graph::read(bytes).map_err(unknown)?;
        if written.input != imported.network.input || written.layers.len() != imported.network.layers.len() {
            return Err("the kernel file has another picture or other layers than the network".to_owned());
        }
        for (wrote, made) in written.layers.iter().zip(&imported.network.layers) {
            if wrote != made {
                return Err(format!("the kernel file does not have the layer `{}` as it was made", made.name));
            }
        }
        let mut exact = written.clone();
        for (layer, unrounded) in exact.layers.iter_mut().zip(&imported.unrounded.layers) {
            let half = choices.depth.map_or(0.0, |depth| half_unit(depth, &unrounded.operation));
            restore(&mut layer.operation, &unrounded.operation, half * (1.0 + TOLERANCE))
                .map_err(|problem| format!("layer `{}`: {problem}", layer.name))?;
        }
        let check = Self { model, imported, exact, written: written.with_integers(), choices };
        // What it cannot run does not depend on the picture.
        let black = vec![0; written.input.height * written.input.width];
        check.model.run(&check.numbers(&black, imported.range), 0.0).map_err(unknown)?;
        Ok(check)
    }

    /// The class that the model finds if these are its numbers for black and white.
    pub fn class_with(&self, pixels: &[u8], range: (f64, f64)) -> Result<usize, String> {
        let run = self.model.run(&self.numbers(pixels, range), 0.0)?;
        Ok(class(&reals(&run)))
    }

    /// The numbers of the model for a picture.
    fn numbers(&self, pixels: &[u8], (black, white): (f64, f64)) -> Vec<f64> {
        let grey = |pixel: u8| match self.choices.binarise {
            Some(at) if pixel >= at => 255,
            Some(_) => 0,
            None => pixel,
        };
        pixels.iter().map(|pixel| black + (white - black) * f64::from(grey(*pixel)) / 255.0).collect()
    }

    /// Compares all outputs for a picture.
    pub fn picture(&self, pixels: &[u8]) -> Result<Compared, String> {
        let numbers = self.numbers(pixels, self.imported.range);
        let size = numbers.iter().fold(1.0_f64, |most, number| most.max(number.abs()));
        let run = self.model.run(&numbers, size * OF_PICTURE);
        let run = run.map_err(|problem| format!("the model cannot be run: {problem}"))?;
        let values = self.exact.evaluate(pixels).map_err(|error| error.to_string())?;
        let heads = self.exact.heads();
        if heads.len() != run.outputs.len() {
            return Err(format!("{} outputs of the model, and {} of the network", run.outputs.len(), heads.len()));
        }
        let mut difference = None;
        for (output, (head, wanted)) in heads.iter().zip(&run.outputs).enumerate() {
            let is_logarithm = self.imported.logarithms.contains(&output);
            let real = |number: f64| if is_logarithm { number.exp() } else { number };
            let wanted: Vec<f64> = wanted.numbers.iter().map(|number| real(number.real())).collect();
            let found = values.get(*head).map_or(&[][..], Value::numbers);
            let name = self.model.output_name(output);
            difference =
                difference.or_else(|| differ(&wanted, found, size).map(|what| format!("output `{name}`: {what}")));
        }
        for (output, (head, scores)) in heads.iter().zip(&run.scores).enumerate() {
            let Some((scores, made)) = scores.as_ref().zip(scored(&self.exact, *head)) else { continue };
            let wanted: Vec<f64> = scores.numbers.iter().map(|number| number.real()).collect();
            let found = values.get(made).map_or(&[][..], Value::numbers);
            let name = self.model.output_name(output);
            difference = difference.or_else(|| {
                differ(&wanted, found, size).map(|what| format!("the numbers before output `{name}`: {what}"))
            });
        }
        let is_near = || run.is_near || is_near(&self.exact, &values, size * OF_PICTURE);
        if let Some(difference) = difference.as_ref().filter(|_| !is_near()) {
            return Err(difference.clone());
        }
        let rounded = self.written.evaluate(pixels).map_err(|error| error.to_string())?;
        let head = heads.first().and_then(|head| rounded.get(*head));
        Ok(Compared {
            is_same: difference.is_none(),
            class: class(&reals(&run)),
            rounded: class(head.map_or(&[][..], Value::numbers)),
        })
    }
}

/// The numbers of the first output.
fn reals(run: &Run) -> Vec<f64> {
    run.outputs.first().map_or_else(Vec::new, |output| output.numbers.iter().map(|number| number.real()).collect())
}

/// The layer with the numbers of which a head is the place of the largest.
fn scored(network: &Network, head: usize) -> Option<usize> {
    let read = |layer: usize| match network.layers.get(layer)?.from.first()? {
        Source::Layer(read) => Some(*read),
        Source::Image => None,
    };
    let is =
        |layer: usize, wanted: &Operation| network.layers.get(layer).is_some_and(|layer| layer.operation == *wanted);
    if !is(head, &Operation::Argmax) {
        return None;
    }
    let scores = read(head)?;
    if is(scores, &Operation::Softmax) { read(scores) } else { Some(scores) }
}

/// The place of the largest number, or the only number, which is a place itself.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places are small")]
fn class(numbers: &[f64]) -> usize {
    if let [only] = numbers {
        return *only as usize;
    }
    let first = |(place, most): (usize, f64), (other, number): (usize, &f64)| {
        if *number > most { (other, *number) } else { (place, most) }
    };
    numbers.iter().enumerate().fold((0, f64::NEG_INFINITY), first).0
}

/// Half of the unit of the weights of a layer: 1/2^depth, or less where all of them are less than 1/8.
fn half_unit(depth: u32, unrounded: &Operation) -> f64 {
    let weights: Vec<Fraction> = match unrounded {
        Operation::Convolution { kernels, .. } => kernels.iter().flatten().flatten().flatten().copied().collect(),
        Operation::Affine { scale, .. } => scale.clone(),
        _ => return 0.0,
    };
    let largest = weights.iter().map(|weight| weight.to_f64().abs()).fold(0.0, f64::max);
    let mut half = 0.5 / f64::from(1_u32 << depth.min(31));
    let mut bound = 0.125;
    for _ in 0..20 {
        if largest >= bound || largest == 0.0 {
            break;
        }
        (half, bound) = (half / 2.0, bound / 2.0);
    }
    half
}

/// Puts the unrounded weights in place of rounded ones; fails if a weight differs by more than `most`.
fn restore(rounded: &mut Operation, unrounded: &Operation, most: f64) -> Result<(), String> {
    let each = |rounded: &mut Fraction, unrounded: &Fraction| {
        let (from, to) = (rounded.to_f64(), unrounded.to_f64());
        *rounded = *unrounded;
        if (from - to).abs() <= most {
            return Ok(());
        }
        Err(format!("the weight {to} of the model became {from}"))
    };
    match (rounded, unrounded) {
        (Operation::Convolution { kernels, .. }, Operation::Convolution { kernels: others, .. }) => {
            let all = kernels.iter_mut().flatten().flatten().flatten();
            all.zip(others.iter().flatten().flatten().flatten()).try_for_each(|(to, from)| each(to, from))
        }
        (Operation::Affine { scale, .. }, Operation::Affine { scale: others, .. }) => {
            scale.iter_mut().zip(others).try_for_each(|(to, from)| each(to, from))
        }
        _ => Ok(()),
    }
}

/// Describes the largest difference, if it exceeds the tolerance.
fn differ(wanted: &[f64], found: &[f64], size: f64) -> Option<String> {
    if wanted.len() != found.len() {
        return Some(format!("{} numbers of the model, and {} of the network", wanted.len(), found.len()));
    }
    let scale = wanted.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    let difference = |(wanted, found): (&f64, &f64)| (wanted - found).abs();
    let pairs = wanted.iter().zip(found).enumerate();
    let (place, pair) = pairs.max_by(|(_, a), (_, b)| difference(*a).total_cmp(&difference(*b)))?;
    let is_same = difference(pair) <= TOLERANCE * scale + OF_PICTURE * size;
    (!is_same).then(|| format!("number {place} is {} of the model, and {} of the network", pair.0, pair.1))
}

/// Whether a value of the network is almost as large as what it is compared with.
fn is_near(network: &Network, values: &[Value], most: f64) -> bool {
    network.layers.iter().any(|layer| {
        let Some(&Source::Layer(read)) = layer.from.first() else { return false };
        let Some(read) = values.get(read) else { return false };
        let near = |a: f64, b: f64| {
            let distance = (a - b).abs();
            distance > 0.0 && distance <= most.max(OF_PICTURE * a.abs())
        };
        match (&layer.operation, read) {
            (Operation::Threshold { at, .. }, Value::Maps(maps)) => (0..maps.channels()).any(|channel| {
                let at = at.get(channel).or(at.first()).copied().unwrap_or_default();
                maps.channel(channel).iter().any(|value| near(*value, at))
            }),
            (Operation::Argmax, Value::Numbers(numbers)) => {
                let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                numbers.iter().any(|number| near(most, *number))
            }
            _ => false,
        }
    })
}
