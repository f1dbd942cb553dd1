//! Runs a network on simulated arrays, with as many pictures on each as fit.

use cain_isa::{ErrorModel, Reg};
use cain_network::{CompiledNetwork, Image, Value};
use cain_runtime::io::Size;
use cain_runtime::program::{Margin, Place, carry_out, places};
use cain_runtime::sim::Array;

use super::controller::{Controller, Numbers};
use super::costs::{Costs, costs};
use super::head::class;
use super::trace::planes::Planes;
use crate::data::Labelled;
use crate::progress::Line;
use crate::threads;
use crate::watch::Interrupt;

/// A layer, and what is read out of it.
type NumbersOfLayer = (usize, Vec<f64>);

/// The answer for one picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The class that the array and the controller found.
    pub(crate) class: usize,
    /// The class that the network of the file finds in floating point, with the weights of the file.
    pub(crate) float: usize,
    /// Whether all numbers that were read out equal those in floating point.
    pub(crate) same: bool,
}

/// Arrays that all start in the same state.
pub(crate) struct Arrays<'a> {
    compiled: &'a CompiledNetwork,
    array: Array,
    errors: ErrorModel,
    places: Vec<Place>,
    /// The number of numbers that are read out for a picture.
    count: usize,
    controller: Controller<'a>,
}

impl<'a> Arrays<'a> {
    pub(crate) fn new(compiled: &'a CompiledNetwork, errors: ErrorModel, seed: u64) -> Result<Self, String> {
        let network = compiled.network();
        let (pixels, way, image) = (compiled.pixels(), compiled.way(), network.input);
        let gap = (pixels.top.max(pixels.bottom), pixels.left.max(pixels.right));
        let margin = Margin { top: way.top, left: way.left, bottom: way.bottom, right: way.right };
        let places: Vec<Place> = places(Size::SCAMP5, (image.height, image.width), gap, margin).collect();
        if places.is_empty() {
            let Size { width, height } = Size::SCAMP5;
            let (rows, columns) = (image.height, image.width);
            return Err(format!("a picture of {rows}×{columns} pixels does not fit an array of {height}×{width} PEs"));
        }
        let array = Array::scamp5().machine(network.machine).errors(errors).seed(seed);
        let count = compiled.readouts().iter().map(|(_, count)| count).sum();
        Ok(Self { compiled, array, errors, places, count, controller: Controller::new(network) })
    }

    /// The costs of the stages on the chip, with one picture on the array, and the ranges of values for the first
    /// pictures.
    pub(super) fn costs(&self, data: &Labelled) -> Result<Costs, String> {
        let pictures: Vec<&[u8]> = data.iter().map(|(picture, _)| picture).take(self.places.len()).collect();
        let mut array = self.array.clone();
        self.load(&mut array, &pictures)?;
        let places = self.places.get(..pictures.len()).unwrap_or_default();
        costs(self.compiled, array, places, self.count)
    }

    /// The errors of the arrays.
    pub(super) const fn errors(&self) -> &ErrorModel {
        &self.errors
    }

    /// The number of pictures that one array holds.
    pub(crate) fn room(&self) -> usize {
        self.places.len()
    }

    /// What the array holds after each stage, for pictures that one array holds.
    pub(super) fn planes(&self, pictures: &[&[u8]]) -> Result<Planes, String> {
        let mut array = self.array.clone();
        self.load(&mut array, pictures)?;
        Planes::of(self.compiled, &self.controller, array, self.places.get(..pictures.len()).unwrap_or_default())
    }

    /// The answers for pictures, in their order.
    pub(crate) fn answers(
        &self,
        pictures: &[(&[u8], usize)],
        head: usize,
        interrupt: &Interrupt,
        line: &Line,
    ) -> Result<Vec<Answer>, String> {
        let batches: Vec<_> = pictures.chunks(self.places.len()).collect();
        let answers = threads::try_map(&batches, |_, batch| {
            if interrupt.is_pressed() {
                return Err("interrupted".to_owned());
            }
            let answers = self.batch(batch, head);
            line.advance(u64::try_from(batch.len()).unwrap_or_default());
            answers
        });
        Ok(answers?.concat())
    }

    /// For each picture the numbers of all layers that are read out or on the controller; `None` for maps.
    pub(crate) fn numbers(&self, pictures: &[&[u8]]) -> Result<Vec<Vec<Option<Numbers>>>, String> {
        let batches: Vec<_> = pictures.chunks(self.places.len()).collect();
        let numbers = threads::try_map(&batches, |_, batch| {
            let read = self.read(batch)?;
            read.iter().map(|read| self.controller.run(read)).collect::<Result<Vec<_>, _>>()
        });
        Ok(numbers?.concat())
    }

    fn batch(&self, batch: &[(&[u8], usize)], head: usize) -> Result<Vec<Answer>, String> {
        let pictures: Vec<&[u8]> = batch.iter().map(|(picture, _)| *picture).collect();
        let read = self.read(&pictures)?;
        pictures.iter().zip(&read).map(|(picture, read)| self.answer(picture, read, head)).collect()
    }

    /// For each of the pictures that share an array, the layers that are read out with their numbers.
    fn read(&self, pictures: &[&[u8]]) -> Result<Vec<Vec<NumbersOfLayer>>, String> {
        let mut array = self.array.clone();
        self.load(&mut array, pictures)?;
        let places = self.places.get(..pictures.len()).unwrap_or_default();
        let mut numbers = vec![0.0; pictures.len() * self.count];
        carry_out(&mut array, self.compiled.steps(), &[], places, &mut numbers).map_err(|error| error.to_string())?;
        Ok(numbers.chunks(self.count.max(1)).map(|numbers| self.compiled.by_layer(numbers)).collect())
    }

    fn answer(&self, picture: &[u8], read: &[NumbersOfLayer], head: usize) -> Result<Answer, String> {
        let network = self.compiled.network();
        let operation = network.layers.get(head).map(|layer| &layer.operation);
        let found = self.controller.run(read)?.into_iter().nth(head).flatten();
        let float = network.evaluate(picture).map_err(|error| error.to_string())?;
        let is_same = |(layer, numbers): &NumbersOfLayer| {
            let wanted = float.get(*layer).map_or(&[][..], Value::numbers);
            numbers.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9)
        };
        let numbers: Vec<f64> = found.map_or_else(Vec::new, |found| found.reals().into_iter().map(f64::from).collect());
        Ok(Answer {
            class: class(operation, &numbers),
            float: class(operation, float.get(head).map_or(&[][..], Value::numbers)),
            same: read.iter().all(is_same),
        })
    }

    /// Shows pictures to an array, on a black background.
    fn load(&self, array: &mut Array, pictures: &[&[u8]]) -> Result<(), String> {
        let image: &Image = &self.compiled.network().input;
        let (width, height) = (array.width(), array.height());
        let mut plane = vec![level(image, 0); width * height];
        for (place, picture) in self.places.iter().zip(pictures) {
            for (row, pixels) in picture.chunks(image.width).enumerate() {
                let start = (place.row + row) * width + place.column;
                let cells = plane.iter_mut().skip(start);
                cells.zip(pixels).for_each(|(cell, &pixel)| *cell = level(image, pixel));
            }
        }
        let input: Reg = self.compiled.input();
        array.load_reg(input, &plane).map_err(|error| error.to_string())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "levels have few digits")]
fn level(image: &Image, pixel: u8) -> f32 {
    image.level(pixel) as f32
}
