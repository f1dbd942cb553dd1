//! Pictures one after the other.

use std::prelude::v1::*;

use super::encode::{Channels, encoder};
use super::{EncodeError, Picture};

/// Pictures that are shown one after the other, again and again: the steps of a program.
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
    /// An animation that shows each picture for so long.
    #[must_use]
    pub const fn new(milliseconds: u16) -> Self {
        Self { frames: Vec::new(), milliseconds }
    }

    /// Adds a picture at the end.
    pub fn push(&mut self, picture: Picture) {
        self.push_for(picture, self.milliseconds);
    }

    /// Adds a picture at the end that is shown for a time of its own, such as a result that is to be looked at.
    pub fn push_for(&mut self, picture: Picture, milliseconds: u16) {
        self.frames.push(Frame { picture, milliseconds });
    }

    /// The animation as a PNG file (APNG, PNG Specification, third edition). What shows no animations shows the first
    /// picture. Of every other picture the file has the part that differs from the one before.
    ///
    /// Fails without pictures, and if they are not all of one size.
    pub fn png(&self) -> Result<Vec<u8>, EncodeError> {
        let Some(first) = self.frames.first() else { return Err(EncodeError::frames()) };
        let count = u32::try_from(self.frames.len()).map_err(|_| EncodeError::frames())?;
        let size = |frame: &Frame| (frame.picture.width(), frame.picture.height());
        if self.frames.iter().any(|frame| size(frame) != size(first)) {
            return Err(EncodeError::frames());
        }
        let is_grey = |frame: &Frame| Channels::of(&frame.picture) == Channels::Grey;
        let channels = if self.frames.iter().all(is_grey) { Channels::Grey } else { Channels::Rgb };

        let mut file = Vec::new();
        let mut encoder = encoder(&first.picture, channels, &mut file)?;
        encoder.set_animated(count, 0)?;
        let mut writer = encoder.write_header()?;
        let mut before = None;
        for Frame { picture, milliseconds } in &self.frames {
            let part = before.map_or_else(|| Part::whole(picture), |before| Part::that_differs(before, picture));
            let [left, top, width, height] = part.in_file();
            // The encoder wants both to fit, in every moment.
            writer.reset_frame_position()?;
            writer.set_frame_dimension(width, height)?;
            writer.set_frame_position(left, top)?;
            writer.set_frame_delay(*milliseconds, 1000)?;
            writer.write_image_data(&channels.bytes(&part.of(picture)))?;
            before = Some(picture);
        }
        writer.finish()?;
        Ok(file)
    }
}

/// A part of a picture, in pixels.
struct Part {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Part {
    fn whole(picture: &Picture) -> Self {
        Self { left: 0, top: 0, width: picture.width(), height: picture.height() }
    }

    /// The smallest part in which two pictures of one size differ; a pixel of equal ones, as no frame is empty.
    fn that_differs(before: &Picture, after: &Picture) -> Self {
        let pairs = before.colours().iter().zip(after.colours()).enumerate();
        let different = pairs.filter(|(_, (before, after))| before != after);
        let places = different.map(|(place, _)| (place % after.width(), place / after.width()));
        let bounds = places
            .map(|(column, row)| [column, row, column, row])
            .reduce(|all, one| [all[0].min(one[0]), all[1].min(one[1]), all[2].max(one[2]), all[3].max(one[3])]);
        let [left, top, right, bottom] = bounds.unwrap_or_default();
        Self { left, top, width: right - left + 1, height: bottom - top + 1 }
    }

    fn of(&self, picture: &Picture) -> Picture {
        picture.part(self.left, self.top, self.width, self.height)
    }

    /// Left, top, width and height; all are within the size of the picture, which a file can hold.
    fn in_file(&self) -> [u32; 4] {
        [self.left, self.top, self.width, self.height].map(|length| u32::try_from(length).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::{Animation, Picture};
    use image::AnimationDecoder;
    use image::codecs::png::PngDecoder;
    use std::io::Cursor;
    use std::prelude::v1::*;

    /// What is to be seen, one picture after the other, and for how many milliseconds.
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
    fn pictures_are_of_one_size() {
        let mut animation = Animation::new(300);
        assert!(animation.png().unwrap_err().to_string().contains("at least one picture"));
        animation.push(Picture::of_bits(&[true, false], 2));
        assert!(animation.png().is_ok());
        animation.push(Picture::of_bits(&[true, true], 1));
        assert!(animation.png().unwrap_err().to_string().contains("of one size"));
    }
}
