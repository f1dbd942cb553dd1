//! Kernel files on disk.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::str::Utf8Error;

use super::{Filter, Position, Problem, parse};

/// The largest kernel file that is read: a thousand filters of the largest size.
pub const MAX_BYTES: u64 = 1 << 20;

/// Reads the kernel file at a path.
pub fn load(path: &Path) -> Result<Vec<Filter>, LoadError> {
    let error = |cause| LoadError { path: path.to_owned(), cause };
    let text = read_text(path).map_err(error)?;
    parse(&text).map_err(|problems| error(Cause::Problems(problems)))
}

/// The text of the file at a path.
pub(crate) fn read_text(path: &Path) -> Result<String, Cause> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(Cause::Unreadable)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(Cause::TooLarge);
    }
    String::from_utf8(bytes).map_err(|error| Cause::Problems(vec![no_text(error.as_bytes(), error.utf8_error())]))
}

/// Where these bytes stop to be text.
fn no_text(bytes: &[u8], error: Utf8Error) -> Problem {
    let (before, _) = bytes.split_at(error.valid_up_to());
    let lines = || before.split(|&byte| byte == b'\n');
    let column = lines().next_back().map_or(0, |line| String::from_utf8_lossy(line).chars().count());
    let place = Position { line: lines().count(), column: 1 + column };
    Problem { place, message: "the file is not UTF-8 from here on; save it as UTF-8".to_owned() }
}

/// Why a kernel file could not be used.
///
/// Displayed as one line per problem, each beginning with `path:line:column:`.
#[derive(Debug)]
pub struct LoadError {
    path: PathBuf,
    cause: Cause,
}

/// What is wrong with a file.
#[derive(Debug)]
pub(crate) enum Cause {
    Unreadable(io::Error),
    TooLarge,
    Problems(Vec<Problem>),
}

impl Cause {
    /// One message per problem with the file of that name.
    pub(crate) fn messages(&self, path: &str) -> Vec<String> {
        match self {
            Self::Unreadable(error) => vec![format!("{path}: cannot be read: {error}")],
            Self::TooLarge => vec![format!("{path}: the file is larger than {MAX_BYTES} bytes; split it")],
            Self::Problems(problems) => problems.iter().map(|problem| format!("{path}:{problem}")).collect(),
        }
    }
}

impl LoadError {
    /// Problems with the filters of the file at a path, found after it was read.
    #[must_use]
    pub fn of_filters(path: &Path, problems: Vec<Problem>) -> Self {
        Self { path: path.to_owned(), cause: Cause::Problems(problems) }
    }

    /// One message per problem, each a line.
    #[must_use]
    pub fn messages(&self) -> Vec<String> {
        self.cause.messages(&self.path.display().to_string())
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.messages().join("\n"))
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            Cause::Unreadable(error) => Some(error),
            Cause::TooLarge | Cause::Problems(_) => None,
        }
    }
}
