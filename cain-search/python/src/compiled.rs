//! Declarations, their programs, and what these do with pictures.

use numpy::ndarray::Array3;
use numpy::{IntoPyArray as _, PyArray1, PyArray3, PyArrayDyn, PyArrayMethods as _, PyReadonlyArray3};
use pyo3::prelude::*;

use cain_cli::library::{self, Interrupt, Program, Traced, Wanted};
use cain_codegen::Plan;
use cain_isa::{ErrorModel, HostController as _};
use cain_network::CompiledNetwork;
use cain_runtime::sim::{Array, SimError};

use crate::error::failed;
use crate::supervised::{self, Progress};

/// What was declared in a file or a text.
#[pyclass(frozen, module = "cain_fpsp._native")]
pub(crate) struct Source(pub(crate) library::Source);

#[pymethods]
impl Source {
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Where it is declared.
    #[getter]
    fn place(&self) -> String {
        self.0.place()
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

/// Programs that were proved, and their source.
#[pyclass(frozen, module = "cain_fpsp._native")]
pub(crate) struct Compiled {
    pub(crate) source: library::Source,
    pub(crate) of: library::Compiled,
}

/// The name of a head, and its numbers for each picture.
type Head<'py> = (String, Bound<'py, PyArrayDyn<f32>>);
/// The name of a layer and its values: in floating point, and on both arrays if they are there.
type Layer<'py> = (String, Values<'py>, Option<Values<'py>>, Option<Values<'py>>);
type Values<'py> = Bound<'py, PyArrayDyn<f64>>;

#[pymethods]
impl Compiled {
    #[getter]
    fn source(&self) -> Source {
        Source(self.source.clone())
    }

    /// The object that `cain compile --json` prints.
    #[getter]
    fn record(&self) -> &str {
        &self.of.record
    }

    #[getter]
    fn listing(&self) -> &str {
        &self.of.listing
    }

    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.of.remarks.clone()
    }

    /// The registers of the inputs and of the outputs, in order; of filters only.
    #[getter]
    fn registers(&self) -> PyResult<(Vec<String>, Vec<String>)> {
        let declaration = self.kernel()?.declaration();
        let inputs = declaration.inputs.iter().map(|input| input.reg.to_string()).collect();
        Ok((inputs, declaration.outputs.iter().map(|output| output.reg.to_string()).collect()))
    }

    /// The rows and columns of the picture of a network.
    #[getter]
    fn size(&self) -> PyResult<(usize, usize)> {
        let image = &self.network()?.network().input;
        Ok((image.height, image.width))
    }

    /// The number of classes of a network that tells classes.
    #[getter]
    fn classes(&self) -> PyResult<usize> {
        library::classes(self.network()?).map_err(failed)
    }

    /// Runs a filter on the pictures of each input, all of the same shape; returns those of each output. One die sees all
    /// pictures, one after the other.
    #[pyo3(signature = (inputs, model, seed, read_out, progress=None))]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<PyReadonlyArray3<'py, f32>>,
        model: &str,
        seed: u64,
        read_out: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyArray3<f32>>>> {
        let (plan, errors) = (self.kernel()?, self.source.errors(model).map_err(failed)?);
        let shape = inputs.first().map_or((0, 0, 0), |first| first.as_array().dim());
        let planes = inputs.iter().map(|input| Ok(input.as_slice()?)).collect::<PyResult<Vec<&[f32]>>>()?;
        let outputs = supervised::run(py, progress, |interrupt, progress| {
            simulate(plan, (errors, seed), &planes, shape, read_out, (interrupt, progress))
        })?;
        let array = |values| Array3::from_shape_vec(shape, values).map_err(|error| failed(error.to_string()));
        let outputs = outputs.map_err(|error| failed(error.to_string()))?;
        outputs.into_iter().map(|values| Ok(array(values)?.into_pyarray(py))).collect()
    }

    /// The classes of pictures, those in floating point, and whether all numbers are as in floating point.
    #[expect(clippy::type_complexity, reason = "three arrays")]
    #[pyo3(signature = (pictures, model, seed, progress=None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        pictures: PyReadonlyArray3<'py, u8>,
        model: &str,
        seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray1<usize>>, Bound<'py, PyArray1<usize>>, Bound<'py, PyArray1<bool>>)> {
        let (network, errors) = (self.network()?, self.source.errors(model).map_err(failed)?);
        let (count, bytes) = (pictures.as_array().dim().0, pictures.as_slice()?);
        let answers = supervised::run(py, progress, |interrupt, progress| {
            let mut tell = |done| told(progress, done, count);
            library::evaluate(network, (errors, seed), bytes, interrupt, &mut tell)
        })?;
        let library::Answers { classes, float_classes, same } = answers.map_err(failed)?;
        Ok((classes.into_pyarray(py), float_classes.into_pyarray(py), same.into_pyarray(py)))
    }

    /// The numbers of each head for pictures.
    #[pyo3(signature = (pictures, model, seed, progress=None))]
    fn heads<'py>(
        &self,
        py: Python<'py>,
        pictures: PyReadonlyArray3<'py, u8>,
        model: &str,
        seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Head<'py>>> {
        let (network, errors) = (self.network()?, self.source.errors(model).map_err(failed)?);
        let (count, bytes) = (pictures.as_array().dim().0, pictures.as_slice()?);
        let heads = supervised::run(py, progress, |interrupt, progress| {
            let mut tell = |done| told(progress, done, count);
            library::heads(network, (errors, seed), bytes, interrupt, &mut tell)
        })?;
        let head = |library::Head { name, sizes, numbers }: library::Head| {
            let sizes: Vec<usize> = std::iter::once(count).chain(sizes).collect();
            Ok((name, PyArray1::from_vec(py, numbers).reshape(sizes.as_slice())?))
        };
        heads.map_err(failed)?.into_iter().map(head).collect()
    }

    /// For each layer its name and its values for pictures: in floating point, on an ideal array, and with errors.
    #[pyo3(signature = (pictures, model, seed, progress=None))]
    fn trace<'py>(
        &self,
        py: Python<'py>,
        pictures: PyReadonlyArray3<'py, u8>,
        model: &str,
        seed: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Layer<'py>>> {
        let (network, errors) = (self.network()?, self.source.errors(model).map_err(failed)?);
        let (count, bytes) = (pictures.as_array().dim().0, pictures.as_slice()?);
        let layers = supervised::run(py, progress, |interrupt, progress| {
            let mut tell = |done| told(progress, done, count);
            library::trace(network, (errors, seed), bytes, interrupt, &mut tell)
        })?;
        let layer = |Traced { name, sizes, float, ideal, measured }: Traced| {
            let sizes: Vec<usize> = std::iter::once(count).chain(sizes).collect();
            let array = |values: Vec<f64>| PyArray1::from_vec(py, values).reshape(sizes.as_slice());
            Ok((name, array(float)?, ideal.map(array).transpose()?, measured.map(array).transpose()?))
        };
        layers.map_err(failed)?.into_iter().map(layer).collect()
    }
}

impl Compiled {
    fn kernel(&self) -> PyResult<&Plan> {
        match &self.of.program {
            Program::Kernel(plan) => Ok(plan),
            _ => Err(self.refusal("only filters on analogue registers are simulated on planes")),
        }
    }

    fn network(&self) -> PyResult<&CompiledNetwork> {
        match &self.of.program {
            Program::Network(network) => Ok(network),
            _ => Err(self.refusal("only networks are evaluated")),
        }
    }

    fn refusal(&self, what: &str) -> PyErr {
        failed(format!("{what}; `{}` is a {}", self.source.name(), self.source.what()))
    }
}

/// Tells how many pictures are done.
fn told(progress: &Progress, done: usize, count: usize) {
    let number = |count| u64::try_from(count).unwrap_or(u64::MAX);
    progress.tell(number(done), Some(number(count)));
}

/// The PEs of an array on which a word takes long.
const LARGE: usize = 1 << 21;

/// Runs a filter on `shape.0` pictures of each input.
fn simulate(
    plan: &Plan,
    (errors, seed): (ErrorModel, u64),
    inputs: &[&[f32]],
    (count, height, width): (usize, usize, usize),
    read_out: bool,
    (interrupt, progress): (&Interrupt, &Progress),
) -> Result<Vec<Vec<f32>>, SimError> {
    let declaration = plan.declaration();
    let area = height * width;
    let mut array = Array::new(width, height).machine(declaration.machine).errors(errors).seed(seed);
    let mut outputs = vec![Vec::with_capacity(count * area); declaration.outputs.len()];
    for picture in 0..count {
        if interrupt.is_pressed() {
            break;
        }
        for (input, planes) in declaration.inputs.iter().zip(inputs) {
            let plane = planes.get(picture * area..(picture + 1) * area).unwrap_or_default();
            array.load_reg(input.reg, plane)?;
        }
        // Word by word on a large array, which takes long, so that an interrupt is noticed.
        let at_once = if area > LARGE { 1 } else { plan.listing().len().max(1) };
        for words in plan.listing().chunks(at_once) {
            if interrupt.is_pressed() {
                break;
            }
            array.execute_all(words)?;
        }
        for (output, values) in declaration.outputs.iter().zip(&mut outputs) {
            if read_out {
                values.extend(array.convert(output.reg)?);
            } else {
                values.extend_from_slice(array.read_reg(output.reg)?);
            }
        }
        told(progress, picture + 1, count);
    }
    Ok(outputs)
}
