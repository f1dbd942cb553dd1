//! Images in files, and images in the array.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Seek};
use std::path::Path;
use std::{fmt, io};

use image::imageops::{self, FilterType};
use image::{DynamicImage, GrayImage, ImageDecoder, ImageError, ImageReader, Luma};

/// PEs along each side of SCAMP-5.
pub const SIDE: u32 = 256;

/// The most memory that an image may take when it is unpacked.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a PNG, JPEG, PGM or PPM file, cuts the largest square out of its middle, and scales it to the array.
///
/// Colours become luma. The orientation that cameras note in the file is applied.
pub fn open(path: &Path) -> Result<GrayImage, PictureError> {
    let fail = |reason| PictureError { path: path.display().to_string(), reason };
    let file = File::open(path).map_err(|error| fail(Reason::Read(error)))?;
    decode(BufReader::new(file)).map(|image| fit(&image)).map_err(fail)
}

/// The project's own picture, cut and scaled like any other.
pub fn village() -> Result<GrayImage, PictureError> {
    let bytes = include_bytes!("../images/village.png");
    decode(Cursor::new(bytes.as_slice()))
        .map(|image| fit(&image))
        .map_err(|reason| PictureError { path: "village.png".to_owned(), reason })
}

fn decode(file: impl BufRead + Seek) -> Result<DynamicImage, Reason> {
    let reader = ImageReader::new(file).with_guessed_format().map_err(Reason::Read)?;
    let mut decoder = reader.into_decoder().map_err(Reason::Decode)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(Reason::Empty { width, height });
    }
    if decoder.total_bytes() > MAX_BYTES {
        return Err(Reason::TooLarge { width, height });
    }
    let orientation = decoder.orientation().map_err(Reason::Decode)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(Reason::Decode)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// The largest square in the middle, in grey, as large as the array.
fn fit(image: &DynamicImage) -> GrayImage {
    let (width, height) = (image.width(), image.height());
    let side = width.min(height);
    let square = image.crop_imm((width - side) / 2, (height - side) / 2, side, side).to_luma8();
    if side == SIDE { square } else { imageops::resize(&square, SIDE, SIDE, FilterType::CatmullRom) }
}

/// What the array holds for an image: byte v is v − 128 DN.
#[must_use]
pub fn to_dn(image: &GrayImage) -> Vec<f32> {
    image.iter().map(|&value| f32::from(value) - 128.0).collect()
}

/// The image of values in DN, [`SIDE`] of them in a row: 0 DN is byte 128, and what lies beyond bytes is cut.
#[must_use]
pub fn from_dn(values: &[f32]) -> GrayImage {
    let mut image = GrayImage::new(SIDE, SIDE);
    for (pixel, &value) in image.pixels_mut().zip(values) {
        *pixel = Luma([byte(value + 128.0)]);
    }
    image
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates, as it should")]
fn byte(value: f32) -> u8 {
    value.round() as u8
}

/// Why there is no picture.
pub struct PictureError {
    path: String,
    reason: Reason,
}

enum Reason {
    Read(io::Error),
    Decode(ImageError),
    Empty { width: u32, height: u32 },
    TooLarge { width: u32, height: u32 },
}

impl fmt::Display for PictureError {
    /// One line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot use `{}`: ", self.path)?;
        match &self.reason {
            Reason::Read(error) => write!(f, "{}", one_line(error)),
            Reason::Decode(error) => write!(f, "{}; expected a PNG, JPEG, PGM or PPM file", one_line(error)),
            Reason::Empty { width, height } => {
                write!(f, "the image has {width}×{height} pixels; expected at least 1×1")
            }
            Reason::TooLarge { width, height } => {
                write!(f, "the image has {width}×{height} pixels, more than {} MiB; scale it down", MAX_BYTES >> 20)
            }
        }
    }
}

impl fmt::Debug for PictureError {
    /// What `main` prints when it returns the error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for PictureError {}

fn one_line(error: &dyn fmt::Display) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, GrayImage, Luma, Rgb, RgbImage};

    use super::{SIDE, fit, from_dn, open, to_dn, village};

    #[test]
    fn the_middle_is_cut_out() {
        let wide =
            GrayImage::from_fn(500, 300, |x, y| Luma([if (100..400).contains(&x) && y < 300 { 200 } else { 0 }]));
        let high = image::imageops::rotate90(&wide);
        for image in [wide, high] {
            let square = fit(&DynamicImage::ImageLuma8(image));
            assert_eq!(square.dimensions(), (SIDE, SIDE));
            assert!(square.iter().all(|value| *value == 200));
        }
    }

    #[test]
    fn scaling_keeps_what_is_where() {
        for side in [16, 256, 700] {
            let corner =
                GrayImage::from_fn(side, side, |x, y| Luma([if x < side / 2 && y >= side / 2 { 255 } else { 0 }]));
            let scaled = fit(&DynamicImage::ImageLuma8(corner));
            let at = |x, y| scaled.get_pixel(x, y).0[0];
            assert_eq!([at(20, 20), at(230, 20), at(20, 230), at(230, 230)], [0, 0, 255, 0]);
        }
    }

    #[test]
    fn one_pixel_fills_the_array() {
        let image = fit(&DynamicImage::ImageRgb8(RgbImage::from_pixel(1, 1, Rgb([90; 3]))));
        assert!(image.iter().all(|value| *value == 90));
    }

    #[test]
    fn every_format_is_read() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["high.png", "high.jpg", "high.pgm", "high.ppm"] {
            let file = directory.path().join(name);
            let image = DynamicImage::ImageLuma8(GrayImage::from_pixel(30, 700, Luma([77])));
            let image = if name == "high.ppm" { image.to_rgb8().into() } else { image };
            image.save(&file).unwrap();
            let read = open(&file).unwrap();
            assert!(read.dimensions() == (SIDE, SIDE) && read.iter().all(|value| value.abs_diff(77) < 2), "{name}");
        }
    }

    #[test]
    fn bytes_survive_the_array() {
        let image = GrayImage::from_fn(SIDE, SIDE, |x, _| Luma([x.to_le_bytes()[0]]));
        let values = to_dn(&image);
        assert!((values[0] + 128.0).abs() < 1e-6 && (values[255] - 127.0).abs() < 1e-6);
        assert_eq!(from_dn(&values), image);
    }

    #[test]
    fn the_own_picture_has_edges_everywhere() {
        let image = village().unwrap();
        for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (32 * x, 32 * y))) {
            let block = image::imageops::crop_imm(&image, x, y, 32, 32).to_image();
            let (darkest, brightest) = (block.iter().min().unwrap(), block.iter().max().unwrap());
            assert!(brightest - darkest > 30, "nothing to be seen at {x}, {y}");
        }
    }
}
