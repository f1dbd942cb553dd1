//! The folder with the plan files of a package, and why a file in it cannot be used.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::{Fault, MAX_BYTES, PlanFile};
use crate::diagnostic::Diagnostic;
use crate::printable::Printable;
use crate::text_file::{self, ReadError};

/// The folder with the plan files of a package: `NAME.scamp` for the declaration `NAME`, or where several of the package have
/// that name, a [file of its own](crate::kinds::Kind::own_name) for each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlanFolder {
    path: PathBuf,
    /// The path as messages show it.
    shown: PathBuf,
}

/// The path of a plan file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanPath {
    /// The path itself.
    pub path: PathBuf,
    /// The path as messages show it.
    pub shown: PathBuf,
}

impl PlanPath {
    /// A path that is shown as it is.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), shown: path.to_owned() }
    }
}

impl PlanFolder {
    /// The extension of plan files.
    pub const EXTENSION: &str = "scamp";

    /// A folder, which need not exist; messages name it as `shown`.
    pub fn new(path: impl Into<PathBuf>, shown: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), shown: shown.into() }
    }

    /// The folder `plans` of the package whose manifest is in that folder.
    #[must_use]
    pub fn of_package(root: &Path) -> Self {
        Self::new(root.join("plans"), "plans")
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan file of that name, whether or not it exists.
    #[must_use]
    pub fn plan(&self, name: &str) -> PlanPath {
        PlanPath { path: self.file(name), shown: self.shown(name) }
    }

    /// The path of the plan file of that name, whether or not it exists.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(file_name(name))
    }

    /// The path of the plan file of that name as messages show it.
    #[must_use]
    pub fn shown(&self, name: &str) -> PathBuf {
        self.shown.join(file_name(name))
    }

    /// The unverified contents of the plan file of that name; `None` if there is no such file.
    pub fn read(&self, name: &str) -> Result<Option<PlanFile>, PlanError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        PlanFile::parse(&text).map(Some).map_err(|fault| self.error(name, fault))
    }

    /// The text of the plan file of that name; `None` if there is no such file.
    fn text(&self, name: &str) -> Result<Option<String>, PlanError> {
        match text(&self.file(name)) {
            Ok(text) => Ok(Some(text)),
            Err(Fault::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(self.error(name, fault)),
        }
    }

    /// The error that there is that fault in the plan file of that name.
    #[must_use]
    pub fn error(&self, name: &str, fault: Fault) -> PlanError {
        PlanError { path: self.shown(name), fault }
    }
}

fn file_name(name: &str) -> String {
    format!("{name}.{}", PlanFolder::EXTENSION)
}

/// The text of a plan file.
fn text(path: &Path) -> Result<String, Fault> {
    text_file::read(path, MAX_BYTES).map_err(|error| match error {
        ReadError::Unreadable(error) => Fault::Unreadable(error),
        ReadError::TooLarge => Fault::TooLarge,
        ReadError::NotUtf8(place) => {
            Fault::Corrupt(Diagnostic { place, message: "the plan is not UTF-8 from here on".to_owned() })
        }
    })
}

/// Why a plan file cannot be used.
///
/// Displayed as one line that begins with the path, followed by line and column where they are known.
#[derive(Debug)]
pub struct PlanError {
    /// As messages show it.
    path: PathBuf,
    fault: Fault,
}

impl PlanError {
    /// Whether writing the file anew mends it without losing anything.
    #[must_use]
    pub fn is_replaceable(&self) -> bool {
        match self.fault {
            Fault::Unreadable(_) | Fault::Newer(_) => false,
            Fault::TooLarge | Fault::Corrupt(_) | Fault::Stale(_) => true,
        }
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = Printable(self.path.display());
        match &self.fault {
            Fault::Unreadable(error) => write!(f, "{path}: the plan cannot be read: {error}"),
            Fault::TooLarge => {
                write!(f, "{path}: the plan is larger than {MAX_BYTES} bytes; run `cain pin` to write it anew")
            }
            Fault::Newer(problem) => write!(f, "{path}:{problem}"),
            Fault::Corrupt(problem) => write!(f, "{path}:{problem}; run `cain pin` to write the plan anew"),
            Fault::Stale(problem) => write!(f, "{path}:{problem}; run `cain pin` to search for the new one"),
        }
    }
}

impl std::error::Error for PlanError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            Fault::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}
