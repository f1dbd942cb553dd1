//! The frames of GIF files.

use std::io::{BufReader, Read};

use gif::{ColorOutput, DecodeOptions, Decoder, DisposalMethod};

use super::canvas::{Canvas, Leave, Over, Part, Pixel};
use super::frames::{Frames, Shown};

pub(super) struct Gif<R: Read> {
    decoder: Decoder<BufReader<R>>,
}

impl<R: Read> Gif<R> {
    pub(super) fn open(file: BufReader<R>) -> Result<Self, String> {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let decoder = options.read_info(file).map_err(|error| error.to_string())?;
        Ok(Self { decoder })
    }
}

impl<R: Read> Frames for Gif<R> {
    fn size(&self) -> (usize, usize) {
        (self.decoder.width().into(), self.decoder.height().into())
    }

    fn draw_next(&mut self, canvas: &mut Canvas) -> Result<Option<Shown>, String> {
        let Some(frame) = self.decoder.read_next_frame().map_err(|error| error.to_string())? else { return Ok(None) };
        let part = Part {
            left: frame.left.into(),
            top: frame.top.into(),
            width: frame.width.into(),
            height: frame.height.into(),
        };
        let leave = match frame.dispose {
            DisposalMethod::Any | DisposalMethod::Keep => Leave::All,
            DisposalMethod::Background => Leave::Nothing,
            DisposalMethod::Previous => Leave::Before,
        };
        let pixels = frame.buffer.chunks_exact(4).filter_map(|pixel| Pixel::try_from(pixel).ok());
        canvas.draw(part, pixels, Over::Blend, leave);
        Ok(Some(Shown { milliseconds: u32::from(frame.delay) * 10 }))
    }
}
