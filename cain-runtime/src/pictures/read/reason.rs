//! Why an image file cannot be used.

use std::fmt;
use std::io;
use std::prelude::v1::*;

use super::pnm::problem::Problem;

/// The most memory that the colours of an image may take.
pub(super) const MAX_BYTES: u64 = 1 << 30;

/// The size of a picture whose pixels take so many bytes, unless it has none, or takes too much memory.
pub(super) fn size(width: u64, height: u64, bytes: u64) -> Result<(usize, usize), Reason> {
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
pub(in crate::pictures) enum Reason {
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
