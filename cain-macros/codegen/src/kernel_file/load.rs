//! Kernel files on disk.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use cain_isa::{ErrorModel, Machine};

use super::{Diagnostic, Filter, Item, parse, parse_in, parse_machine};
use crate::Overrides;
use crate::printable::Printable;
use crate::text_file::{self, ReadError};

/// The largest kernel file that is read: a thousand filters of the largest size.
pub const MAX_BYTES: u64 = 1 << 20;

/// Reads the kernel file at a path.
pub fn load(path: &Path) -> Result<Vec<Filter>, LoadError> {
    let error = |cause| LoadError::new(path, cause);
    let text = read_text(path).map_err(error)?;
    parse(&text).map_err(|problems| error(Cause::Problems(problems)))
}

/// Like [`load`], for filters of all kinds, networks and automata, and with options that override those in the file.
pub fn load_any(path: &Path, overrides: Overrides) -> Result<Vec<Item>, LoadError> {
    load_in(path, Some(path.parent().unwrap_or(Path::new(""))), overrides)
}

/// Like [`load_any`], but without networks and automata, which are not even read.
pub fn load_filters(path: &Path, overrides: Overrides) -> Result<Vec<Item>, LoadError> {
    load_in(path, None, overrides)
}

fn load_in(path: &Path, folder: Option<&Path>, overrides: Overrides) -> Result<Vec<Item>, LoadError> {
    let error = |cause| LoadError::new(path, cause);
    let text = read_text(path).map_err(error)?;
    parse_in(&text, folder, overrides).map_err(|problems| error(Cause::Problems(problems)))
}

/// Reads the machine that the kernel file at a path describes, and the errors of its arithmetic. The file need not have
/// filters.
pub fn load_machine(path: &Path) -> Result<(Machine, ErrorModel), LoadError> {
    let error = |cause| LoadError::new(path, cause);
    let text = read_text(path).map_err(error)?;
    parse_machine(&text).map_err(|problems| error(Cause::Problems(problems)))
}

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
