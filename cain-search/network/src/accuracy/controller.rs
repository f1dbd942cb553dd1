//! Layers of numbers on the controller: what they make of read-outs, and what read-outs count in their results.

use crate::declaration::{Layer, Network, Operation, Source};
use crate::reference::Value;

/// The numbers of layers, as far as they follow from read-outs: of these, and of layers on the controller.
pub(super) type Numbers = Vec<Option<Vec<f64>>>;

/// The numbers of all layers for read-outs of these layers, one after the other, each with so many numbers.
pub(super) fn numbers(network: &Network, read_outs: &[(usize, usize)], read: &[f64]) -> Numbers {
    let mut all: Numbers = vec![None; network.layers.len()];
    let mut rest = read;
    for &(layer, count) in read_outs {
        let (numbers, later) = rest.split_at(count.min(rest.len()));
        rest = later;
        // The rows and columns of listed pixels are no numbers that errors change by little.
        if !network.lists_events(layer) {
            all[layer] = Some(numbers.to_vec());
        }
    }
    for (number, layer) in network.layers.iter().enumerate() {
        if all[number].is_none() && is_on_controller(&layer.operation) {
            let sources: Option<Vec<Value>> =
                sources(layer).map(|source| Some(Value::Numbers(all.get(source?)?.clone()?))).collect();
            all[number] = sources.filter(|sources| !sources.is_empty()).map(|sources| {
                let sources: Vec<&Value> = sources.iter().collect();
                layer.operation.numbers(sources[0].numbers(), &sources)
            });
        }
    }
    all
}

/// The numbers that another network with the same layers has for a picture; `None` if it cannot be evaluated.
pub(super) fn wanted(network: &Network, wanted: &Network, picture: &[u8]) -> Option<Numbers> {
    let values = wanted.evaluate(picture).ok()?;
    let numbers = |(layer, value): (usize, &Value)| match value {
        Value::Numbers(numbers) if !network.lists_events(layer) => Some(numbers.clone()),
        _ => None,
    };
    Some(values.iter().enumerate().map(numbers).collect())
}

/// What each number that is read out counts in a weighted sum of a layer's numbers, to first order.
pub(super) fn effects(
    network: &Network,
    read_outs: &[(usize, usize)],
    numbers: &Numbers,
    (layer, weights): (usize, Vec<f64>),
) -> Vec<f64> {
    let mut effects: Numbers = vec![None; network.layers.len()];
    effects[layer] = Some(weights);
    for (number, layer) in network.layers.iter().enumerate().rev() {
        if read_outs.iter().any(|(read, _)| *read == number) {
            continue;
        }
        let Some(effect) = effects[number].take() else { continue };
        let mut first = 0;
        for source in sources(layer).flatten() {
            let Some(read) = numbers.get(source).and_then(Option::as_ref) else { continue };
            let more = effect_on(&layer.operation, &effect, read, first);
            first += read.len();
            let sum = effects[source].get_or_insert_with(|| vec![0.0; read.len()]);
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
    let of = |&(layer, count): &(usize, usize)| effects[layer].take().unwrap_or_else(|| vec![0.0; count]);
    read_outs.iter().flat_map(of).collect()
}

/// What a source counts of which an operation takes numbers from `first` on.
fn effect_on(operation: &Operation, effect: &[f64], read: &[f64], first: usize) -> Vec<f64> {
    match operation {
        Operation::Dense { weights, .. } => {
            let of = |input: usize| weights.iter().zip(effect).map(|(row, effect)| row[input] * effect).sum();
            (0..read.len()).map(of).collect()
        }
        Operation::Affine { scale, .. } => {
            let factor = |i: usize| scale.get(i).or(scale.first()).map_or(1.0, |factor| factor.to_f64());
            effect.iter().enumerate().map(|(i, effect)| factor(i) * effect).collect()
        }
        Operation::Rectify => {
            effect.iter().zip(read).map(|(effect, number)| if *number > 0.0 { *effect } else { 0.0 }).collect()
        }
        Operation::Join | Operation::Concatenate => effect.iter().skip(first).take(read.len()).copied().collect(),
        // Probabilities and classes are not followed: scores are what they are made of.
        _ => vec![0.0; read.len()],
    }
}

/// The layer whose numbers decide the class: that of the first head, or what probabilities and classes are made of.
pub(super) fn scores(network: &Network) -> Option<usize> {
    let mut layer = *network.heads().first()?;
    while let Layer { from, operation: Operation::Argmax | Operation::Softmax, .. } = network.layers.get(layer)? {
        let [Source::Layer(source)] = *from.as_slice() else { return None };
        layer = source;
    }
    Some(layer)
}

fn sources(layer: &Layer) -> impl Iterator<Item = Option<usize>> {
    layer.from.iter().map(|source| match *source {
        Source::Image => None,
        Source::Layer(source) => Some(source),
    })
}

fn is_on_controller(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Dense { .. }
            | Operation::Affine { .. }
            | Operation::Rectify
            | Operation::Softmax
            | Operation::Argmax
            | Operation::Join
    )
}
