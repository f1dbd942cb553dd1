//! The arrays that a program runs on.

use std::path::Path;

use cain_codegen::printable::Printable;
use cain_isa::{ErrorModel, HostController as _, Machine, Reg, Store};
use cain_runtime::io::Size;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::{Meter, Timing};

use super::args::{Model, Run};
use super::frames::Frame;
use super::planes::{Look, RegisterPicture};
use super::program::Program;
use super::report::{Report, Row};
use super::text::{self, Statement};

/// An array, and an array without errors that does the same.
pub(super) struct Arrays {
    pub(super) scamp: Meter<Array>,
    ideal: Option<Array>,
}

impl Arrays {
    pub(super) fn new(args: &Run, program: &Program) -> Result<Self, String> {
        let Program { machine, errors, inputs, .. } = program;
        let array = |model| array(args, *machine, inputs, model);
        let timing = Timing { words: machine.times, ..Timing::SCAMP5 };
        Ok(Self {
            scamp: Meter::new(array(args.model.errors(*errors))?).timing(timing),
            ideal: (args.model != Model::Ideal).then(|| array(ErrorModel::ideal())).transpose()?,
        })
    }

    /// Runs the program on a frame. Registers without a picture keep what they hold, as on the chip.
    pub(super) fn run(
        &mut self,
        args: &Run,
        program: &Program,
        frame: &Frame,
        watch: &mut impl FnMut(&Array) -> Result<(), String>,
    ) -> Result<(), String> {
        let Self { scamp, ideal } = self;
        for array in [Some(scamp.controller_mut()), ideal.as_mut()].into_iter().flatten() {
            prepare(array, args, frame).map_err(|error| error.to_string())?;
        }
        for block in program.code.blocks() {
            scamp.program(&name(block), |scamp| {
                block.iter().try_for_each(|statement| {
                    let beside = ideal.as_mut().map_or(Ok(()), |ideal| ideal.execute(statement.instruction));
                    let done = scamp.execute(statement.instruction).and(beside);
                    done.map_err(|error| complaint(&program.file, statement, &error))?;
                    watch(scamp.controller())
                })
            })?;
        }
        scamp.end_frame();
        Ok(())
    }

    pub(super) fn planes(&self, look: &mut Look) -> Vec<RegisterPicture> {
        look.planes(self.scamp.controller(), self.ideal.as_ref())
    }

    /// The report of a run on these pictures, some of which have names.
    pub(super) fn report(&self, program: &Program, pictures: Vec<Option<String>>, planes: Vec<Row>) -> Report {
        let code = &program.code;
        Report { macros: code.macros(), icws: code.icws(), costs: self.scamp.report(), pictures, planes }
    }
}

/// The name of a kernel block in the table of costs.
fn name(block: &[Statement]) -> String {
    match block.first().map_or(0, |statement| statement.block) {
        0 => "program".to_owned(),
        number => format!("kernel {number}"),
    }
}

/// The message that an instruction cannot be executed, and what to do about it.
fn complaint(file: &Path, statement: &Statement, error: &SimError) -> String {
    let problem = match error {
        SimError::NoDiffusion => "how far `blur` spreads is not published; choose it with --diffusion 0.25".to_owned(),
        SimError::NoSquarer => "the scale of `sq` is not published; choose it with --square 0.0078125".to_owned(),
        SimError::Unwritten(Store::In) => "the level of `IN` is not set; choose it with --in 20".to_owned(),
        error => error.to_string(),
    };
    format!("{}:{}: {problem}", Printable(file.display()), statement.at)
}

/// An array with the errors of a model.
fn array(args: &Run, machine: Machine, inputs: &[Reg], model: ErrorModel) -> Result<Array, String> {
    let Size { width, height } = args.size;
    if let Some(input) = inputs.iter().find(|input| !machine.registers.contains(**input)) {
        let option = if args.input == Some(*input) { "--input" } else { "--image" };
        return Err(format!("{option}: {}", text::refusal(&machine, *input)));
    }
    let mut array = Array::new(width, height).machine(machine).errors(model).seed(args.seed);
    if let Some(share) = args.diffusion {
        array = array.diffusion(share);
    }
    if let Some(scale) = args.square {
        array = array.squarer(scale);
    }
    Ok(array)
}

/// Loads the input registers, the photo-sensors and `IN`.
fn prepare(array: &mut Array, args: &Run, frame: &Frame) -> Result<(), SimError> {
    frame.planes().try_for_each(|(input, image)| array.load_reg(input, &image.to_dn()))?;
    if let Some(image) = frame.scene() {
        array.expose(&image.to_light())?;
    }
    args.level.map_or(Ok(()), |level| array.set_in(level.into()))
}
