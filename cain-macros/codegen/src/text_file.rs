//! Text files on disk, of a size that can be expected.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::problem::{Position, Positions};

/// Why a file has no text for us.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The system does not let us read it.
    Unreadable(io::Error),
    /// It is larger than was allowed.
    TooLarge,
    /// It is not UTF-8 from there on.
    NotUtf8(Position),
}

/// The text of a file of at most `max_bytes`, without the mark that some editors begin files with.
pub(crate) fn read(path: &Path, max_bytes: u64) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(ReadError::Unreadable)?;
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(ReadError::Unreadable)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > max_bytes) {
        return Err(ReadError::TooLarge);
    }
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let (before, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let before = String::from_utf8_lossy(before);
        ReadError::NotUtf8(Positions::new(&before).of(before.len()))
    })
}

/// The mark of byte order in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();
