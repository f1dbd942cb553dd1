//! Animations: pictures shown one after the other.

use std::iter;
use std::prelude::v1::*;

use png::{BlendOp, ColorType};

use super::encode::{encoder, is_grey};
use super::{Colour, EncodeError, Picture};

/// Pictures that are shown one after the other in a loop, such as the steps of a program.
#[derive(Clone, Debug)]
pub struct Animation {
    frames: Vec<Frame>,
    milliseconds: u16,
}

#[derive(Clone, Debug)]
struct Frame {
    picture: Picture,
    milliseconds: u16,
}

impl Animation {
    /// An animation that shows each picture for this long.
    #[must_use]
    pub const fn new(milliseconds: u16) -> Self {
        Self { frames: Vec::new(), milliseconds }
    }

    /// Adds a picture at the end.
    pub fn push(&mut self, picture: Picture) {
        self.push_for(picture, self.milliseconds);
    }

    /// Adds a picture at the end with a display time of its own, such as a result that should be visible longer.
    pub fn push_for(&mut self, picture: Picture, milliseconds: u16) {
        self.frames.push(Frame { picture, milliseconds });
    }

    /// The animation as a PNG file (APNG, PNG Specification, third edition). Programs that cannot show animations show
    /// the first picture. For every later picture, the file contains only the pixels that differ from the one before.
    ///
    /// Fails if there are no pictures, or if they are not all of the same size.
    pub fn png(&self) -> Result<Vec<u8>, EncodeError> {
        let Some(first) = self.frames.first() else { return Err(EncodeError::frames()) };
        let count = u32::try_from(self.frames.len()).map_err(|_| EncodeError::frames())?;
        let size = |frame: &Frame| (frame.picture.width(), frame.picture.height());
        if self.frames.iter().any(|frame| size(frame) != size(first)) {
            return Err(EncodeError::frames());
        }
        let grey = self.frames.iter().all(|frame| is_grey(&frame.picture));
        let channels = if grey { ColorType::GrayscaleAlpha } else { ColorType::Rgba };

        let mut file = Vec::new();
        let mut encoder = encoder(&first.picture, channels, &mut file)?;
        encoder.set_animated(count, 0)?;
        encoder.set_blend_op(BlendOp::Over)?;
        let mut writer = encoder.write_header()?;
        let mut before = None;
        for Frame { picture, milliseconds } in &self.frames {
            let change = Change::new(before, picture);
            let [left, top, width, height] = change.in_file();
            // At every moment, position and size must fit within the picture.
            writer.reset_frame_position()?;
            writer.set_frame_dimension(width, height)?;
            writer.set_frame_position(left, top)?;
            writer.set_frame_delay(*milliseconds, 1000)?;
            writer.write_image_data(&change.bytes(grey))?;
            before = Some(picture);
        }
        writer.finish()?;
        Ok(file)
    }
}

/// The difference between two pictures: the smallest part that contains all pixels that differ.
struct Change {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    /// The colours in the part; `None` where they do not change.
    colours: Vec<Option<Colour>>,
}

impl Change {
    /// The change from a picture, or from nothing, to another one of the same size.
    fn new(before: Option<&Picture>, after: &Picture) -> Self {
        let width = after.width();
        let before = before.map(|picture| picture.colours().iter().copied().map(Some));
        let before = before.into_iter().flatten().chain(iter::repeat(None));
        let colours: Vec<_> = before.zip(after.colours()).map(|(b, &a)| (b != Some(a)).then_some(a)).collect();

        let changed = colours.iter().enumerate().filter(|(_, colour)| colour.is_some());
        let places = changed.map(|(place, _)| (place % width, place / width));
        let corners = places.map(|(column, row)| [column, row, column, row]);
        let around = corners.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
        // Between equal pictures a single unchanged pixel is written, because a file has no empty frames.
        let [left, top, right, bottom] = around.unwrap_or_default();

        let lines = colours.chunks_exact(width).skip(top).take(bottom + 1 - top);
        let part = lines.flat_map(|line| line.iter().skip(left).take(right + 1 - left)).copied().collect();
        Self { left, top, width: right + 1 - left, height: bottom + 1 - top, colours: part }
    }

    /// Left, top, width and height, all of which are within the size of the picture and thus of a file.
    fn in_file(&self) -> [u32; 4] {
        [self.left, self.top, self.width, self.height].map(|length| u32::try_from(length).unwrap_or(u32::MAX))
    }

    /// The pixels as grey, or red, green and blue, followed by opacity.
    fn bytes(&self, grey: bool) -> Vec<u8> {
        let pixel = |colour: &Option<Colour>| match colour {
            Some([red, green, blue]) => [*red, *green, *blue, u8::MAX],
            None => [0; 4],
        };
        // The last two channels are grey, if anything is grey, and opacity.
        let skipped = if grey { 2 } else { 0 };
        self.colours.iter().flat_map(|colour| pixel(colour).into_iter().skip(skipped)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Animation, Picture};
    use image::AnimationDecoder;
    use image::codecs::png::PngDecoder;
    use std::io::Cursor;
    use std::prelude::v1::*;

    /// The pictures that are visible one after the other, each with its duration in milliseconds.
    fn shown(file: &[u8]) -> Vec<(Vec<u8>, u32)> {
        let frames = PngDecoder::new(Cursor::new(file)).unwrap().apng().unwrap().into_frames();
        let one = |frame: image::Frame| {
            let (milliseconds, parts) = frame.delay().numer_denom_ms();
            (image::DynamicImage::from(frame.into_buffer()).into_rgb8().into_raw(), milliseconds / parts)
        };
        frames.map(|frame| one(frame.unwrap())).collect()
    }

    #[test]
    fn all_pictures_are_shown() {
        // The same as before, one pixel, a corner, everything; without colours and with one.
        let grey = Picture::from_fn(5, 4, |column, row| [if column > row { 80 } else { 10 }; 3]);
        for colour in [[250; 3], [250, 20, 1]] {
            let mut pictures = vec![grey.clone(), grey.clone()];
            for changed in [vec![(2, 3)], vec![(0, 0), (1, 1)], vec![(4, 0), (0, 3)]] {
                let mut next = pictures.last().unwrap().clone();
                for (column, row) in changed {
                    *next.colour_mut(column, row).unwrap() = colour;
                }
                pictures.push(next);
            }
            pictures.push(Picture::filled(5, 4, colour));

            let mut animation = Animation::new(300);
            for picture in &pictures {
                animation.push(picture.clone());
            }
            animation.push_for(grey.clone(), 2000);
            let expected = pictures.iter().map(|picture| (picture.colours().concat(), 300));
            let last = (grey.colours().concat(), 2000);
            assert_eq!(shown(&animation.png().unwrap()), expected.chain([last]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn small_changes_make_small_files() {
        let first = Picture::from_fn(64, 64, |column, row| [u8::try_from(column * row % 251).unwrap(); 3]);
        let mut animation = Animation::new(100);
        animation.push(first.clone());
        let still = animation.png().unwrap().len();
        for _ in 0..20 {
            animation.push(first.clone());
        }
        assert!(animation.png().unwrap().len() < still + 20 * 100);
    }

    #[test]
    fn pictures_are_of_one_size_and_not_empty() {
        let mut animation = Animation::new(300);
        assert!(animation.png().unwrap_err().to_string().contains("at least one picture"));
        animation.push(Picture::of_bits(&[true, false], 2));
        assert!(animation.png().is_ok());
        animation.push(Picture::of_bits(&[true, true], 1));
        assert!(animation.png().unwrap_err().to_string().contains("of one size"));
        let mut nothing = Animation::new(300);
        nothing.push(Picture::of_bits(&[], 2));
        assert!(nothing.png().unwrap_err().to_string().contains("at least 1"));
    }
}
