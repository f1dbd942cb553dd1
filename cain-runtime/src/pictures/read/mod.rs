//! Reads image files into greys.

mod grey;
mod jpeg;
mod orientation;
mod png;
mod pnm;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, BufRead, Read as _, Seek, SeekFrom};
use std::prelude::v1::*;

pub(super) use self::grey::Grey;
use self::pnm::Problem;

/// The most memory that the colours of an image may take.
const MAX_BYTES: u64 = 1 << 30;

/// The beginnings of files, and what they are: first those that can be read.
const BEGINNINGS: [(&[u8], Format); 10] = [
    (b"\x89PNG\r\n\x1a\n", Format::Png),
    (b"\xff\xd8\xff", Format::Jpeg),
    (b"GIF8", Format::Other("GIF")),
    (b"RIFF", Format::Other("WebP")),
    (b"BM", Format::Other("BMP")),
    (b"II*\0", Format::Other("TIFF")),
    (b"MM\0*", Format::Other("TIFF")),
    (b"\0\0\0\x1cftyp", Format::Other("AVIF or HEIC")),
    (b"\0\0\0\x20ftyp", Format::Other("AVIF or HEIC")),
    (b"qoif", Format::Other("QOI")),
];

/// A kind of image files.
#[derive(Clone, Copy)]
enum Format {
    Png,
    Jpeg,
    /// One that cannot be read.
    Other(&'static str),
}

/// Reads an image, whose orientation is as it is meant to be shown.
pub(super) fn read(mut file: impl BufRead + Seek) -> Result<Grey, Reason> {
    let mut beginning = Vec::new();
    file.by_ref().take(16).read_to_end(&mut beginning).map_err(Reason::Read)?;
    file.seek(SeekFrom::Start(0)).map_err(Reason::Read)?;
    if let [b'P', kind @ b'1'..=b'7', ..] = beginning[..] {
        return pnm::read(&mut file, kind);
    }
    match BEGINNINGS.iter().find(|(start, _)| beginning.starts_with(start)) {
        Some((_, Format::Png)) => png::read(file),
        Some((_, Format::Jpeg)) => jpeg::read(file),
        Some((_, Format::Other(name))) => Err(Reason::Format(Some(name))),
        None => Err(Reason::Format(None)),
    }
}

/// The size of a picture whose pixels take so many bytes, unless it has none, or takes too much memory.
fn size(width: u64, height: u64, bytes: u64) -> Result<(usize, usize), Reason> {
    if width == 0 || height == 0 {
        return Err(Reason::Empty { width, height });
    }
    let fits =
        width.checked_mul(height).and_then(|pixels| pixels.checked_mul(bytes)).is_some_and(|all| all <= MAX_BYTES);
    match (usize::try_from(width), usize::try_from(height)) {
        (Ok(width), Ok(height)) if fits => Ok((width, height)),
        _ => Err(Reason::TooLarge { width, height }),
    }
}

/// The reason why a file cannot be used.
#[derive(Debug)]
pub(super) enum Reason {
    Read(io::Error),
    /// The name of the file's format, if it is known.
    Format(Option<&'static str>),
    Png(::png::DecodingError),
    Jpeg(zune_jpeg::errors::DecodeErrors),
    Pnm(Problem),
    Empty {
        width: u64,
        height: u64,
    },
    TooLarge {
        width: u64,
        height: u64,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Format(None) => f.write_str("its format is not known; expected a PNG, JPEG, PGM or PPM file"),
            Self::Format(Some(name)) => write!(f, "it is a {name} file; expected a PNG, JPEG, PGM or PPM file"),
            Self::Png(error) if ends(error) => f.write_str("the PNG file ends too early; expected a whole one"),
            Self::Png(error) => write!(f, "the PNG file is damaged: {error}; expected a whole one"),
            Self::Jpeg(error) => write!(f, "the JPEG file is damaged or of a rare kind: {error}; save it again"),
            Self::Pnm(problem) => problem.fmt(f),
            Self::Empty { width, height } => {
                write!(f, "the image has {width}×{height} pixels; expected at least 1×1")
            }
            Self::TooLarge { width, height } => {
                write!(f, "the image has {width}×{height} pixels, more than {} MiB; scale it down", MAX_BYTES >> 20)
            }
        }
    }
}

fn ends(error: &::png::DecodingError) -> bool {
    matches!(error, ::png::DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof)
}
