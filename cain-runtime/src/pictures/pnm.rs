//! Checks PGM and PPM files for pixels above the maximum that the file announces, which the decoder would take for
//! white.

use std::io::{self, BufRead, Read as _, Seek, SeekFrom};
use std::prelude::v1::*;

use image::ImageDecoder as _;
use image::codecs::pnm::{PnmDecoder, PnmSubtype, SampleEncoding};

/// A pixel that is too bright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Excess {
    /// The pixel's row, from the top.
    pub(super) row: u64,
    /// The pixel's column, from the left.
    pub(super) column: u64,
    /// Its value, or one of its colours.
    pub(super) found: u32,
    /// The maximum that the file announces.
    pub(super) most: u32,
}

/// The first pixel above the maximum; afterwards the file is at the same position as before. Other mistakes are left to
/// the decoder.
pub(super) fn excess(file: &mut (impl BufRead + Seek)) -> io::Result<Option<Excess>> {
    let start = file.stream_position()?;
    let excess = of_pixels(&mut *file)?;
    file.seek(SeekFrom::Start(start))?;
    Ok(excess)
}

fn of_pixels(file: impl BufRead) -> io::Result<Option<Excess>> {
    let Ok(decoder) = PnmDecoder::new(file) else { return Ok(None) };
    let channels = u64::from(decoder.color_type().channel_count());
    let (pixels, header) = decoder.into_inner();
    let (width, most) = (u64::from(header.width()), header.maximal_sample());
    let count = width * u64::from(header.height()) * channels;
    let place = |sample: u64, found| {
        let pixel = sample / channels;
        Excess { row: pixel / width, column: pixel % width, found, most }
    };
    let kind = header.subtype();
    let mut samples: Box<dyn Iterator<Item = io::Result<u32>>> = match kind.sample_encoding() {
        _ if matches!(kind, PnmSubtype::Bitmap(_)) => return Ok(None),
        SampleEncoding::Ascii => Box::new(Words(pixels)),
        SampleEncoding::Binary if most == 0xFF || most == 0xFFFF => return Ok(None),
        SampleEncoding::Binary => Box::new(Bytes { file: pixels, size: if most > 0xFF { 2 } else { 1 } }),
    };
    for sample in 0..count {
        match samples.next().transpose()? {
            None => break,
            Some(found) if found > most => return Ok(Some(place(sample, found))),
            Some(_) => {}
        }
    }
    Ok(None)
}

/// Reads decimal numbers, up to the first word that is not one.
struct Words<R>(R);

impl<R: BufRead> Iterator for Words<R> {
    type Item = io::Result<u32>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut number: Option<u32> = None;
        for byte in self.0.by_ref().bytes() {
            match byte {
                Err(error) => return Some(Err(error)),
                Ok(digit @ b'0'..=b'9') => {
                    let digits = number.unwrap_or(0).saturating_mul(10);
                    number = Some(digits.saturating_add(u32::from(digit - b'0')));
                }
                Ok(byte) if byte.is_ascii_whitespace() && number.is_none() => {}
                Ok(_) => break,
            }
        }
        number.map(Ok)
    }
}

/// Reads numbers of one or two bytes, the high byte first.
struct Bytes<R> {
    file: R,
    size: usize,
}

impl<R: BufRead> Iterator for Bytes<R> {
    type Item = io::Result<u32>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = [0; 2];
        let bytes = bytes.get_mut(..self.size)?;
        match self.file.read_exact(bytes) {
            Ok(()) => Some(Ok(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => Some(Err(error)),
        }
    }
}
