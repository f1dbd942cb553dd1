//! The folder with the plan files of a package.

use std::io;
use std::path::{Path, PathBuf};

use cain_search::{Declaration, Solution};

use super::check::Refused;
use super::error::Fault;
use super::{MAX_BYTES, PlanError, PlanFile};
use crate::problem::Problem;
use crate::text_file::{self, ReadError};

/// The folder with the plan files of a package: one per filter, `NAME.scamp`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlanFolder {
    path: PathBuf,
    /// As messages show it.
    shown: PathBuf,
}

impl PlanFolder {
    /// The ending of plan files.
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

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the plan of a filter is, if there is one.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(file_name(name))
    }

    /// The plan of a filter as messages name it.
    #[must_use]
    pub fn shown(&self, name: &str) -> PathBuf {
        self.shown.join(file_name(name))
    }

    /// What stands in the plan file of a filter, right or wrong; `None` if there is no such file.
    pub fn read(&self, name: &str) -> Result<Option<PlanFile>, PlanError> {
        let text = match text(&self.file(name)) {
            Ok(text) => text,
            Err(Fault::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(fault) => return Err(self.error(name, fault)),
        };
        PlanFile::parse(&text).map(Some).map_err(|fault| self.error(name, fault))
    }

    /// The program that a plan file has for a declaration, proved, with what the file says about it.
    pub fn check(&self, file: &PlanFile, declaration: &Declaration) -> Result<Solution, PlanError> {
        file.solution(declaration)
            .map_err(|Refused { fault, program }| PlanError { program, ..self.error(&declaration.name, fault) })
    }

    /// The program that stands in the plan file of a declaration, [checked](Self::check); `None` if there is no file.
    pub fn load(&self, declaration: &Declaration) -> Result<Option<Solution>, PlanError> {
        self.read(&declaration.name)?.map(|file| self.check(&file, declaration)).transpose()
    }

    fn error(&self, name: &str, fault: Fault) -> PlanError {
        PlanError { path: self.shown(name), fault, program: None }
    }
}

fn file_name(name: &str) -> String {
    format!("{name}.{}", PlanFolder::EXTENSION)
}

/// The text of a file, unless it is too large for a plan.
fn text(path: &Path) -> Result<String, Fault> {
    text_file::read_regular(path, MAX_BYTES).map_err(|error| match error {
        ReadError::Unreadable(error) => Fault::Unreadable(error),
        ReadError::TooLarge => Fault::TooLarge,
        ReadError::NotUtf8(place) => {
            Fault::Corrupt(Problem { place, message: "the plan is no text from here on".to_owned() })
        }
    })
}
