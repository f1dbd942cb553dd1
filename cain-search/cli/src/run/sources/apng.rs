//! The frames of animated PNG files.

use std::io::{BufRead, Seek};

use png::{BitDepth, BlendOp, ColorType, Decoder, DecodingError, DisposeOp, Limits, Reader, Transformations};

use super::canvas::{Canvas, Leave, Over, Part, Pixel};
use super::frames::{Frames, MOST_BYTES, Shown};

pub(super) struct Apng<R: BufRead + Seek> {
    reader: Reader<R>,
    /// The number of frames that are still to come.
    left: u32,
    /// Whether a picture comes first that is not part of the animation.
    has_cover: bool,
    /// The pixels of a frame as they are in the file.
    samples: Vec<u8>,
}

impl<R: BufRead + Seek> Apng<R> {
    /// Opens a PNG file; `None` if it has one picture only.
    pub(super) fn open(file: R) -> Result<Option<Self>, String> {
        let mut decoder = Decoder::new_with_limits(file, Limits { bytes: MOST_BYTES });
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        decoder.set_transformations(Transformations::EXPAND);
        let reader = decoder.read_info().map_err(shown)?;
        let Some(control) = reader.info().animation_control() else { return Ok(None) };
        let (left, has_cover) = (control.num_frames, reader.info().frame_control().is_none());
        if reader.output_color_type().1 != BitDepth::Eight {
            return Err("it is an animation with 16 bits for each colour; expected at most 8".to_owned());
        }
        Ok(Some(Self { reader, left, has_cover, samples: Vec::new() }))
    }

    fn decode_next(&mut self) -> Result<(), String> {
        self.samples.resize(self.reader.output_buffer_size().unwrap_or(0), 0);
        self.reader.next_frame(&mut self.samples).map_err(shown)?;
        Ok(())
    }
}

impl<R: BufRead + Seek> Frames for Apng<R> {
    fn size(&self) -> (usize, usize) {
        let (width, height) = self.reader.info().size();
        (length(width), length(height))
    }

    fn draw_next(&mut self, canvas: &mut Canvas) -> Result<Option<Shown>, String> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        if self.has_cover {
            self.has_cover = false;
            self.decode_next()?;
        }
        self.decode_next()?;
        let Some(control) = self.reader.info().frame_control() else { return Ok(None) };
        let [left, top, width, height] =
            [control.x_offset, control.y_offset, control.width, control.height].map(length);
        let leave = match control.dispose_op {
            DisposeOp::None => Leave::All,
            DisposeOp::Background => Leave::Nothing,
            DisposeOp::Previous => Leave::Before,
        };
        let over = if control.blend_op == BlendOp::Over { Over::Blend } else { Over::Replace };
        let colours = self.reader.output_color_type().0;
        let pixels = self.samples.chunks_exact(colours.samples()).map(|samples| pixel(colours, samples));
        canvas.draw(Part { left, top, width, height }, pixels, over, leave);
        // Without a denominator, the unit is a hundredth of a second.
        let unit = if control.delay_den == 0 { 100 } else { control.delay_den };
        Ok(Some(Shown { milliseconds: u32::from(control.delay_num) * 1000 / u32::from(unit) }))
    }
}

/// A length in pixels.
fn length(pixels: u32) -> usize {
    usize::try_from(pixels).unwrap_or(usize::MAX)
}

fn pixel(colours: ColorType, samples: &[u8]) -> Pixel {
    match (colours, samples) {
        (ColorType::GrayscaleAlpha, [grey, opaque]) => [*grey, *grey, *grey, *opaque],
        (_, [grey]) => [*grey, *grey, *grey, u8::MAX],
        (_, [red, green, blue]) => [*red, *green, *blue, u8::MAX],
        (_, [red, green, blue, opaque]) => [*red, *green, *blue, *opaque],
        _ => [0; 4],
    }
}

fn shown(error: DecodingError) -> String {
    match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "the file ends too early".to_owned()
        }
        error => error.to_string(),
    }
}
