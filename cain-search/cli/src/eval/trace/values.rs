//! The values of all layers in floating point and on both arrays, and their errors over many pictures.

use std::collections::BTreeMap;

use cain_network::{CompiledNetwork, Network, Operation, Shape, Source, Value};

use super::layers::{Errors, Layer};
use super::planes::{Plane, Planes};
use super::record::Correct;
use super::unit::Unit;
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
    units: BTreeMap<(usize, usize), Unit>,
    /// The mean errors, in numbers, of channels that only thresholds and rectifiers read, which are corrected for such
    /// errors.
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
        let mut looked =
            Self { compiled, arrays, head, shapes, units: BTreeMap::new(), corrected: BTreeMap::new(), pictures };
        let [ideal, measured] = arrays;
        // As many pictures as an array holds tell what values stand for.
        let first: Vec<&[u8]> = looked.pictures.iter().map(|(picture, _)| *picture).take(ideal.room()).collect();
        let planes = ideal.planes(&first)?;
        let floats = first.iter().map(|picture| looked.float(picture)).collect::<Result<Vec<_>, _>>()?;
        for (&(layer, channel), planes) in &planes.maps {
            let numbers = floats.iter().map(|float| looked.channel(float, layer, channel));
            let pairs: Vec<(&Plane, &[f64])> = planes.iter().zip(numbers).collect();
            let operation = network.layers.get(layer).map(|layer| &layer.operation);
            let unit = match (operation, pairs.first()) {
                (Some(Operation::Threshold { below, above, .. }), Some((plane, _))) if plane.bits == 1 => {
                    Some(Unit { scale: above - below, zero: *below, is_signed: false })
                }
                _ => Unit::of(&pairs),
            };
            looked.units.extend(unit.map(|unit| ((layer, channel), unit)));
        }
        let planes = measured.planes(&first)?;
        for (&(layer, channel), planes) in
            planes.maps.iter().filter(|((layer, _), _)| is_only_compared(network, *layer))
        {
            let Some(unit) = looked.units.get(&(layer, channel)) else { continue };
            let (mut sum, mut count) = (0.0, 0.0);
            for (plane, float) in planes.iter().zip(&floats) {
                for (found, wanted) in unit.numbers(plane).iter().zip(looked.channel(float, layer, channel)) {
                    (sum, count) = (sum + found - wanted, count + 1.0);
                }
            }
            looked.corrected.insert((layer, channel), sum / count);
        }
        Ok(looked)
    }

    /// What the values of a channel in an analogue register stand for.
    pub(super) fn analogue(&self, layer: usize, channel: usize) -> Option<Unit> {
        let is_bits = matches!(self.shapes.get(layer), Some(Shape::Maps { bits: true, .. }));
        self.units.get(&(layer, channel)).copied().filter(|_| !is_bits)
    }

    fn float(&self, picture: &[u8]) -> Result<Vec<Vec<f64>>, String> {
        let values = self.compiled.network().evaluate(picture).map_err(|error| error.to_string())?;
        Ok(values.iter().map(|value| value.numbers().to_vec()).collect())
    }

    /// The pixels of a channel among those of all layers.
    fn channel<'f>(&self, float: &'f [Vec<f64>], layer: usize, channel: usize) -> &'f [f64] {
        let Some(Shape::Maps { height, width, .. }) = self.shapes.get(layer) else { return &[] };
        let area = height * width;
        float.get(layer).and_then(|values| values.get(channel * area..(channel + 1) * area)).unwrap_or_default()
    }

    /// The values of all layers for pictures.
    pub(super) fn values(&self, pictures: &[&[u8]]) -> Result<Vec<Values>, String> {
        let [ideal, measured] = [self.arrays[0].planes(pictures)?, self.arrays[1].planes(pictures)?];
        let operation = self.compiled.network().layers.get(self.head).map(|layer| layer.operation.clone());
        let of = |(place, picture): (usize, &&[u8])| {
            let float = self.float(picture)?;
            let arrays = [&ideal, &measured].map(|planes| self.on_array(planes, place, &float));
            Ok(Values { float, arrays, operation: operation.clone() })
        };
        pictures.iter().enumerate().map(of).collect()
    }

    /// The numbers of each layer on an array; channels that are always the same are as in floating point.
    fn on_array(&self, planes: &Planes, picture: usize, float: &[Vec<f64>]) -> Vec<Option<Vec<f64>>> {
        let of = |(layer, shape): (usize, &Shape)| {
            let Shape::Maps { channels, .. } = shape else {
                return planes.numbers.get(picture)?.get(layer)?.clone();
            };
            if !planes.maps.keys().any(|(other, _)| *other == layer) {
                return None;
            }
            let of_channel = |channel: usize| {
                let plane = planes.maps.get(&(layer, channel)).and_then(|planes| planes.get(picture));
                match self.units.get(&(layer, channel)).zip(plane) {
                    Some((unit, plane)) => unit.numbers(plane),
                    None => self.channel(float, layer, channel).to_vec(),
                }
            };
            Some((0..*channels).flat_map(of_channel).collect())
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
                let unit = place.checked_div(area).map(|channel| self.units.get(&(layer, channel)));
                let error = found - wanted;
                match unit {
                    // A channel that is always the same has no unit.
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
        let corrected = |layer: usize| {
            let mut numbers = measured.get(layer)?.clone()?;
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
