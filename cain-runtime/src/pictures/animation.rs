//! Pictures one after the other.

use super::{EncodeError, Picture};
use std::prelude::v1::*;

/// Pictures that are shown one after the other, again and again: the steps of a program.
#[derive(Clone, Debug)]
pub struct Animation {
    pictures: Vec<Picture>,
    milliseconds: u16,
}

impl Animation {
    /// An animation that shows each picture for so long.
    #[must_use]
    pub const fn new(milliseconds: u16) -> Self {
        Self { pictures: Vec::new(), milliseconds }
    }

    /// Adds a picture at the end.
    pub fn push(&mut self, picture: Picture) {
        self.pictures.push(picture);
    }

    /// The animation as a PNG file (APNG, PNG Specification, third edition). What shows no animations shows the first
    /// picture.
    ///
    /// Fails without pictures, and if they are not all of one size.
    pub fn png(&self) -> Result<Vec<u8>, EncodeError> {
        let Some(first) = self.pictures.first() else { return Err(EncodeError::frames()) };
        let count = u32::try_from(self.pictures.len()).map_err(|_| EncodeError::frames())?;
        let size = |picture: &Picture| (picture.width(), picture.height());
        if self.pictures.iter().any(|picture| size(picture) != size(first)) {
            return Err(EncodeError::frames());
        }
        let mut file = Vec::new();
        let mut encoder = first.encoder(&mut file)?;
        encoder.set_animated(count, 0)?;
        encoder.set_frame_delay(self.milliseconds, 1000)?;
        let mut writer = encoder.write_header()?;
        for picture in &self.pictures {
            writer.write_image_data(&picture.bytes())?;
        }
        writer.finish()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::{Animation, Picture};
    use std::prelude::v1::*;

    #[test]
    fn all_pictures_are_in_the_file() {
        let mut animation = Animation::new(300);
        assert!(animation.png().is_err());
        for bit in [true, false, true] {
            animation.push(Picture::of_bits(&[bit, true], 2));
        }
        let file = animation.png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 3);
        for expected in [255, 0, 255] {
            let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut bytes).unwrap();
            assert_eq!(bytes[0], expected);
            assert_eq!(reader.info().frame_control().unwrap().delay_num, 300);
        }
        animation.push(Picture::of_bits(&[true, true], 1));
        assert!(animation.png().is_err());
    }
}
