//! Images from files.

use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::Path;
use std::prelude::v1::*;
use std::{fmt, fs, io};

use super::read::{self, Grey};
use super::{byte, printable};

/// A grey image of the size of an array: one byte per PE, in rows from the north, each from the west.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image(Vec<u8>);

impl Image {
    /// Reads a PNG, JPEG, PGM or PPM file, crops it to the largest part in its middle that has this shape, and scales
    /// that.
    ///
    /// Colours are converted to luma. The orientation that cameras record in the file is applied. Pipes and devices are
    /// refused.
    pub fn open(path: &Path, width: usize, height: usize) -> Result<Self, ImageError> {
        let fail = |reason| ImageError { name: path.display().to_string(), reason };
        let file = open(path).map_err(|error| fail(Reason::File(read::Reason::Read(error))))?;
        read::read(BufReader::new(file)).map_err(Reason::File).and_then(|image| fit(image, width, height)).map_err(fail)
    }

    /// Reads a file from memory, like [`open`](Self::open); errors refer to it as `name`.
    pub fn decode(bytes: &[u8], name: &str, width: usize, height: usize) -> Result<Self, ImageError> {
        let fail = |reason| ImageError { name: name.to_owned(), reason };
        read::read(Cursor::new(bytes)).map_err(Reason::File).and_then(|image| fit(image, width, height)).map_err(fail)
    }

    /// A picture to try programs on: a disc and a dark square on a gradient from west to east, and a fine grid.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "arrays are small")]
    pub fn example(width: usize, height: usize) -> Self {
        let at = |place: usize, length: usize| (place as f32 + 0.5) / length as f32;
        let shade = |(x, y): (f32, f32)| {
            let in_disc = (x - 0.35).powi(2) + (y - 0.4).powi(2) < 0.05;
            let in_square = (0.6..0.85).contains(&x) && (0.15..0.4).contains(&y);
            let on_grid = y > 0.7 && ((x * 16.0).fract() < 0.2 || (y * 16.0).fract() < 0.2);
            match (in_disc, in_square, on_grid) {
                (true, _, _) => 230.0,
                (_, true, _) => 20.0,
                (_, _, true) => 250.0,
                _ => 60.0 + 110.0 * x,
            }
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (at(x, width), at(y, height))));
        Self(places.map(|place| byte(shade(place))).collect())
    }

    /// One byte per PE, 0 for black and 255 for white, in rows from the north, each from the west.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The values that a register holds for the image: byte v is v − 128 DN.
    #[must_use]
    pub fn to_dn(&self) -> Vec<f32> {
        self.0.iter().map(|&value| f32::from(value) - 128.0).collect()
    }

    /// The light that the photo-sensors gather from the image: white is 127 DN.
    #[must_use]
    pub fn to_light(&self) -> Vec<f32> {
        self.0.iter().map(|&value| f32::from(value) * 127.0 / 255.0).collect()
    }
}

/// Opens a file, but not a pipe: opening a pipe would wait for somebody to write to it.
fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::other("it is not a file but a folder, a pipe or a device"))
    }
}

/// The largest part in the middle that has the shape of the array, scaled to the size of the array.
fn fit(image: Grey, width: usize, height: usize) -> Result<Image, Reason> {
    let side = 1..=1 << 16;
    if !side.contains(&width) || !side.contains(&height) {
        return Err(Reason::Array { width, height });
    }
    Ok(Image(image.cut(width, height).scaled(width, height).bytes))
}

/// The reason why there is no image.
#[derive(Debug)]
pub struct ImageError {
    name: String,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    File(read::Reason),
    Array { width: usize, height: usize },
}

impl fmt::Display for ImageError {
    /// Writes the error on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot use `{}`: ", printable(&self.name))?;
        match &self.reason {
            Reason::File(reason) => f.write_str(&one_line(reason)),
            Reason::Array { width, height } => write!(
                f,
                "it cannot be scaled to an array of {width}×{height} PEs; both sides must be from 1 to 65536 PEs long"
            ),
        }
    }
}

impl std::error::Error for ImageError {}

fn one_line(error: &dyn fmt::Display) -> String {
    // Decoders quote text that they find in the file.
    printable(&error.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
}
