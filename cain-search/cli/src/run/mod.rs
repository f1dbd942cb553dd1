//! `cain run`.

mod args;
mod planes;
mod program;
mod report;
pub(crate) mod text;

use std::fs;
use std::io;
use std::path::Path;

use cain_codegen::printable::Printable;
use cain_isa::{ErrorModel, HostController as _, Machine, Reg, Store};
use cain_runtime::io::Size;
use cain_runtime::pictures::{Animation, Image, Picture};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::{Meter, Timing};

pub(crate) use args::{Model, Run};

use crate::files::{check_folder, write};
use crate::watch::Interrupt;
use planes::{RegisterPicture, planes};
use program::{Program, program};
use report::Report;
use text::Statement;

/// Planes in a row of the animation: six registers make two rows.
const COLUMNS: usize = 3;
/// The most pixels of all pictures of an animation: several hundred steps of the default array.
const MOST_PIXELS: usize = 1 << 28;
/// How long the animation shows each instruction.
const MILLISECONDS: u16 = 500;

/// Whether the program ran and its planes are written; fails if the standard output cannot be written.
pub(crate) fn run(args: &Run, interrupt: &Interrupt) -> io::Result<bool> {
    match done(args, interrupt) {
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
    let program = program(args, interrupt)?;
    carry_out(args, &program).map_err(|problem| vec![problem])
}

fn carry_out(args: &Run, program: &Program) -> Result<Report, String> {
    let Program { code: program, file, machine, errors, inputs } = program;
    if args.steps {
        check_pixels(program.statements.len(), 1, args)?;
    }
    let image = image(args)?;
    let array = |model| array(args, *machine, inputs, &image, model);
    let mut scamp = Meter::new(array(args.model.errors(*errors))?).timing(Timing::SCAMP5.of_words(&machine.times));
    let mut ideal = (args.model != Model::Ideal).then(|| array(ErrorModel::ideal())).transpose()?;
    let mut seen = Vec::new();
    for block in program.blocks() {
        scamp.program(&name(block), |scamp| {
            block.iter().try_for_each(|statement| {
                let beside = ideal.as_mut().map_or(Ok(()), |ideal| ideal.execute(statement.instruction));
                let done = scamp.execute(statement.instruction).and(beside);
                done.map_err(|error| complaint(file, statement, &error))?;
                if args.steps {
                    let planes = planes(scamp.controller(), None, args.signed);
                    check_pixels(program.statements.len(), planes.len(), args)?;
                    seen.push(planes);
                }
                Ok::<_, String>(())
            })
        })?;
    }
    scamp.end_frame();
    let planes = planes(scamp.controller(), ideal.as_ref(), args.signed);
    let mut files = Vec::new();
    for plane in &planes {
        files.push((format!("{}.png", plane.name), plane.picture.png()));
    }
    if args.steps {
        files.push(("steps.png".to_owned(), animation(scamp.controller(), seen, &planes).png()));
    }
    write_all(&args.output, files)?;
    Ok(Report { macros: program.macros(), icws: program.icws(), costs: scamp.report(), planes })
}

/// The name of a kernel block in the table of costs.
fn name(block: &[Statement]) -> String {
    match block.first().map_or(0, |statement| statement.block) {
        0 => "program".to_owned(),
        number => format!("kernel {number}"),
    }
}

/// Why an instruction cannot be executed, and what to do about it.
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

/// The picture, as large as the array.
fn image(args: &Run) -> Result<Image, String> {
    let Size { width, height } = args.size;
    match &args.image {
        Some(path) => Image::open(path, width, height).map_err(|error| error.to_string()),
        None => Ok(Image::example(width, height)),
    }
}

/// An array that sees the picture and has it in the input registers.
fn array(args: &Run, machine: Machine, inputs: &[Reg], image: &Image, model: ErrorModel) -> Result<Array, String> {
    let Size { width, height } = args.size;
    if let Some(input) = inputs.iter().find(|input| !machine.registers.contains(**input)) {
        return Err(format!("--input: {}", text::refusal(&machine, *input)));
    }
    let mut array = Array::new(width, height).machine(machine).errors(model).seed(args.seed);
    if let Some(share) = args.diffusion {
        array = array.diffusion(share);
    }
    if let Some(scale) = args.square {
        array = array.squarer(scale);
    }
    prepare(&mut array, args, inputs, image).map(|()| array).map_err(|error| error.to_string())
}

/// Loads the input registers, the photo-sensors and `IN`.
fn prepare(array: &mut Array, args: &Run, inputs: &[Reg], image: &Image) -> Result<(), SimError> {
    inputs.iter().try_for_each(|input| array.load_reg(*input, &image.to_dn()))?;
    array.expose(&image.to_light())?;
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
