//! Files on disk, of a size that can be expected.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use crate::diagnostic::{Position, Positions};

/// Why a file has no text for us.
#[derive(Debug)]
pub enum ReadError {
    /// The system does not let us read it, or it is none.
    Unreadable(io::Error),
    /// It is larger than was allowed.
    TooLarge,
    /// It is not UTF-8 from there on.
    NotUtf8(Position),
}

/// The text of at most `max_bytes` of whatever a user names: a file, or a pipe that somebody writes to.
pub fn read(path: &Path, max_bytes: u64) -> Result<String, ReadError> {
    text(bytes(path, max_bytes)?)
}

/// As [`read`], but not from a pipe or a device, which may keep a build waiting for ever.
pub fn read_regular(path: &Path, max_bytes: u64) -> Result<String, ReadError> {
    text(bytes_of_regular(path, max_bytes)?)
}

/// As [`read_regular`], for what need not be text.
pub fn bytes_of_regular(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    // Looked at before it is opened: already that waits if it is a pipe.
    if !fs::metadata(path).map_err(ReadError::Unreadable)?.is_file() {
        return Err(ReadError::Unreadable(io::Error::other("it is no file but a folder, a pipe or a device")));
    }
    bytes(path, max_bytes)
}

fn bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(ReadError::Unreadable)?;
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(ReadError::Unreadable)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > max_bytes) { Err(ReadError::TooLarge) } else { Ok(bytes) }
}

/// Without the mark that some editors begin files with.
fn text(mut bytes: Vec<u8>) -> Result<String, ReadError> {
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
