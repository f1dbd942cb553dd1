//! Reads JPEG files.

use std::io::Read;
use std::prelude::v1::*;

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::grey::{self, Grey};
use super::orientation::Orientation;
use super::reason::{MAX_BYTES, Reason, size};

pub(super) fn read(file: impl Read) -> Result<Grey, Reason> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(Reason::Read)?;
    // The decoder's own limit of the sides is replaced by that of the whole.
    let options = DecoderOptions::default().set_strict_mode(false).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&bytes), options);
    decoder.decode_headers().map_err(Reason::Jpeg)?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    let colours = match decoder.input_colorspace() {
        Some(grey @ (ColorSpace::Luma | ColorSpace::LumaA)) => grey,
        _ => ColorSpace::RGB,
    };
    let channels = colours.num_components();
    let wide = |side: usize| u64::try_from(side).unwrap_or(u64::MAX);
    let (width, height) = size(wide(width), wide(height), wide(channels))?;
    let orientation = decoder.exif().and_then(|exif| Orientation::of_exif(exif));
    decoder.set_options(options.jpeg_set_out_colorspace(colours));
    let samples = decoder.decode().map_err(Reason::Jpeg)?;
    let bytes = if channels == 1 { samples } else { samples.chunks_exact(channels).map(grey::of_bytes).collect() };
    Ok(orientation.unwrap_or_default().applied(Grey { width, height, bytes }))
}
