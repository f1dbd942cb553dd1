//! The report of a run.

use std::io::{self, Write as _};
use std::path::Path;

use cain_codegen::printable::Printable;
use cain_runtime::pictures::Deviation;
use cain_runtime::trace;

use super::planes::RegisterPicture;
use crate::table::{Table, or_dash};

pub(crate) struct Report {
    /// The number of macro instructions in the text.
    pub(crate) macros: usize,
    /// The number of control words that the text expands to.
    pub(crate) icws: usize,
    pub(crate) costs: trace::Report,
    pub(crate) planes: Vec<RegisterPicture>,
}

impl Report {
    pub(crate) fn print(&self, folder: &Path) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let is_compared = self.planes.iter().any(|plane| plane.deviation.is_some());
        let titles = ["plane", "least", "mean", "largest", "colours from", "rms", "bias", "contrast"];
        let titles = if is_compared { &titles[..] } else { &titles[..5] };
        let names = self.planes.iter().map(|plane| plane.name.as_str());
        let table = Table::new(titles, names, 9);
        table.head(&mut out)?;
        for RegisterPicture { name, range, values, deviation, .. } in &self.planes {
            let [least, mean, largest] = values.map(|value| format!("{value:.2}"));
            let mut cells = vec![name.clone(), least, mean, largest, range.clone()];
            if is_compared {
                cells.extend(compared(*deviation));
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
