//! From a declaration to a plan.

use std::fmt;
use std::path::PathBuf;

use cain_search::{Approximated, Declaration, SearchError, search};
use proc_macro2::Span;

use crate::errors::Errors;
use crate::filter::{Body, Header};
use crate::lower::shortage;
use crate::plan::Plan;
use crate::plan_file::{PlanError, PlanFolder};
use crate::plans::{Mode, Plans};

/// Why there is no program.
#[derive(Debug)]
pub(crate) enum CompileError {
    Search(SearchError),
    Plan(PlanError),
    /// No search is allowed, and there is no such plan file.
    Unpinned(PathBuf),
}

/// The plan of a declaration: that of its plan file if it has one, otherwise what a search finds; `None` if neither is
/// wanted.
pub(crate) fn compile(
    declaration: &Declaration,
    approximated: Option<Approximated>,
    plans: &Plans,
) -> Result<Option<Plan>, CompileError> {
    if plans.mode == Mode::Stub {
        return Ok(None);
    }
    let name = &declaration.name;
    if let Some(folder) = &plans.folder
        && let Some(solution) = folder.load(declaration).map_err(CompileError::Plan)?
    {
        return Ok(Some(Plan { solution, approximated, folder: Some(folder.clone()) }));
    }
    if plans.mode == Mode::Locked {
        let shown = |folder: &PlanFolder| folder.shown(name);
        return Err(CompileError::Unpinned(plans.folder.as_ref().map(shown).unwrap_or_default()));
    }
    let solution = search(declaration).map_err(CompileError::Search)?;
    Ok(Some(Plan { solution, approximated, folder: None }))
}

/// Puts an error on the option that it is about, otherwise on the kernel's name.
pub(crate) fn blame(
    error: &CompileError,
    header: &Header<Span>,
    body: &Body<Span>,
    declaration: &Declaration,
    errors: &mut Errors<Span>,
) {
    let option = match error {
        CompileError::Search(SearchError::Budget { .. }) => body.search.nodes.as_ref().map(|nodes| nodes.at),
        _ => None,
    };
    let message = match error {
        CompileError::Search(error) => shortage::message::<Span>(error, declaration),
        error => error.to_string(),
    };
    errors.add(option.unwrap_or(header.name.at), message);
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(error) => error.fmt(f),
            Self::Plan(error) => error.fmt(f),
            Self::Unpinned(path) => write!(
                f,
                "{}: the filter has no plan, and with `{}=locked` none is searched for; run `cain pin`",
                path.display(),
                Mode::VARIABLE
            ),
        }
    }
}
