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

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use cain_gallery::end;
use cain_runtime::pictures::Picture;
use clap::Parser;

use paint::Color;

const WIDTH: usize = 640;
const HEIGHT: usize = 480;
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

fn main() -> ExitCode {
    end("test_image", run(&Arguments::parse()))
}

fn run(Arguments { file }: &Arguments) -> Result<(), Box<dyn Error>> {
    let picture = Picture::from_fn(WIDTH, HEIGHT, pixel);
    fs::write(file, picture.png()?).map_err(|error| format!("cannot write `{}`: {error}", file.display()).into())
}

/// The mean of the samples in a pixel.
fn pixel(column: usize, row: usize) -> [u8; 3] {
    let mut sum = [0.0; 3];
    for (u, v) in (0..SAMPLES).flat_map(|v| (0..SAMPLES).map(move |u| (u, v))) {
        let inside = |sample: u8| (f32::from(sample) + 0.5) / f32::from(SAMPLES);
        let color = scene::color([coordinate(column) + inside(u), coordinate(row) + inside(v)]);
        for (sum, value) in sum.iter_mut().zip(color) {
            *sum += value.clamp(0.0, 255.0) / f32::from(SAMPLES * SAMPLES);
        }
    }
    quantise(sum)
}

#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn coordinate(index: usize) -> f32 {
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
        let size = (super::WIDTH, super::HEIGHT);
        assert_eq!((picture.width() as usize, picture.height() as usize), size);
        for (column, row, found) in picture.enumerate_pixels().step_by(97) {
            // Sines and logarithms differ in the last bit between machines: allow one level.
            let drawn = super::pixel(column as usize, row as usize);
            let close = found.0.iter().zip(drawn).all(|(found, drawn)| found.abs_diff(drawn) <= 5);
            assert!(close, "{found:?} instead of {drawn:?} at {column}, {row}");
        }
    }
}
