//! Reading files of limited size.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use crate::diagnostic::{Position, Positions};

/// Why the text of a file cannot be used.
#[derive(Debug)]
pub enum ReadError {
    /// The system cannot read it, or it is not a file.
    Unreadable(io::Error),
    /// It is larger than the limit.
    TooLarge,
    /// It is not UTF-8 from this position on.
    NotUtf8(Position),
}

/// The folder of a file; empty if the path does not name one.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The text of a file of at most `max_bytes`.
pub fn read(path: &Path, max_bytes: u64) -> Result<String, ReadError> {
    text(bytes(path, max_bytes)?)
}

/// Like [`read`], for files that need not be text.
pub fn bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let file = open(path).map_err(ReadError::Unreadable)?;
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(ReadError::Unreadable)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > max_bytes) { Err(ReadError::TooLarge) } else { Ok(bytes) }
}

/// Opens a file to be read, and refuses folders, pipes and devices, which one might wait for without end.
pub fn open(path: &Path) -> io::Result<File> {
    // Before the file is opened, because opening a pipe may already wait.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file but a folder, a pipe or a device"));
    }
    File::open(path)
}

fn text(bytes: Vec<u8>) -> Result<String, ReadError> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(&text).to_owned()),
        Err(error) => {
            let (before, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
            let before = String::from_utf8_lossy(before);
            let before = without_mark(&before);
            Err(ReadError::NotUtf8(Positions::new(before).of(before.len())))
        }
    }
}

/// The text without the byte-order mark with which some editors begin files, and which takes no column.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
