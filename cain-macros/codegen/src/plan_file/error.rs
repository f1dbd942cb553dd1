//! Why a plan file cannot be used, and what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use cain_search::Proved;

use super::MAX_BYTES;
use crate::printable::Printable;
use crate::problem::Problem;

/// Why a plan file cannot be used.
///
/// Displayed as one line that begins with the file, and where there is one with line and column.
#[derive(Debug)]
pub struct PlanError {
    /// As it is shown.
    pub(super) path: PathBuf,
    pub(super) fault: Fault,
    /// The program, if that is right all the same.
    pub(super) program: Option<Box<Proved>>,
}

/// What is wrong with a plan.
#[derive(Debug)]
pub(super) enum Fault {
    /// The system does not let us read it.
    Unreadable(io::Error),
    /// It is so large that it was not read.
    TooLarge,
    /// A later version of the tool has written it.
    Newer(Problem),
    /// It is not what the tool has written, or does not compute its declaration.
    Corrupt(Problem),
    /// It answers another question.
    Stale(Problem),
}

impl PlanError {
    /// Whether it helps to write the file anew, and nothing is lost by it.
    #[must_use]
    pub fn is_replaceable(&self) -> bool {
        match self.fault {
            Fault::Unreadable(_) | Fault::Newer(_) => false,
            Fault::TooLarge | Fault::Corrupt(_) | Fault::Stale(_) => true,
        }
    }

    /// The program in the file, if it computes the declaration all the same, and only something else that the file says is
    /// wrong.
    #[must_use]
    pub fn into_program(self) -> Option<Proved> {
        self.program.map(|program| *program)
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
