//! Carries out a network's layers on the controller, in the arithmetic of generated code.

use cain_isa::Fraction;
use cain_network::{Integers, Network, Operation, Source, event_counts};
use cain_runtime::dense::{Dense, argmax, place, rectify, scale_and_shift, softmax};

/// The layers of a network on the controller, with integer weights.
pub(crate) struct Controller<'a> {
    network: &'a Network,
    /// For each dense layer, its weights, scale and biases.
    tables: Vec<Option<Table>>,
}

struct Table {
    weights: Vec<i16>,
    scale: f32,
    bias: Vec<f32>,
}

/// The numbers that a layer holds.
#[derive(Clone, Debug)]
pub(crate) enum Numbers {
    Counts(Vec<i32>),
    Reals(Vec<f32>),
}

impl Numbers {
    pub(crate) fn reals(&self) -> Vec<f32> {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^24")]
        match self {
            Self::Counts(counts) => counts.iter().map(|&count| count as f32).collect(),
            Self::Reals(reals) => reals.clone(),
        }
    }
}

impl<'a> Controller<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let tables = network.layers.iter().map(|layer| Table::of(&layer.operation)).collect();
        Self { network, tables }
    }

    /// Computes the layers from numbers that were read out, given as layers with their numbers. The result is `None`
    /// for maps.
    pub(super) fn run(&self, read: &[(usize, Vec<f64>)]) -> Result<Vec<Option<Numbers>>, String> {
        let mut values: Vec<Option<Numbers>> = vec![];
        for (i, (layer, table)) in self.network.layers.iter().zip(&self.tables).enumerate() {
            let value = match read.iter().find(|(layer, _)| *layer == i) {
                Some((_, numbers)) if self.network.is_counted(i) => Some(counts(numbers)),
                Some((_, numbers)) => Some(reals(numbers)),
                None => {
                    let source = |source: &Source| match *source {
                        Source::Image => None,
                        Source::Layer(earlier) => values.get(earlier)?.as_ref(),
                    };
                    let sources = layer.from.iter().map(source).collect::<Option<Vec<_>>>();
                    match (&layer.operation, self.capacity_of(&layer.from), sources.as_deref()) {
                        (Operation::Windows { windows, mean }, Some(capacity), Some([lists])) => {
                            let lists: Vec<f64> = lists.reals().into_iter().map(f64::from).collect();
                            let numbers = event_counts(&lists, capacity, windows, *mean);
                            Some(if *mean { reals(&numbers) } else { counts(&numbers) })
                        }
                        (operation, _, Some(sources)) => evaluate(operation, table.as_ref(), sources)?,
                        (.., None) => None,
                    }
                }
            };
            values.push(value);
        }
        Ok(values)
    }

    /// The most pixels of each list, if lists are read.
    fn capacity_of(&self, from: &[Source]) -> Option<usize> {
        let Some(&Source::Layer(layer)) = from.first() else { return None };
        match self.network.layers.get(layer)?.operation {
            Operation::Events { capacity } => Some(capacity),
            _ => None,
        }
    }
}

impl Table {
    #[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
    fn of(operation: &Operation) -> Option<Self> {
        let Operation::Dense { weights, bias, bits } = operation else { return None };
        let integers = Integers::new(weights, *bits);
        let weights = integers.weights.into_iter().flatten().map(|weight| i16::try_from(weight).unwrap_or(i16::MAX));
        Some(Self {
            weights: weights.collect(),
            scale: integers.scale as f32,
            bias: bias.iter().map(|bias| *bias as f32).collect(),
        })
    }
}

/// The result of an operation on numbers; `None` for other operations.
#[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
fn evaluate(operation: &Operation, table: Option<&Table>, sources: &[&Numbers]) -> Result<Option<Numbers>, String> {
    let Some(&first) = sources.first() else { return Ok(None) };
    let mut numbers = first.reals();
    match operation {
        Operation::Dense { .. } => {
            let Some(Table { weights, scale, bias }) = table else { return Ok(None) };
            let dense = Dense::new(weights, *scale, bias);
            numbers = vec![0.0; bias.len()];
            let applied = match first {
                Numbers::Counts(counts) => dense.apply(counts, &mut numbers),
                Numbers::Reals(reals) => dense.apply(reals, &mut numbers),
            };
            applied.map_err(|error| error.to_string())?;
        }
        Operation::Affine { scale, shift } => {
            let scale: Vec<f32> = scale.iter().copied().map(Fraction::to_f64).map(|scale| scale as f32).collect();
            let shift: Vec<f32> = shift.iter().map(|shift| *shift as f32).collect();
            scale_and_shift(&mut numbers, &scale, &shift);
        }
        Operation::Rectify => rectify(&mut numbers),
        Operation::Softmax => softmax(&mut numbers),
        Operation::Argmax => numbers = place(argmax(&numbers).unwrap_or_default()).to_vec(),
        Operation::Join => numbers = sources.iter().flat_map(|source| source.reals()).collect(),
        _ => return Ok(None),
    }
    Ok(Some(Numbers::Reals(numbers)))
}

#[expect(clippy::cast_possible_truncation, reason = "counts are small, and whole")]
fn counts(numbers: &[f64]) -> Numbers {
    Numbers::Counts(numbers.iter().map(|number| number.round() as i32).collect())
}

#[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
fn reals(numbers: &[f64]) -> Numbers {
    Numbers::Reals(numbers.iter().map(|number| *number as f32).collect())
}
