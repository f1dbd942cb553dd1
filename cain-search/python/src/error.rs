//! The exception of the package.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(
    cain_fpsp,
    CainError,
    PyValueError,
    "What is wrong with a declaration, a model or data, and what to do."
);

/// An error with these messages, one a line.
pub(crate) fn failed(messages: impl AsRef<str>) -> PyErr {
    CainError::new_err(messages.as_ref().to_owned())
}
