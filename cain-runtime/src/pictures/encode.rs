//! Pictures as PNG files.

use std::fmt;
use std::prelude::v1::*;

use png::ColorType;

use super::Picture;

impl Picture {
    /// The picture as a PNG file, which is stored in grey if the picture has no other colours.
    pub fn png(&self) -> Result<Vec<u8>, EncodeError> {
        let (channels, bytes) = if is_grey(self) {
            (ColorType::Grayscale, self.colours().iter().map(|[grey, ..]| *grey).collect())
        } else {
            (ColorType::Rgb, self.colours().concat())
        };
        let mut file = Vec::new();
        let mut writer = encoder(self, channels, &mut file)?.write_header()?;
        writer.write_image_data(&bytes)?;
        writer.finish()?;
        Ok(file)
    }
}

/// Whether a picture can be stored without colours.
pub(super) fn is_grey(picture: &Picture) -> bool {
    picture.colours().iter().all(|[red, green, blue]| red == green && green == blue)
}

/// The encoder of a file that begins with this picture.
pub(super) fn encoder<'a>(
    picture: &Picture,
    channels: ColorType,
    file: &'a mut Vec<u8>,
) -> Result<png::Encoder<'a, &'a mut Vec<u8>>, EncodeError> {
    let side = |length| u32::try_from(length).ok().filter(|length| *length > 0).ok_or(EncodeError::size(picture));
    let mut encoder = png::Encoder::new(file, side(picture.width())?, side(picture.height())?);
    encoder.set_color(channels);
    encoder.set_depth(png::BitDepth::Eight);
    Ok(encoder)
}

/// The reason why a PNG file could not be made.
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
        Self(Reason::Size { width: picture.width(), height: picture.height() })
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
    use crate::pictures::{Palette, Picture};
    use png::ColorType::{self, Grayscale, Rgb};
    use std::prelude::v1::*;

    /// Width, height, channels and bytes of a PNG file.
    fn decode(file: &[u8]) -> (u32, u32, ColorType, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        (info.width, info.height, info.color_type, bytes)
    }

    #[test]
    fn files_hold_the_colours() {
        let values = Picture::of_values(&[-128.0, 0.0, 127.0, 5.0, 6.0, 7.0], 3, Palette::BYTES);
        assert_eq!(decode(&values.png().unwrap()), (3, 2, Grayscale, vec![0, 128, 255, 133, 134, 135]));
        let bits = Picture::of_bits(&[true, false], 1);
        assert_eq!(decode(&bits.png().unwrap()), (1, 2, Grayscale, vec![255, 0]));
        let colours = Picture::from_fn(2, 1, |column, _| if column == 0 { [5; 3] } else { [1, 2, 3] });
        assert_eq!(decode(&colours.png().unwrap()), (2, 1, Rgb, vec![5, 5, 5, 1, 2, 3]));
    }

    #[test]
    fn no_pixels_are_no_file() {
        for picture in [Picture::of_bits(&[], 3), Picture::of_bits(&[true], 0)] {
            assert!(picture.png().unwrap_err().to_string().contains("at least 1"));
        }
    }
}
