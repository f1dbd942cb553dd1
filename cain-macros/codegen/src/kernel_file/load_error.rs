//! The text of a kernel file, and why it cannot be used.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::printable::Printable;
use crate::text_file::{self, ReadError};

/// The largest kernel file that is read: a thousand filters of the largest size.
pub const MAX_BYTES: u64 = 1 << 20;

pub(crate) fn read_text(path: &Path) -> Result<String, Cause> {
    text_file::read(path, MAX_BYTES).map_err(|error| match error {
        ReadError::Unreadable(error) => Cause::Unreadable(error),
        ReadError::TooLarge => Cause::TooLarge,
        ReadError::NotUtf8(place) => {
            let message = "the file is not UTF-8 from here on; save it as UTF-8".to_owned();
            Cause::Problems(vec![Diagnostic { place, message }])
        }
    })
}

/// Why a kernel file cannot be used.
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
    Problems(Vec<Diagnostic>),
}

impl Cause {
    /// One message per problem, each beginning with the path.
    pub(crate) fn messages(&self, path: &str) -> Vec<String> {
        let path = Printable(path);
        match self {
            Self::Unreadable(error) => vec![format!("{path}: cannot be read: {error}")],
            Self::TooLarge => vec![format!("{path}: the file is larger than {MAX_BYTES} bytes; split it")],
            Self::Problems(problems) => problems.iter().map(|problem| format!("{path}:{problem}")).collect(),
        }
    }
}

impl LoadError {
    pub(crate) fn new(path: &Path, cause: Cause) -> Self {
        Self { path: path.to_owned(), cause }
    }

    /// Problems with the filters of a file that could be read.
    #[must_use]
    pub fn of_filters(path: &Path, problems: Vec<Diagnostic>) -> Self {
        Self::new(path, Cause::Problems(problems))
    }

    /// One line per problem.
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
