//! The Python package `cain_fpsp`, as far as it is not written in Python: conversions between NumPy arrays and what the
//! command's library computes. The package's own pages document what is called here.

mod compiled;
mod error;
mod supervised;

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

use cain_cli::library;

use compiled::{Compiled, Source};
use error::{CainError, failed};

/// What is declared in the file or folder at a path, and remarks.
#[pyfunction]
fn load(py: Python<'_>, path: PathBuf) -> PyResult<(Vec<Source>, Vec<String>)> {
    let (sources, remarks) = py.detach(|| library::load(&path)).map_err(|problems| failed(problems.join("\n")))?;
    Ok((sources.into_iter().map(Source).collect(), remarks))
}

/// What is declared in the text of a kernel file, and remarks. Both have places, as mistakes have, if a user wrote the text.
#[pyfunction]
fn parse(py: Python<'_>, text: &str, has_places: bool) -> PyResult<(Vec<Source>, Vec<String>)> {
    let parsed = py.detach(|| library::parse(text, has_places));
    let (sources, remarks) = parsed.map_err(|problems| failed(problems.join("\n")))?;
    Ok((sources.into_iter().map(Source).collect(), remarks))
}

/// The kernel file for a model, and remarks; the arguments are those of `cain import`.
#[pyfunction]
#[pyo3(signature = (arguments, progress=None))]
fn import_model(
    py: Python<'_>,
    arguments: Vec<OsString>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    supervised::run(py, progress, |interrupt, progress| {
        library::import(arguments, interrupt, &|done, all| progress.tell(done, Some(all)))
    })?
    .map_err(failed)
}

/// Runs the command with these arguments, the first of which is its name; returns the exit status.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| cain_cli::run(arguments))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("CainError", module.py().get_type::<CainError>())?;
    module.add_class::<Source>()?;
    module.add_class::<Compiled>()?;
    module.add_function(wrap_pyfunction!(load, module)?)?;
    module.add_function(wrap_pyfunction!(parse, module)?)?;
    module.add_function(wrap_pyfunction!(import_model, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)
}
