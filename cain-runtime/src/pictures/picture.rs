//! Planes in colours, alone and side by side.

use std::fmt;
use std::prelude::v1::*;

use super::Palette;
use super::palette::Colour;

/// A picture: colours in rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    colours: Vec<Colour>,
}

impl Picture {
    /// The picture of a plane: `values` in DN, in rows of `width`. What does not fill a row is left out.
    #[must_use]
    pub fn of_values(values: &[f32], width: usize, palette: Palette) -> Self {
        Self::new(values.iter().map(|value| palette.colour(*value)).collect(), width)
    }

    /// The picture of a digital plane: 1 is white.
    #[must_use]
    pub fn of_bits(bits: &[bool], width: usize) -> Self {
        Self::new(bits.iter().map(|bit| [if *bit { 255 } else { 0 }; 3]).collect(), width)
    }

    fn new(mut colours: Vec<Colour>, width: usize) -> Self {
        let height = colours.len().checked_div(width).unwrap_or(0);
        colours.truncate(width * height);
        Self { width, height, colours }
    }

    /// A contact sheet: pictures in rows of `columns`, with a border around each.
    ///
    /// Every place is as large as the largest picture.
    #[must_use]
    pub fn sheet(pictures: &[Self], columns: usize) -> Self {
        let columns = columns.clamp(1, pictures.len().max(1));
        let rows = pictures.len().div_ceil(columns);
        let place = |side: fn(&Self) -> usize| pictures.iter().map(side).max().unwrap_or(0) + BORDER;
        let (place_width, place_height) = (place(|picture| picture.width), place(|picture| picture.height));
        let (width, height) = (columns * place_width + BORDER, rows * place_height + BORDER);
        let mut sheet = Self { width, height, colours: vec![PAPER; width * height] };
        for (number, picture) in pictures.iter().enumerate() {
            let (row, column) = (number / columns, number % columns);
            sheet.paste(picture, column * place_width + BORDER, row * place_height + BORDER);
        }
        sheet
    }

    fn paste(&mut self, picture: &Self, left: usize, top: usize) {
        let lines = self.colours.chunks_exact_mut(self.width.max(1)).skip(top);
        for (line, part) in lines.zip(picture.colours.chunks_exact(picture.width.max(1))) {
            for (place, colour) in line.iter_mut().skip(left).zip(part) {
                *place = *colour;
            }
        }
    }

    /// Pixels from left to right.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Pixels from top to bottom.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The picture as a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, EncodeError> {
        let mut file = Vec::new();
        let mut writer = self.encoder(&mut file)?.write_header()?;
        writer.write_image_data(&self.bytes())?;
        writer.finish()?;
        Ok(file)
    }

    pub(super) fn encoder<'a>(&self, file: &'a mut Vec<u8>) -> Result<png::Encoder<'a, &'a mut Vec<u8>>, EncodeError> {
        let side = |length| u32::try_from(length).ok().filter(|length| *length > 0).ok_or(EncodeError::size(self));
        let mut encoder = png::Encoder::new(file, side(self.width)?, side(self.height)?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        Ok(encoder)
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }
}

/// Pixels between the pictures of a sheet.
const BORDER: usize = 4;
/// The colour between them.
const PAPER: Colour = [64, 96, 80];

/// Why there is no PNG file.
#[derive(Debug)]
pub struct EncodeError(Reason);

#[derive(Debug)]
enum Reason {
    Size { width: usize, height: usize },
    Frames,
    Png(png::EncodingError),
}

impl EncodeError {
    fn size(picture: &Picture) -> Self {
        Self(Reason::Size { width: picture.width, height: picture.height })
    }

    pub(super) const fn frames() -> Self {
        Self(Reason::Frames)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Size { width, height } => {
                write!(f, "a PNG file cannot hold {width}×{height} pixels; both sides must be at least 1")
            }
            Reason::Frames => f.write_str("an animation needs at least one picture, and all of them of one size"),
            Reason::Png(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EncodeError {}

impl From<png::EncodingError> for EncodeError {
    fn from(error: png::EncodingError) -> Self {
        Self(Reason::Png(error))
    }
}

#[cfg(test)]
mod tests {
    use super::{BORDER, PAPER, Picture};
    use crate::pictures::Palette;
    use std::prelude::v1::*;

    /// Width, height and colours of a PNG file.
    fn decode(file: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        (info.width, info.height, bytes)
    }

    #[test]
    fn files_hold_the_colours() {
        let values = Picture::of_values(&[-128.0, 0.0, 127.0, 5.0, 6.0, 7.0], 3, Palette::BYTES);
        let expected = [0, 128, 255, 133, 134, 135].map(|grey| [grey; 3]).concat();
        assert_eq!(decode(&values.png().unwrap()), (3, 2, expected));
        let bits = Picture::of_bits(&[true, false], 1);
        assert_eq!(decode(&bits.png().unwrap()), (1, 2, vec![255, 255, 255, 0, 0, 0]));
    }

    #[test]
    fn sheets_have_pictures_in_rows() {
        let white = Picture::of_bits(&[true; 6], 3);
        let sheet = Picture::sheet(&[white.clone(), white.clone(), white], 2);
        assert_eq!((sheet.width(), sheet.height()), (2 * 3 + 3 * BORDER, 2 * 2 + 3 * BORDER));
        let at = |x: usize, y: usize| sheet.colours[y * sheet.width() + x];
        assert_eq!((at(BORDER, BORDER), at(0, 0)), ([255; 3], PAPER));
        assert_eq!((at(2 * BORDER + 3, BORDER + 1), at(BORDER + 2, 2 * BORDER + 3)), ([255; 3], [255; 3]));
        assert_eq!(at(2 * BORDER + 3, 2 * BORDER + 2), PAPER);
    }

    #[test]
    fn no_pixels_are_no_file() {
        for picture in [Picture::of_bits(&[], 3), Picture::of_bits(&[true], 0)] {
            assert!(picture.png().unwrap_err().to_string().contains("at least 1"));
        }
        assert_eq!(Picture::sheet(&[], 3).width(), 2 * BORDER);
    }
}
