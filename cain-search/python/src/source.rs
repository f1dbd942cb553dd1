//! Declarations.

use pyo3::prelude::*;

use cain_cli::library::{self, Wanted};

use crate::compiled::Compiled;
use crate::{failed, supervised};

/// What was declared in a file or a text.
#[pyclass(frozen, module = "cain_fpsp._native")]
pub(crate) struct Source(pub(crate) library::Source);

#[pymethods]
impl Source {
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.0.what()
    }

    /// Searches for programs, or takes those of a plan file.
    #[pyo3(signature = (nodes=None, plans=false, progress=None))]
    fn compile(
        &self,
        py: Python<'_>,
        nodes: Option<u64>,
        plans: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Compiled> {
        let wanted = Wanted { nodes, has_plans: plans };
        let compiled = supervised::run(py, progress, |interrupt, _| self.0.compile(wanted, interrupt))?;
        Ok(Compiled { source: self.0.clone(), of: compiled.map_err(failed)? })
    }

    /// Proves that a listing computes the filter.
    fn verify(&self, py: Python<'_>, listing: &str) -> PyResult<Compiled> {
        let compiled = supervised::run(py, None, |_, _| self.0.verify(listing))?;
        Ok(Compiled { source: self.0.clone(), of: compiled.map_err(failed)? })
    }

    /// The constants of an error model: gain, offsets in DN, the spread of both, and the noise of read-outs in DN.
    fn errors(&self, model: &str) -> PyResult<(f32, [f32; 3], f32, f32, f32)> {
        let errors = self.0.errors(model).map_err(failed)?;
        Ok((errors.gain, errors.offset, errors.fixed_gain, errors.fixed_offset, errors.readout_noise))
    }
}
