//! Draws `examples/images/village.png`, the picture that the gallery shows by default.
//!
//! Everything in it is computed: fractal clouds and hills, bricks, a Siemens star, lines that get finer, a face,
//! letters. It has texture and edges in all directions and at all scales, which is what kernels are for.
//!
//! `cargo run --release -p cain-examples --bin test_image -- FILE.png`

mod letters;
mod noise;
mod paint;
mod scene;

use std::path::PathBuf;

use clap::Parser;
use image::{Rgb, RgbImage};

use paint::Color;

const WIDTH: u32 = 640;
const HEIGHT: u32 = 480;
/// Samples per pixel, along each side.
const SAMPLES: u8 = 4;
/// Levels per colour channel; fewer levels make a smaller file.
const LEVELS: f32 = 64.0;

/// Draw the default picture of the gallery.
#[derive(Parser)]
struct Arguments {
    /// The file to write.
    #[arg(default_value = "examples/images/village.png")]
    file: PathBuf,
}

fn main() -> Result<(), image::ImageError> {
    let Arguments { file } = Arguments::parse();
    RgbImage::from_fn(WIDTH, HEIGHT, pixel).save(file)
}

/// The mean of the samples in a pixel.
fn pixel(column: u32, row: u32) -> Rgb<u8> {
    let mut sum = [0.0; 3];
    for (u, v) in (0..SAMPLES).flat_map(|v| (0..SAMPLES).map(move |u| (u, v))) {
        let inside = |sample: u8| (f32::from(sample) + 0.5) / f32::from(SAMPLES);
        let color = scene::color([coordinate(column) + inside(u), coordinate(row) + inside(v)]);
        for (sum, value) in sum.iter_mut().zip(color) {
            *sum += value.clamp(0.0, 255.0) / f32::from(SAMPLES * SAMPLES);
        }
    }
    Rgb(quantise(sum))
}

#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn coordinate(index: u32) -> f32 {
    index as f32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "colours are within 0 to 255")]
fn quantise(color: Color) -> [u8; 3] {
    color.map(|value| ((value / 255.0 * (LEVELS - 1.0)).round() / (LEVELS - 1.0) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_picture_in_the_repository_is_what_this_draws() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/images/village.png");
        let picture = image::open(file).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (super::WIDTH, super::HEIGHT));
        for (column, row, found) in picture.enumerate_pixels().step_by(97) {
            // Sines and logarithms differ in the last bit between machines: allow one level.
            let drawn = super::pixel(column, row);
            let close = found.0.iter().zip(drawn.0).all(|(found, drawn)| found.abs_diff(drawn) <= 5);
            assert!(close, "{found:?} instead of {drawn:?} at {column}, {row}");
        }
    }
}
