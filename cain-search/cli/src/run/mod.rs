//! `cain run`.

mod args;
mod arrays;
mod figures;
mod frames;
mod planes;
mod program;
mod report;
mod sequence;
mod settings;
mod sources;
pub(crate) mod text;
mod whole;

use std::io;

use cain_codegen::printable::Printable;
use cain_runtime::io::Size;
use cain_runtime::pictures::{Animation, Picture};
use cain_runtime::sim::Array;

pub(crate) use args::{Model, Run};

use crate::files::{check_folder, write_encoded};
use crate::watch::Interrupt;
use arrays::Arrays;
use frames::{Frame, Frames, Kind};
use planes::{Look, RegisterPicture, compared_name};
use program::{Chosen, Program, chosen};
use report::{Report, Row};
use whole::Whole;

/// The number of planes in a row of the animation: six registers make two rows.
const COLUMNS: usize = 3;
/// The most pixels in all pictures of an animation together: several hundred steps of the default array.
const MOST_PIXELS: usize = 1 << 28;
/// The time for which the animation shows each instruction.
const MILLISECONDS: u16 = 500;

/// Runs the command; returns whether the program ran and its planes were written, or fails if the standard output
/// cannot be written.
pub(crate) fn run(args: &Run, interrupt: &Interrupt) -> io::Result<bool> {
    let done = check(args).and_then(|()| chosen(args, interrupt)).and_then(|chosen| match chosen {
        Chosen::Whole(whole) => Ok(Done::Whole(whole)),
        Chosen::Text(program) => carry_out(args, &program, interrupt).map(Done::Text).map_err(|problem| vec![problem]),
    });
    match done {
        Ok(Done::Whole(whole)) => whole.run(args, interrupt),
        Ok(Done::Text(report)) if args.json => report.print_objects().map(|()| true),
        Ok(Done::Text(report)) => report.print(args.folder()).map(|()| true),
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            Ok(false)
        }
    }
}

/// What there is to tell, or still to run.
enum Done {
    Text(Report),
    Whole(Box<Whole>),
}

/// Fails if a run of a program text could not be told of, before any search.
fn check(args: &Run) -> Result<(), Vec<String>> {
    if args.frames.is_empty() {
        check_folder(args.folder()).map_err(|problem| vec![problem])?;
    }
    if args.compare && args.model == Model::Ideal {
        let problem = "--compare: an ideal array has no errors; choose a model with errors, such as `--model measured`";
        return Err(vec![problem.to_owned()]);
    }
    Ok(())
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
    let mut look = Look::new(args.signed, args.compare, program.border);
    let mut seen = Vec::new();
    let mut watch = |array: &Array| {
        if args.steps {
            let planes = Look::new(args.signed, false, program.border).planes(array, None);
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
    write_encoded(args.folder(), files)?;
    Ok(arrays.report(program, vec![None], planes.into_iter().map(|plane| Row::of(&plane)).collect()))
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
