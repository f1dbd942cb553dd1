//! The report of a run.

use std::io::{self, Write as _};
use std::path::Path;

use cain_codegen::printable::Printable;
use cain_runtime::trace;

use super::planes::RegisterPicture;
use crate::table::Table;

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
        let titles = ["plane", "least", "mean", "largest", "colours from"];
        let names = self.planes.iter().map(|plane| plane.name.as_str());
        let table = Table::new(&titles, names, 9);
        table.head(&mut out)?;
        for RegisterPicture { name, range, values, .. } in &self.planes {
            let [least, mean, largest] = values.map(|value| format!("{value:.2}"));
            table.row(&mut out, &[name, &least, &mean, &largest, range])?;
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

/// `1 plane`, `2 planes`.
fn counted(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}
