//! `cain run`.

mod args;
mod figures;
mod frames;
mod planes;
mod program;
mod report;
mod sequence;
mod sources;
pub(crate) mod text;

use std::fs;
use std::io;
use std::path::Path;

use cain_codegen::printable::Printable;
use cain_isa::{ErrorModel, HostController as _, Machine, Reg, Store};
use cain_runtime::io::Size;
use cain_runtime::pictures::{Animation, Picture};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::{Meter, Timing};

pub(crate) use args::{Model, Run};

use crate::files::{check_folder, write};
use crate::watch::Interrupt;
use frames::{Frame, Frames, Kind};
use planes::{Look, RegisterPicture};
use program::{Program, program};
use report::{Report, Row};
use text::Statement;

/// The number of planes in a row of the animation: six registers make two rows.
const COLUMNS: usize = 3;
/// The most pixels in all pictures of an animation together: several hundred steps of the default array.
const MOST_PIXELS: usize = 1 << 28;
/// The time for which the animation shows each instruction.
const MILLISECONDS: u16 = 500;

/// Runs the command; returns whether the program ran and its planes were written, or fails if the standard output
/// cannot be written.
pub(crate) fn run(args: &Run, interrupt: &Interrupt) -> io::Result<bool> {
    match done(args, interrupt) {
        Ok(report) if args.json => report.print_objects().map(|()| true),
        Ok(report) => report.print(&args.output).map(|()| true),
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            Ok(false)
        }
    }
}

fn done(args: &Run, interrupt: &Interrupt) -> Result<Report, Vec<String>> {
    check_folder(&args.output).map_err(|problem| vec![problem])?;
    if args.compare && args.model == Model::Ideal {
        let problem = "--compare: an ideal array has no errors; choose a model with errors, such as `--model measured`";
        return Err(vec![problem.to_owned()]);
    }
    let program = program(args, interrupt)?;
    carry_out(args, &program, interrupt).map_err(|problem| vec![problem])
}

fn carry_out(args: &Run, program: &Program, interrupt: &Interrupt) -> Result<Report, String> {
    frames::check(&args.images, &program.inputs)?;
    if args.steps {
        check_pixels(program.code.statements.len(), 1, args)?;
    }
    let frames = Frames::open(args, &program.inputs)?;
    match frames.kind() {
        Kind::Single => single(args, program, &frames.frame(0)?),
        Kind::Folder(_) | Kind::Animation(_) if args.steps => {
            Err("--steps shows what one picture becomes; give one with --image".to_owned())
        }
        Kind::Folder(names) => sequence::folder(args, program, &frames, &names, interrupt),
        Kind::Animation(milliseconds) => sequence::animation(args, program, &frames, &milliseconds, interrupt),
    }
}

/// Runs on one picture.
fn single(args: &Run, program: &Program, frame: &Frame) -> Result<Report, String> {
    let mut arrays = Arrays::new(args, program)?;
    let mut look = Look::new(args.signed, args.compare);
    let mut seen = Vec::new();
    let mut watch = |array: &Array| {
        if args.steps {
            let planes = Look::new(args.signed, false).planes(array, None);
            check_pixels(program.code.statements.len(), planes.len(), args)?;
            seen.push(planes);
        }
        Ok(())
    };
    arrays.run(args, program, frame, &mut watch)?;
    let planes = arrays.planes(&mut look);
    let mut files = Vec::new();
    for plane in &planes {
        files.push((format!("{}.png", plane.name), plane.picture.png()));
        let compared = plane.compared.as_ref();
        files.extend(compared.map(|compared| (format!("{}.png", compared_name(&plane.name)), compared.picture.png())));
    }
    if args.steps {
        files.push(("steps.png".to_owned(), animation(arrays.scamp.controller(), seen, &planes).png()));
    }
    write_all(&args.output, files)?;
    Ok(arrays.report(program, vec![None], planes.into_iter().map(|plane| Row::of(&plane)).collect()))
}

/// The name of the file with the comparison of a plane.
fn compared_name(plane: &str) -> String {
    format!("{plane}-compared")
}

/// An array, and an array without errors that does the same.
struct Arrays {
    scamp: Meter<Array>,
    ideal: Option<Array>,
}

impl Arrays {
    fn new(args: &Run, program: &Program) -> Result<Self, String> {
        let Program { machine, errors, inputs, .. } = program;
        let array = |model| array(args, *machine, inputs, model);
        let timing = Timing { words: machine.times, ..Timing::SCAMP5 };
        Ok(Self {
            scamp: Meter::new(array(args.model.errors(*errors))?).timing(timing),
            ideal: (args.model != Model::Ideal).then(|| array(ErrorModel::ideal())).transpose()?,
        })
    }

    /// Runs the program on a frame. Registers without a picture keep what they hold, as on the chip.
    fn run(
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

    fn planes(&self, look: &mut Look) -> Vec<RegisterPicture> {
        look.planes(self.scamp.controller(), self.ideal.as_ref())
    }

    /// The report of a run on these pictures, some of which have names.
    fn report(&self, program: &Program, pictures: Vec<Option<String>>, planes: Vec<Row>) -> Report {
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

/// Fails if an animation with this number of steps and planes would be too large; the number of planes never falls.
fn check_pixels(steps: usize, planes: usize, args: &Run) -> Result<(), String> {
    let Size { width, height } = args.size;
    let pixels = [planes.next_multiple_of(COLUMNS), width, height].into_iter().fold(steps, usize::saturating_mul);
    if pixels <= MOST_PIXELS {
        return Ok(());
    }
    let file = Printable(args.file.display());
    Err(format!(
        "{file}: an animation of {steps} steps has {pixels} pixels, and {MOST_PIXELS} can be kept; choose a smaller array \
         with --size, or leave out --steps"
    ))
}

/// All planes after every instruction; a plane that is written later has an empty place until then.
fn animation(array: &Array, steps: Vec<Vec<RegisterPicture>>, end: &[RegisterPicture]) -> Animation {
    let blank = Picture::of_bits(&vec![false; array.width() * array.height()], array.width());
    let mut animation = Animation::new(MILLISECONDS);
    for planes in steps {
        let place = |name: &str| planes.iter().find(|plane| plane.name == name).map_or(&blank, |plane| &plane.picture);
        let pictures: Vec<_> = end.iter().map(|plane| place(&plane.name).clone()).collect();
        animation.push(Picture::sheet(&pictures, COLUMNS));
    }
    animation
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

/// Writes files into a folder, which is created if necessary.
fn write_all<E: ToString>(folder: &Path, files: Vec<(String, Result<Vec<u8>, E>)>) -> Result<(), String> {
    let encoded: Result<Vec<_>, String> = files
        .into_iter()
        .map(|(name, bytes)| bytes.map(|bytes| (name, bytes)).map_err(|error| error.to_string()))
        .collect();
    let encoded = encoded?;
    fs::create_dir_all(folder)
        .map_err(|error| format!("{}: cannot be created: {error}", Printable(folder.display())))?;
    encoded.into_iter().try_for_each(|(name, bytes)| write(&folder.join(name), bytes))
}
