//! Runs a program on many pictures, one after the other.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cain_codegen::draft::DraftFolder;
use cain_codegen::printable::Printable;
use cain_runtime::io::Size;
use cain_runtime::pictures::{Animation, Deviation, Picture};

use super::args::Run;
use super::arrays::Arrays;
use super::figures::Figures;
use super::frames::Frames;
use super::planes::{Look, RegisterPicture, compared_name};
use super::program::Program;
use super::report::{Report, Row};
use crate::files::{existing_above, write, write_encoded};
use crate::progress::Line;
use crate::watch::Interrupt;

/// The most pixels, of three bytes each, in all pictures of the animations that a run makes.
const MOST_PIXELS: usize = 1 << 27;
/// The time after which a run shows its progress.
const SILENT: Duration = Duration::from_secs(2);
/// The table of every plane after every picture.
const TABLE: &str = "figures.csv";

/// Runs on the pictures of a folder: writes a folder for each plane, with a picture of the same name for each input
/// picture.
pub(super) fn folder(
    args: &Run,
    program: &Program,
    frames: &Frames,
    names: &[String],
    interrupt: &Interrupt,
) -> Result<Report, String> {
    // The temporary folder is next to its final place, from where moving the files costs nothing.
    let above = existing_above(args.folder());
    let unwritable = |error| format!("{}: cannot be written to: {error}", Printable(args.folder().display()));
    let complete = DraftFolder::new(above).map_err(unwritable)?;
    let save = |number: usize, name: &str, picture: &Picture| {
        let folder = complete.path().join(name);
        fs::create_dir_all(&folder).map_err(unwritable)?;
        let file = names.get(number).map_or("", String::as_str);
        write(&folder.join(format!("{file}.png")), picture.png().map_err(|error| error.to_string())?)
    };
    let (arrays, table) = each(args, program, frames, interrupt, |number, planes| {
        for plane in planes {
            save(number, &plane.name, &plane.picture)?;
            if let Some(compared) = &plane.compared {
                save(number, &compared_name(&plane.name), &compared.picture)?;
            }
        }
        Ok(())
    })?;
    write(&complete.path().join(TABLE), table.csv(names))?;
    move_all(complete.path(), args.folder()).map_err(unwritable)?;
    Ok(arrays.report(program, names.iter().cloned().map(Some).collect(), table.rows()))
}

/// Moves the contents of a folder into another one, replacing files with the same names.
fn move_all(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            move_all(&entry.path(), &target)?;
        } else {
            fs::rename(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Runs on the pictures of an animation: writes an animation of each plane, with the same times.
pub(super) fn animation(
    args: &Run,
    program: &Program,
    frames: &Frames,
    milliseconds: &[u16],
    interrupt: &Interrupt,
) -> Result<Report, String> {
    let mut animations: BTreeMap<String, Animation> = BTreeMap::new();
    let mut pixels = 0;
    let (arrays, table) = each(args, program, frames, interrupt, |number, planes| {
        let time = milliseconds.get(number).copied().unwrap_or_default();
        let compared =
            planes.iter().filter_map(|plane| Some((compared_name(&plane.name), &plane.compared.as_ref()?.picture)));
        for (name, picture) in planes.iter().map(|plane| (plane.name.clone(), &plane.picture)).chain(compared) {
            pixels += picture.colours().len();
            if pixels > MOST_PIXELS {
                let Size { width, height } = args.size;
                return Err(format!(
                    "the animations of {} pictures on {width}×{height} PEs have more than {MOST_PIXELS} pixels; choose a \
                     smaller array with --size, or give the pictures as numbered files in a folder",
                    frames.count()
                ));
            }
            animations.entry(name).or_insert_with(|| Animation::new(0)).push_for(picture.clone(), time);
        }
        Ok(())
    })?;
    let names: Vec<String> = (1..=frames.count()).map(|number| number.to_string()).collect();
    let files = animations
        .into_iter()
        .map(|(name, animation)| (format!("{name}.png"), animation.png().map_err(|error| error.to_string())));
    write_encoded(args.folder(), files.chain([(TABLE.to_owned(), Ok(table.csv(&names).into_bytes()))]).collect())?;
    Ok(arrays.report(program, vec![None; frames.count()], table.rows()))
}

/// Runs the program on every frame, on the same array.
fn each(
    args: &Run,
    program: &Program,
    frames: &Frames,
    interrupt: &Interrupt,
    mut done: impl FnMut(usize, &[RegisterPicture]) -> Result<(), String>,
) -> Result<(Arrays, Table), String> {
    interrupt.listen();
    let mut arrays = Arrays::new(args, program)?;
    let mut look = Look::new(args.signed, args.compare, program.border);
    let mut table = Table::default();
    let progress = Progress::new(frames.count());
    for number in 0..frames.count() {
        if interrupt.is_pressed() {
            return Err(format!("ended by Ctrl-C after {number} of {} pictures; nothing is written", frames.count()));
        }
        arrays.run(args, program, &frames.frame(number)?, &mut |_| Ok(()))?;
        let planes = arrays.planes(&mut look);
        done(number, &planes)?;
        table.add(planes);
        progress.show(number + 1);
    }
    Ok((arrays, table))
}

/// A progress line on the standard error, if that is a terminal, for runs that take long.
struct Progress {
    start: Instant,
    line: Line,
    count: usize,
}

impl Progress {
    fn new(count: usize) -> Self {
        Self { start: Instant::now(), line: Line::new(count as u64, "pictures"), count }
    }

    fn show(&self, done: usize) {
        if self.start.elapsed() >= SILENT {
            let rest = self.count.saturating_sub(done) as u64 * self.start.elapsed().as_secs();
            self.line.message(format!("{} s left", rest.div_ceil(done.max(1) as u64)));
            self.line.set(done as u64);
        }
    }
}

/// The figures of every plane, frame by frame.
#[derive(Default)]
struct Table(Vec<Row>);

impl Table {
    fn add(&mut self, planes: Vec<RegisterPicture>) {
        for plane in planes {
            match self.0.iter_mut().find(|row| row.name == plane.name) {
                Some(row) => row.frames.push(plane.figures),
                None => self.0.push(Row::of(&plane)),
            }
        }
    }

    /// The planes, with their figures over all frames.
    fn rows(self) -> Vec<Row> {
        let over = |row: Row| Row { figures: Figures::over(&row.frames).unwrap_or(row.figures), ..row };
        self.0.into_iter().map(over).collect()
    }

    /// All figures as CSV; `names` are those of the pictures.
    fn csv(&self, names: &[String]) -> String {
        let mut text = "picture,plane,least,mean,largest,rms,bias,contrast\n".to_owned();
        for row in &self.0 {
            for (name, Figures { least, mean, largest, deviation }) in names.iter().zip(&row.frames) {
                // Only commas, quotes and line breaks have a special meaning there.
                let name = name.replace('"', "\"\"");
                let rest = deviation.map_or_else(
                    || ",,".to_owned(),
                    |Deviation { rms, bias, contrast }| {
                        let contrast = contrast.map(|contrast| format!("{contrast:.4}")).unwrap_or_default();
                        format!("{rms:.3},{bias:.3},{contrast}")
                    },
                );
                // Writing to a string does not fail.
                let _ = writeln!(text, "\"{name}\",{},{least:.2},{mean:.2},{largest:.2},{rest}", row.name);
            }
        }
        text
    }
}
