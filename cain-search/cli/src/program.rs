//! Reports on programs of a controller.

use std::io::{self, Write};

use cain_isa::Dreg;
use cain_isa::program::owned::{Part, Program, Step, lines, shown};
use cain_search::switches::SwitchTable;
use serde::Serialize;

use crate::show::leaving::of_tables;

/// A program and its costs; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct ProgramRecord {
    pub(crate) name: String,
    pub(crate) isa: &'static str,
    /// The number of control words of a call.
    pub(crate) words: usize,
    /// The time of the words, and of scans of exact scores, in microseconds, without that of other read-outs.
    pub(crate) us: f64,
    /// The register of the picture.
    pub(crate) image: String,
    /// The contribution of a pixel of 1 to a sum, in DN, if weights are in the pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<i8>,
    /// Registers that are loaded before the first call, and must not be overwritten.
    pub(crate) reserved: Vec<String>,
    pub(crate) parts: Vec<PartRecord>,
    /// For each of those that may interrupt it, the longest that it has to wait, in control words.
    pub(crate) latency: Vec<u32>,
    /// A description of how it may be interrupted.
    #[serde(skip)]
    pub(crate) leaving: Vec<String>,
    /// Always true: nothing that is not proved is returned.
    pub(crate) verified: bool,
}

/// A part of a program.
#[derive(Debug, Serialize)]
pub(crate) struct PartRecord {
    pub(crate) name: String,
    pub(crate) words: usize,
    pub(crate) us: f64,
    /// The registers that hold its maps afterwards; empty for read-outs and networks in the pixels.
    pub(crate) registers: Vec<String>,
    /// The least and the largest value of the maps, in DN; `None` for read-outs and networks in the pixels.
    pub(crate) range: Option<[f64; 2]>,
    /// The listing of what the controller does, in the vendor's C spelling.
    pub(crate) listing: Vec<String>,
}

impl ProgramRecord {
    pub(crate) fn of(isa: &'static str, program: &Program, tables: &[SwitchTable]) -> Self {
        Self {
            name: program.name.clone(),
            isa,
            words: program.words(),
            us: microseconds(program.nanoseconds()),
            image: program.pictures.iter().map(|picture| picture.register.to_string()).collect(),
            level: None,
            reserved: program.preparation.iter().filter_map(loaded).map(|register| register.to_string()).collect(),
            parts: program.parts.iter().map(|part| PartRecord::of(part, program)).collect(),
            latency: tables.iter().map(SwitchTable::latency).collect(),
            leaving: of_tables(tables, &program.times),
            verified: true,
        }
    }

    /// The parts, each under its name.
    pub(crate) fn print_listing(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = format!("the picture is in {}", self.image);
        let parts = self.parts.iter().map(|part| (part.name.as_str(), part.listing.as_slice()));
        print_parts(out, &self.name, &head, &self.leaving, parts)
    }

    /// A line for each part, and one for the program.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let total = [self.name.clone(), self.words.to_string(), format!("{:.2}", self.us)];
        let dashes = ["-", "-"].map(str::to_owned);
        self.parts.iter().map(|part| part.row(&self.name)).chain([total.into_iter().chain(dashes).collect()]).collect()
    }
}

impl PartRecord {
    fn of(part: &Part, program: &Program) -> Self {
        let made = part.made.as_ref();
        Self {
            name: part.name.clone(),
            words: part.words(),
            us: microseconds(part.nanoseconds(&program.times)),
            registers: made.into_iter().flat_map(|made| made.held.iter().copied().map(shown)).collect(),
            range: made.map(|made| [made.range.0, made.range.1]),
            listing: part.steps.iter().flat_map(|step| lines(step, program.side())).collect(),
        }
    }

    fn row(&self, program: &str) -> Vec<String> {
        let range = self.range.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.0}..{high:.0}"));
        let registers = if self.registers.is_empty() { "-".to_owned() } else { self.registers.join(" ") };
        vec![format!("{program}: {}", self.name), self.words.to_string(), format!("{:.2}", self.us), registers, range]
    }
}

/// Parts of a program of that name, each under its own, below what holds of all of them.
pub(crate) fn print_parts<'p>(
    out: &mut dyn Write,
    name: &str,
    head: &str,
    leaving: &[String],
    parts: impl IntoIterator<Item = (&'p str, &'p [String])>,
) -> io::Result<()> {
    writeln!(out, "\n// {name}: {head}")?;
    leaving.iter().try_for_each(|line| writeln!(out, "// {name}: {line}"))?;
    for (part, listing) in parts {
        writeln!(out, "\n// {name}: {part}")?;
        listing.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// The register that a step loads.
fn loaded(step: &Step) -> Option<Dreg> {
    if let Step::Load(plane) = step { Some(plane.register) } else { None }
}

#[expect(clippy::cast_precision_loss, reason = "programs take less than 2^52 ns")]
pub(crate) fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}
