//! Reads image files into greys.

mod grey;
mod jpeg;
mod orientation;
mod png;
mod pnm;
mod reason;
#[cfg(test)]
mod tests;

use std::io::{BufRead, Read as _, Seek, SeekFrom};
use std::prelude::v1::*;

pub(super) use self::grey::Grey;
pub(super) use self::reason::Reason;

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
