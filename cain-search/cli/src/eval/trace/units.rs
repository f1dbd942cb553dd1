//! What the planes of a network on an array stand for.

use std::collections::BTreeMap;

use cain_isa::{ErrorModel, transfer_error};
use cain_network::{CompiledNetwork, Operation, Shape, Source, many_synthetic_pictures};

use super::planes::{Plane, Planes};
use super::unit::Unit;
use crate::eval::array::Arrays;

/// The most synthetic pictures that are looked at.
const PICTURES: usize = 4;

/// A layer, and a channel of it.
type Place = (usize, usize);

/// The units of the channels that have planes on the array.
pub(super) struct Units {
    all: BTreeMap<Place, Unit>,
    /// What channels hold on an array with errors beside their values, in DN: known constants, which thresholds compensate.
    constants: BTreeMap<Place, f64>,
}

impl Units {
    /// The units, found on an ideal array. Synthetic pictures tell them, so that they do not depend on the data; the given ones
    /// are looked at where those leave a channel always the same.
    pub(super) fn new(
        compiled: &CompiledNetwork,
        ideal: &Arrays<'_>,
        shapes: &[Shape],
        given: &[&[u8]],
    ) -> Result<Self, String> {
        let image = &compiled.network().input;
        let synthetic = many_synthetic_pictures((image.height, image.width), PICTURES.min(ideal.room()));
        let synthetic: Vec<&[u8]> = synthetic.iter().map(Vec::as_slice).collect();
        let mut units = Self { all: BTreeMap::new(), constants: BTreeMap::new() };
        if !units.add(compiled, ideal, shapes, &synthetic)? && !given.is_empty() {
            units.add(compiled, ideal, shapes, given)?;
        }
        Ok(units)
    }

    /// Adds the units that pictures tell; returns whether all are known then.
    fn add(
        &mut self,
        compiled: &CompiledNetwork,
        ideal: &Arrays<'_>,
        shapes: &[Shape],
        pictures: &[&[u8]],
    ) -> Result<bool, String> {
        let network = compiled.network();
        let Planes { maps, .. } = ideal.planes(pictures)?;
        let floats = pictures.iter().map(|picture| float(compiled, picture)).collect::<Result<Vec<_>, _>>()?;
        for (&(layer, channel), planes) in &maps {
            if self.all.contains_key(&(layer, channel)) {
                continue;
            }
            let numbers = floats.iter().map(|float| pixels(float, shapes, layer, channel));
            let pairs: Vec<(&Plane, &[f64])> = planes.iter().zip(numbers).collect();
            let operation = network.layers.get(layer).map(|layer| &layer.operation);
            let unit = match (operation, pairs.first()) {
                (Some(Operation::Threshold { below, above, .. }), Some((plane, _))) if plane.bits == 1 => {
                    Some(Unit { scale: above - below, zero: *below, is_signed: false })
                }
                _ => Unit::of(&pairs).or_else(|| self.of_source(compiled, (layer, channel), &pairs)),
            };
            self.all.extend(unit.map(|unit| ((layer, channel), unit)));
        }
        Ok(maps.keys().all(|place| self.all.contains_key(place)))
    }

    /// The unit of the map from which a channel is made that is always the same, as one that is rectified may be, if it is
    /// right for what is there.
    fn of_source(
        &self,
        compiled: &CompiledNetwork,
        (layer, channel): Place,
        pairs: &[(&Plane, &[f64])],
    ) -> Option<Unit> {
        let [Source::Layer(source)] = *compiled.network().layers.get(layer)?.from.as_slice() else { return None };
        self.of((source, channel)).filter(|unit| unit.is_of(pairs))
    }

    /// The same, for an array with these errors.
    pub(super) fn with_errors(self, compiled: &CompiledNetwork, errors: &ErrorModel) -> Self {
        let of_stage = |stage: &cain_network::Stage| {
            let layer = stage.layer?;
            let constants = stage.compensated.iter().map(|counts| transfer_error(counts, errors.offset));
            Some(stage.channels.iter().map(move |channel| (layer, *channel)).zip(constants).collect::<Vec<_>>())
        };
        let constants = compiled.stages().iter().filter_map(of_stage).flatten();
        Self { constants: constants.filter(|(_, constant)| *constant != 0.0).collect(), ..self }
    }

    /// The unit of a channel on an ideal array, if it is known.
    pub(super) fn of(&self, place: Place) -> Option<Unit> {
        self.all.get(&place).copied()
    }

    /// The unit of a channel on an array with errors, whose known constants belong to no number.
    pub(super) fn measured(&self, place: Place) -> Option<Unit> {
        let unit = self.of(place)?;
        let constant = self.constants.get(&place).copied().unwrap_or(0.0);
        Some(Unit { zero: unit.zero - unit.scale * constant, ..unit })
    }
}

/// The numbers of all layers in floating point.
pub(super) fn float(compiled: &CompiledNetwork, picture: &[u8]) -> Result<Vec<Vec<f64>>, String> {
    let values = compiled.network().evaluate(picture).map_err(|error| error.to_string())?;
    Ok(values.iter().map(|value| value.numbers().to_vec()).collect())
}

/// The pixels of a channel among the numbers of all layers.
pub(super) fn pixels<'f>(float: &'f [Vec<f64>], shapes: &[Shape], layer: usize, channel: usize) -> &'f [f64] {
    let Some(Shape::Maps { height, width, .. }) = shapes.get(layer) else { return &[] };
    let area = height * width;
    float.get(layer).and_then(|values| values.get(channel * area..(channel + 1) * area)).unwrap_or_default()
}
