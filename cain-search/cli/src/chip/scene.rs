//! An example scene, which moves.

use cain_network::many_synthetic_pictures;
use cain_runtime::io::Size;
use cain_runtime::pictures::Image;
use cain_vision::declaration::{Declaration, Input, Kind, Sample};

use super::Plane;

/// The share of texture in the scene, whose neighbours are as alike as in photographs; the rest has edges.
const TEXTURE: f64 = 0.25;
/// The range of the scene, as a share of that of each input.
const CONTRAST: f64 = 0.6;
/// How far it moves to the north and to the west from frame to frame, in PEs.
const STEP: (usize, usize) = (1, 2);
/// How far each input sees it from the one before.
const APART: (usize, usize) = (0, 5);
/// What is seen of it at most beside the array.
const MOST: usize = 64;

/// The planes of all inputs, frame after frame.
pub(super) struct Scene<'d> {
    declaration: &'d Declaration,
    size: Size,
    /// The grey levels of the scene, which is larger than the array.
    greys: Vec<f64>,
}

impl<'d> Scene<'d> {
    pub(super) fn new(declaration: &'d Declaration, size: Size) -> Self {
        let (width, height) = (size.width + MOST, size.height + MOST);
        let (edges, texture) = (Image::example(width, height), many_synthetic_pictures((height, width), 1));
        let both = edges.bytes().iter().zip(texture.iter().flatten());
        let mixed = both.map(|(edge, texture)| f64::from(*edge) * (1.0 - TEXTURE) + f64::from(*texture) * TEXTURE);
        Self { declaration, size, greys: mixed.collect() }
    }

    /// What the inputs are in a frame: a part of the scene, and where typical pictures of an input are declared, these.
    pub(super) fn frame(&self, number: usize) -> Vec<Plane> {
        let inputs = self.declaration.inputs.iter().enumerate();
        let plane = |(place, input): (usize, &Input)| {
            let at = |step: usize, apart: usize| (number * step + place * apart) % (MOST + 1);
            let greys = self.part((at(STEP.0, APART.0), at(STEP.1, APART.1)));
            match self.declaration.values.get(input.value.0) {
                Some(Kind::Levels { low, high }) => {
                    let shade = |grey: f64| CONTRAST * (high - low) * (grey / 255.0 - 0.5);
                    let mut levels: Vec<f64> = greys.map(|grey| f64::midpoint(*low, *high) + shade(grey)).collect();
                    let samples = self.declaration.samples.iter().filter(|sample| sample.of == input.value);
                    samples.for_each(|sample| self.put(&mut levels, sample, number));
                    Plane::Levels(levels.into_iter().map(whole).collect())
                }
                _ => Plane::Bits(greys.map(|grey| grey >= 128.0).collect()),
            }
        };
        inputs.map(plane).collect()
    }

    /// The part of the scene with this north-west corner, row by row.
    fn part(&self, (top, left): (usize, usize)) -> impl Iterator<Item = f64> {
        let Size { width, height } = self.size;
        let rows = self.greys.chunks(width + MOST).skip(top).take(height);
        rows.flat_map(move |row| row.iter().skip(left).take(width).copied())
    }

    /// Puts a typical picture where it is.
    fn put(&self, levels: &mut [f64], sample: &Sample, number: usize) {
        let Some(picture) = sample.pictures.get(number % sample.pictures.len().max(1)) else { return };
        levels.fill(sample.around.into());
        let rows = levels.chunks_mut(self.size.width).skip(sample.area.top);
        for (row, pixels) in rows.zip(picture.chunks(sample.area.width.max(1))) {
            let row = row.iter_mut().skip(sample.area.left);
            row.zip(pixels).for_each(|(level, pixel)| *level = (*pixel).into());
        }
    }
}

/// A level that the controller can give.
fn whole(level: f64) -> i8 {
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    {
        level.round() as i8
    }
}
