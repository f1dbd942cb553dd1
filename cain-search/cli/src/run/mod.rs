//! `cain run`.

mod args;
mod planes;
mod text;

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use cain_isa::HostController as _;
use cain_runtime::pictures::{Animation, Image, Picture};
use cain_runtime::sim::Array;
use cain_runtime::trace::Counter;

pub(crate) use args::Run;

use crate::table::Table;
use crate::written::write;
use planes::{Plane, planes};
use text::Step;

/// PEs along each side.
const SIDE: usize = 256;
/// Planes beside each other in the animation: with six registers, two rows.
const COLUMNS: usize = 3;
/// How long the animation shows an instruction.
const MILLISECONDS: u16 = 500;

/// Whether the program ran and its planes are written; fails if the standard output cannot be written.
pub(crate) fn run(args: &Run) -> io::Result<bool> {
    match done(args) {
        Ok(report) => report.print(&args.output).map(|()| true),
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            Ok(false)
        }
    }
}

/// What there is to tell about a run.
struct Report {
    macros: u64,
    icws: u64,
    microseconds: f64,
    planes: Vec<Plane>,
}

fn done(args: &Run) -> Result<Report, Vec<String>> {
    let file = args.file.display();
    let text = fs::read_to_string(&args.file).map_err(|error| vec![format!("{file}: cannot be read: {error}")])?;
    let steps = text::parse(&text)
        .map_err(|mistakes| mistakes.iter().map(|mistake| format!("{file}:{mistake}")).collect::<Vec<_>>())?;
    carry_out(args, &steps).map_err(|problem| vec![problem])
}

fn carry_out(args: &Run, steps: &[Step]) -> Result<Report, String> {
    let mut scamp = Counter::new(array(args)?);
    let mut seen = Vec::new();
    for step in steps {
        let wrong = |error| format!("{}:{}: {error}", args.file.display(), step.at);
        scamp.execute(step.instruction).map_err(wrong)?;
        if args.steps {
            seen.push(planes(scamp.controller(), args.signed));
        }
    }
    let planes = planes(scamp.controller(), args.signed);
    let mut files = Vec::new();
    for plane in &planes {
        files.push((format!("{}.png", plane.name), plane.picture.png()));
    }
    if args.steps {
        files.push(("steps.png".to_owned(), animation(&seen, &planes).png()));
    }
    write_all(&args.output, files)?;
    Ok(Report { macros: scamp.macros(), icws: scamp.icws(), microseconds: scamp.microseconds(), planes })
}

/// All planes after every instruction; those of the end have a place from the start.
fn animation(steps: &[Vec<Plane>], end: &[Plane]) -> Animation {
    let blank = Picture::of_bits(&vec![false; SIDE * SIDE], SIDE);
    let mut animation = Animation::new(MILLISECONDS);
    for planes in steps {
        let place = |name: &str| planes.iter().find(|plane| plane.name == name).map_or(&blank, |plane| &plane.picture);
        let pictures: Vec<_> = end.iter().map(|plane| place(&plane.name).clone()).collect();
        animation.push(Picture::sheet(&pictures, COLUMNS));
    }
    animation
}

/// An array that looks at the picture, and has it in the register wanted.
fn array(args: &Run) -> Result<Array, String> {
    let image = match &args.image {
        Some(path) => Image::open(path, SIDE, SIDE).map_err(|error| error.to_string())?,
        None => Image::example(SIDE, SIDE),
    };
    let mut array = Array::new(SIDE, SIDE).errors(args.model.errors()).seed(args.seed);
    let loaded = array.load_reg(args.input, &image.to_dn()).and_then(|()| array.expose(&image.to_light()));
    loaded.map(|()| array).map_err(|error| error.to_string())
}

/// Writes files into a folder, which is made if need be.
fn write_all<E: ToString>(folder: &Path, files: Vec<(String, Result<Vec<u8>, E>)>) -> Result<(), String> {
    let encoded: Result<Vec<_>, String> = files
        .into_iter()
        .map(|(name, bytes)| bytes.map(|bytes| (name, bytes)).map_err(|error| error.to_string()))
        .collect();
    let encoded = encoded?;
    fs::create_dir_all(folder).map_err(|error| format!("{}: cannot be made: {error}", folder.display()))?;
    encoded.into_iter().try_for_each(|(name, bytes)| write(&folder.join(name), bytes))
}

impl Report {
    fn print(&self, folder: &Path) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let titles = ["plane", "least", "mean", "largest", "colours from"];
        let names = self.planes.iter().map(|plane| plane.name.as_str());
        let table = Table::new(&titles, names, 9);
        table.head(&mut out)?;
        for Plane { name, range, values, .. } in &self.planes {
            let [least, mean, largest] = values.map(|value| format!("{value:.2}"));
            table.row(&mut out, &[name, &least, &mean, &largest, range])?;
        }
        let Self { macros, icws, microseconds, planes } = self;
        writeln!(
            out,
            "{macros} macro instructions, {icws} control words, about {microseconds:.2} µs on the chip; {} planes in `{}`",
            planes.len(),
            folder.display()
        )
    }
}
