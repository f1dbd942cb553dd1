//! The values of all layers in floating point and on both arrays, and their errors over many pictures.

use std::collections::BTreeMap;

use cain_network::{CompiledNetwork, Network, Operation, Shape, Source, Value};

use super::layers::{Errors, Layer};
use super::planes::Planes;
use super::record::Correct;
use super::unit::Unit;
use super::units::{Units, float, pixels};
use crate::data::Labelled;
use crate::eval::array::Arrays;
use crate::eval::head::class;
use crate::share::share;
use crate::threads;
use crate::watch::Interrupt;

/// The pixels of the pictures for the figures are about this many.
const PIXELS: usize = 1 << 18;
/// The least and the most number of these pictures.
const COUNT: (usize, usize) = (8, 200);

/// Whether a layer is read, and only by thresholds and rectifiers.
fn is_only_compared(network: &Network, layer: usize) -> bool {
    let mut readers = network.layers.iter().filter(|reader| reader.from.contains(&Source::Layer(layer))).peekable();
    readers.peek().is_some()
        && readers.all(|reader| matches!(reader.operation, Operation::Threshold { .. } | Operation::Relu))
}

/// The values of all layers for a picture.
pub(super) struct Values {
    float: Vec<Vec<f64>>,
    /// Those on the ideal array, and on the array with errors; `None` for layers that are part of others.
    arrays: [Vec<Option<Vec<f64>>>; 2],
    /// The operation of the head, by which a class is found.
    operation: Option<Operation>,
}

impl Values {
    /// The numbers of a layer: in floating point, on the ideal array, and on that with errors.
    pub(super) fn of(&self, layer: usize) -> [Option<&[f64]>; 3] {
        let [ideal, measured] = &self.arrays;
        [
            self.float.get(layer).map(Vec::as_slice),
            ideal.get(layer).and_then(Option::as_deref),
            measured.get(layer).and_then(Option::as_deref),
        ]
    }

    /// The class in floating point (0), on the ideal array (1), or on that with errors (2).
    pub(super) fn class(&self, head: usize, which: usize) -> usize {
        let [float, ideal, measured] = self.of(head);
        let numbers = [float, ideal, measured].get(which).copied().flatten().unwrap_or_default();
        class(self.operation.as_ref(), numbers)
    }
}

/// A network with two arrays, and what its values on them stand for.
pub(super) struct Looked<'a> {
    compiled: &'a CompiledNetwork,
    arrays: [&'a Arrays<'a>; 2],
    head: usize,
    shapes: Vec<Shape>,
    units: Units,
    /// The mean errors, in numbers, of channels that only thresholds and rectifiers read; shares of recognised pictures leave them
    /// out.
    corrected: BTreeMap<(usize, usize), f64>,
    /// The pictures for the figures, with their labels.
    pictures: Vec<(&'a [u8], usize)>,
}

impl<'a> Looked<'a> {
    pub(super) fn new(
        compiled: &'a CompiledNetwork,
        arrays: [&'a Arrays<'a>; 2],
        head: usize,
        data: &'a Labelled,
    ) -> Result<Self, String> {
        let network = compiled.network();
        let shapes = network.shapes().map_err(|error| error.to_string())?;
        let count = (PIXELS / (data.height() * data.width()).max(1)).clamp(COUNT.0, COUNT.1);
        let pictures: Vec<(&[u8], usize)> = data.iter().take(count).collect();
        let [ideal, measured] = arrays;
        let first: Vec<&[u8]> = pictures.iter().map(|(picture, _)| *picture).take(ideal.room()).collect();
        let units = Units::new(compiled, ideal, &shapes, &first)?.with_errors(compiled, measured.errors());
        let floats = first.iter().map(|picture| float(compiled, picture)).collect::<Result<Vec<_>, _>>()?;
        let mut corrected = BTreeMap::new();
        let planes = measured.planes(&first)?;
        for (&(layer, channel), planes) in
            planes.maps.iter().filter(|((layer, _), _)| is_only_compared(network, *layer))
        {
            let Some(unit) = units.measured((layer, channel)) else { continue };
            let (mut sum, mut count) = (0.0, 0.0);
            for (plane, float) in planes.iter().zip(&floats) {
                for (found, wanted) in unit.numbers(plane).iter().zip(pixels(float, &shapes, layer, channel)) {
                    (sum, count) = (sum + found - wanted, count + 1.0);
                }
            }
            if count > 0.0 {
                corrected.insert((layer, channel), sum / count);
            }
        }
        Ok(Self { compiled, arrays, head, shapes, units, corrected, pictures })
    }

    /// What the values of a channel in an analogue register stand for.
    pub(super) fn analogue(&self, layer: usize, channel: usize) -> Option<Unit> {
        let is_bits = matches!(self.shapes.get(layer), Some(Shape::Maps { bits: true, .. }));
        self.units.of((layer, channel)).filter(|_| !is_bits)
    }

    /// The values of all layers for pictures.
    pub(super) fn values(&self, pictures: &[&[u8]]) -> Result<Vec<Values>, String> {
        let [ideal, measured] = [self.arrays[0].planes(pictures)?, self.arrays[1].planes(pictures)?];
        let operation = self.compiled.network().layers.get(self.head).map(|layer| layer.operation.clone());
        let of = |(place, picture): (usize, &&[u8])| {
            let arrays = [
                self.on_array(&ideal, place, |channel| self.units.of(channel)),
                self.on_array(&measured, place, |channel| self.units.measured(channel)),
            ];
            Ok(Values { float: float(self.compiled, picture)?, arrays, operation: operation.clone() })
        };
        pictures.iter().enumerate().map(of).collect()
    }

    /// The numbers of each layer on an array. Those of a channel that has no plane there, or whose unit is not known, are NaN.
    fn on_array(
        &self,
        planes: &Planes,
        picture: usize,
        unit: impl Fn((usize, usize)) -> Option<Unit>,
    ) -> Vec<Option<Vec<f64>>> {
        let of = |(layer, shape): (usize, &Shape)| {
            let Shape::Maps { channels, height, width, .. } = *shape else {
                return planes.numbers.get(picture)?.get(layer)?.clone();
            };
            if !planes.maps.keys().any(|(other, _)| *other == layer) {
                return None;
            }
            let of_channel = |channel: usize| {
                let plane = planes.maps.get(&(layer, channel)).and_then(|planes| planes.get(picture));
                let numbers = unit((layer, channel)).zip(plane).map(|(unit, plane)| unit.numbers(plane));
                numbers.unwrap_or_else(|| vec![f64::NAN; height * width])
            };
            Some((0..channels).flat_map(of_channel).collect())
        };
        self.shapes.iter().enumerate().map(of).collect()
    }

    /// Adds errors and accuracies to layers. Returns the number of pictures, and how many of them are recognised.
    pub(super) fn fill(&self, layers: &mut [Layer], interrupt: &Interrupt) -> Result<(usize, Correct), String> {
        let mut errors = vec![[Errors::default(); 2]; layers.len()];
        let mut right = vec![0; layers.len()];
        let mut correct = Correct::default();
        for batch in self.pictures.chunks(self.arrays[0].room().max(1)) {
            if interrupt.is_pressed() {
                return Err("interrupted".to_owned());
            }
            let shown: Vec<&[u8]> = batch.iter().map(|(picture, _)| *picture).collect();
            let values = self.values(&shown)?;
            for (values, (_, label)) in values.iter().zip(batch) {
                let is_right = |which: usize| usize::from(values.class(self.head, which) == *label);
                correct.float += is_right(0);
                correct.ideal += is_right(1);
                correct.measured += is_right(2);
                for (layer, errors) in errors.iter_mut().enumerate() {
                    self.add(layer, values, errors);
                }
            }
            let answered: Vec<_> = values.iter().zip(batch).collect();
            let found =
                threads::try_map(&answered, |_, (values, (picture, label))| self.right(values, picture, *label));
            for found in found? {
                right.iter_mut().zip(found).for_each(|(count, is_right)| *count += usize::from(is_right));
            }
        }
        for (place, ((layer, errors), right)) in layers.iter_mut().zip(&errors).zip(right).enumerate() {
            let are_bits = matches!(self.shapes.get(place), Some(Shape::Maps { bits: true, .. }));
            let [ideal, measured] = errors.map(|errors| errors.figures(are_bits));
            (layer.ideal, layer.measured) = (ideal, measured);
            layer.accuracy = measured.map(|_| share(right, self.pictures.len()));
        }
        Ok((self.pictures.len(), correct))
    }

    /// Adds the errors of a layer for a picture: those in analogue registers in DN.
    fn add(&self, layer: usize, values: &Values, errors: &mut [Errors; 2]) {
        let [Some(float), arrays @ ..] = values.of(layer) else { return };
        let area = match self.shapes.get(layer) {
            Some(Shape::Maps { height, width, .. }) => height * width,
            // The places in a list are no numbers that differ by more or less.
            Some(Shape::Events { .. }) | None => return,
            Some(Shape::Numbers(_)) => 0,
        };
        for (errors, found) in errors.iter_mut().zip(arrays) {
            let Some(found) = found else { continue };
            for (place, (wanted, found)) in float.iter().zip(found).enumerate() {
                let unit = place.checked_div(area).map(|channel| self.units.of((layer, channel)));
                let error = found - wanted;
                match unit {
                    // Nobody knows what the values stand for.
                    Some(None) => {}
                    Some(Some(unit)) if matches!(self.shapes.get(layer), Some(Shape::Maps { bits: false, .. })) => {
                        errors.add(error / unit.scale.abs(), false);
                    }
                    Some(Some(unit)) => errors.add(error, error.abs() > unit.scale.abs() / 2.0),
                    None => errors.add(error, false),
                }
            }
        }
    }

    /// For each layer, whether the class is right if nothing after it has errors.
    fn right(&self, values: &Values, picture: &[u8], label: usize) -> Result<Vec<bool>, String> {
        let network = self.compiled.network();
        let [_, measured] = &values.arrays;
        // What is not known on the array is as in floating point.
        let known = |layer: usize| {
            let (numbers, float) = (measured.get(layer)?.as_ref()?, values.float.get(layer)?);
            let one = |(number, float): (&f64, &f64)| if number.is_nan() { *float } else { *number };
            Some(numbers.iter().zip(float).map(one).collect::<Vec<f64>>())
        };
        let corrected = |layer: usize| {
            let mut numbers = known(layer)?;
            let Some(Shape::Maps { height, width, .. }) = self.shapes.get(layer) else { return Some(numbers) };
            for (channel, numbers) in numbers.chunks_mut((height * width).max(1)).enumerate() {
                let error = self.corrected.get(&(layer, channel)).copied().unwrap_or(0.0);
                for number in numbers {
                    *number -= error;
                }
            }
            Some(numbers)
        };
        let corrected: Vec<Option<Vec<f64>>> = (0..network.layers.len()).map(corrected).collect();
        (0..network.layers.len())
            .map(|last| {
                let given = |layer: usize| corrected.get(layer).filter(|_| layer <= last)?.clone();
                let all = network.evaluate_with(picture, &given).map_err(|error| error.to_string())?;
                let numbers = all.get(self.head).map_or(&[][..], Value::numbers);
                Ok(class(values.operation.as_ref(), numbers) == label)
            })
            .collect()
    }
}
