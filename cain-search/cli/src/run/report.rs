//! The report of a run.

use std::io::{self, Write as _};
use std::path::Path;

use cain_codegen::printable::Printable;
use cain_runtime::pictures::Deviation;
use cain_runtime::trace;
use serde::Serialize;

use super::figures::Figures;
use super::planes::{Colours, RegisterPicture};
use crate::json::{as_map, print_object};
use crate::table::{Table, or_dash};

pub(crate) struct Report {
    /// The number of macro instructions in the text.
    pub(crate) macros: usize,
    /// The number of control words that the text expands to.
    pub(crate) icws: usize,
    pub(crate) costs: trace::Report,
    /// The names of the pictures that it ran on, if they are files of a folder.
    pub(crate) pictures: Vec<Option<String>>,
    pub(crate) planes: Vec<Row>,
}

/// A line of the table: a register.
pub(crate) struct Row {
    pub(crate) name: String,
    /// The values of the darkest and the lightest colour.
    pub(crate) range: Colours,
    pub(crate) figures: Figures,
    /// The values of the last colours of errors, if errors are shown.
    pub(crate) errors: Option<Colours>,
    /// The figures after each picture.
    pub(crate) frames: Vec<Figures>,
}

impl Row {
    /// A register after the first picture.
    pub(crate) fn of(plane: &RegisterPicture) -> Self {
        let RegisterPicture { name, range, figures, compared, .. } = plane;
        let errors = compared.as_ref().map(|compared| compared.range);
        Self { name: name.clone(), range: *range, figures: *figures, errors, frames: vec![*figures] }
    }
}

/// The results for one picture; as JSON, the keys are those of the fields.
#[derive(Serialize)]
struct FrameRecord<'a> {
    /// The number of the picture, from 0.
    frame: usize,
    /// The name of its file, if it is in a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<&'a str>,
    macros: usize,
    icws: usize,
    /// The time of the program in microseconds.
    us: f64,
    #[serde(serialize_with = "as_map")]
    planes: Vec<(&'a str, PlaneRecord)>,
}

/// The values of a register, in DN, and their deviation from those of an ideal array, if there is one to compare with.
#[derive(Serialize)]
struct PlaneRecord {
    least: f32,
    mean: f32,
    largest: f32,
    rms: Option<f64>,
    bias: Option<f64>,
    contrast: Option<f64>,
    /// The values of the darkest and the lightest colour.
    colours: [f32; 2],
    /// The values of the last colours of errors, if errors are shown.
    errors: Option<[f32; 2]>,
}

impl PlaneRecord {
    fn of(row: &Row, &Figures { least, mean, largest, deviation }: &Figures) -> Self {
        Self {
            least,
            mean,
            largest,
            rms: deviation.map(|deviation| deviation.rms),
            bias: deviation.map(|deviation| deviation.bias),
            contrast: deviation.and_then(|deviation| deviation.contrast),
            colours: row.range.ends(),
            errors: row.errors.map(Colours::ends),
        }
    }
}

impl Report {
    /// Prints an object for each picture.
    pub(crate) fn print_objects(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for (frame, picture) in self.pictures.iter().enumerate() {
            let planes = self.planes.iter().filter_map(|row| {
                let figures = row.frames.get(frame)?;
                Some((row.name.as_str(), PlaneRecord::of(row, figures)))
            });
            let record = FrameRecord {
                frame,
                picture: picture.as_deref(),
                macros: self.macros,
                icws: self.icws,
                us: self.costs.microseconds_per_frame(),
                planes: planes.collect(),
            };
            print_object(&mut out, &record)?;
        }
        Ok(())
    }

    pub(crate) fn print(&self, folder: &Path) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let is_compared = self.planes.iter().any(|plane| plane.figures.deviation.is_some());
        let shows_errors = self.planes.iter().any(|plane| plane.errors.is_some());
        let titles = ["plane", "least", "mean", "largest", "colours from", "rms", "bias", "contrast", "errors from"];
        let titles = match (is_compared, shows_errors) {
            (true, true) => &titles[..],
            (true, false) => &titles[..8],
            (false, _) => &titles[..5],
        };
        let names = self.planes.iter().map(|plane| plane.name.as_str());
        let longest = |colours: &mut dyn Iterator<Item = Colours>| {
            colours.map(|colours| colours.to_string().len()).max().unwrap_or_default()
        };
        let table = Table::new(titles, names, 9)
            .widened(4, longest(&mut self.planes.iter().map(|plane| plane.range)))
            .widened(8, longest(&mut self.planes.iter().filter_map(|plane| plane.errors)));
        table.head(&mut out)?;
        for Row { name, range, figures, errors, .. } in &self.planes {
            let [least, mean, largest] =
                [figures.least, figures.mean, figures.largest].map(|value| format!("{value:.2}"));
            let mut cells = vec![name.clone(), least, mean, largest, range.to_string()];
            if is_compared {
                cells.extend(compared(figures.deviation));
            }
            if shows_errors {
                cells.push(or_dash(*errors));
            }
            table.row(&mut out, &cells)?;
        }
        if is_compared {
            writeln!(
                out,
                "\nrms, bias and contrast: against the same program on an ideal array with the same picture, in DN, without \
                 the border where a filter is not defined; a contrast of 100 % is all of it"
            )?;
        }
        if self.pictures.len() > 1 {
            writeln!(
                out,
                "\nover {} pictures; bias and contrast are means of them, and the colours those of the first",
                self.pictures.len()
            )?;
        }
        if self.icws > 0 {
            writeln!(out, "\n{}\n", self.costs)?;
        }
        writeln!(
            out,
            "{}, {}, about {:.2} µs on the chip; {} in `{}`",
            counted(self.macros, "macro instruction"),
            counted(self.icws, "control word"),
            self.costs.microseconds_per_frame(),
            counted(self.planes.len(), "plane"),
            Printable(folder.display())
        )
    }
}

/// The root mean square, bias and contrast, or dashes.
fn compared(deviation: Option<Deviation>) -> [String; 3] {
    let contrast = deviation.and_then(|deviation| deviation.contrast);
    [
        or_dash(deviation.map(|deviation| format!("{:.2}", deviation.rms))),
        or_dash(deviation.map(|deviation| format!("{:+.2}", deviation.bias))),
        or_dash(contrast.map(|contrast| format!("{:.1} %", 100.0 * contrast))),
    ]
}

/// A count with a noun, such as `1 plane` or `2 planes`.
fn counted(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}
