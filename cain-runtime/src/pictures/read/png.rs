//! Reads PNG files.

use std::io::{BufRead, Seek};
use std::prelude::v1::*;
// Not part of the prelude in the minimum Rust version.
use std::vec;

use png::{BitDepth, Decoder, Limits, Transformations};

use super::grey::{self, Grey};
use super::orientation::Orientation;
use super::reason::{MAX_BYTES, Reason, size};

/// The most memory that the decoder may take for all else than pixels.
const MOST_BESIDE: usize = 1 << 29;

pub(super) fn read(file: impl BufRead + Seek) -> Result<Grey, Reason> {
    let mut decoder = Decoder::new_with_limits(file, Limits { bytes: MOST_BESIDE });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    // Palettes become colours, and fewer bits than eight become eight.
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(Reason::Png)?;
    let (colours, depth) = reader.output_color_type();
    let (channels, wide) = (colours.samples(), depth == BitDepth::Sixteen);
    let (width, height) = {
        let (width, height) = reader.info().size();
        let bytes = if wide { 2 * channels } else { channels };
        size(width.into(), height.into(), u64::try_from(bytes).unwrap_or(MAX_BYTES))?
    };
    let orientation = reader.info().exif_metadata.as_ref().and_then(|exif| Orientation::of_exif(exif));
    let mut samples = vec![0; reader.output_buffer_size().unwrap_or(0)];
    reader.next_frame(&mut samples).map_err(Reason::Png)?;
    let bytes = if wide {
        let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u16::from(*byte));
        let pixel = |bytes: &[u8]| {
            let mut words = [0; 4];
            for (place, bytes) in words.iter_mut().zip(bytes.chunks_exact(2)) {
                *place = word(bytes);
            }
            grey::of_words(words.get(..channels).unwrap_or(&words))
        };
        samples.chunks_exact(2 * channels).map(pixel).collect()
    } else if channels == 1 {
        samples
    } else {
        samples.chunks_exact(channels).map(grey::of_bytes).collect()
    };
    Ok(orientation.unwrap_or_default().applied(Grey { width, height, bytes }))
}
