//! The report of a run.

use std::io::{self, Write as _};
use std::path::Path;

use cain_codegen::printable::Printable;
use cain_runtime::pictures::Deviation;
use cain_runtime::trace;

use super::figures::Figures;
use crate::table::{Table, or_dash};

pub(crate) struct Report {
    /// The number of macro instructions in the text.
    pub(crate) macros: usize,
    /// The number of control words that the text expands to.
    pub(crate) icws: usize,
    pub(crate) costs: trace::Report,
    /// On how many pictures it ran.
    pub(crate) frames: usize,
    pub(crate) planes: Vec<Row>,
}

/// A line of the table: a register.
pub(crate) struct Row {
    pub(crate) name: String,
    /// The values of the darkest and the lightest colour.
    pub(crate) range: String,
    pub(crate) figures: Figures,
    /// The values of the last colours of errors, if they are shown.
    pub(crate) errors: Option<String>,
}

impl Report {
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
        let longest = |range: fn(&Row) -> usize| self.planes.iter().map(range).max().unwrap_or_default();
        let table = Table::new(titles, names, 9)
            .widened(4, longest(|plane| plane.range.len()))
            .widened(8, longest(|plane| plane.errors.as_ref().map_or(0, String::len)));
        table.head(&mut out)?;
        for Row { name, range, figures, errors } in &self.planes {
            let [least, mean, largest] =
                [figures.least, figures.mean, figures.largest].map(|value| format!("{value:.2}"));
            let mut cells = vec![name.clone(), least, mean, largest, range.clone()];
            if is_compared {
                cells.extend(compared(figures.deviation));
            }
            if shows_errors {
                cells.push(or_dash(errors.as_ref()));
            }
            table.row(&mut out, &cells)?;
        }
        if is_compared {
            writeln!(
                out,
                "\nrms, bias and contrast: against the same program on an ideal array with the same picture, in DN; a \
                 contrast of 100 % is all of it"
            )?;
        }
        if self.frames > 1 {
            writeln!(
                out,
                "\nover {} pictures; bias and contrast are means of them, and the colours those of the first",
                self.frames
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

/// Root mean square, bias and contrast, or dashes.
fn compared(deviation: Option<Deviation>) -> [String; 3] {
    let contrast = deviation.and_then(|deviation| deviation.contrast);
    [
        or_dash(deviation.map(|deviation| format!("{:.2}", deviation.rms))),
        or_dash(deviation.map(|deviation| format!("{:+.2}", deviation.bias))),
        or_dash(contrast.map(|contrast| format!("{:.1} %", 100.0 * contrast))),
    ]
}

/// `1 plane`, `2 planes`.
fn counted(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}
