//! Reports on programs of a controller.

use std::fmt::Write as _;

use cain_analysis::owned::{Part, Program, Step, lines, shown};
use cain_isa::Instruction;
use cain_search::switches::SwitchTable;
use serde::Serialize;

use crate::show::phrases::count;

/// A program and its costs; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct ProgramRecord {
    pub(crate) name: String,
    pub(crate) isa: &'static str,
    /// The number of instructions of a call.
    pub(crate) instructions: usize,
    /// The number of control words of a call.
    pub(crate) words: usize,
    /// The time of the words, and of scans of exact scores, in microseconds, without that of other read-outs.
    pub(crate) us: f64,
    /// What is done once, before the first call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) preparation: Vec<String>,
    pub(crate) parts: Vec<PartRecord>,
    /// For each of those that may interrupt it, the longest that it has to wait, in control words.
    pub(crate) latency: Vec<u32>,
    /// Whether the listings, read back as they are printed, are the program that was proved.
    pub(crate) verified: bool,
}

/// A part of a program.
#[derive(Debug, Serialize)]
pub(crate) struct PartRecord {
    pub(crate) name: String,
    pub(crate) instructions: usize,
    pub(crate) words: usize,
    pub(crate) us: f64,
    /// The registers that hold its results afterwards, as far as that is told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) registers: Vec<String>,
    /// The least and the largest value in them, in DN, as far as that is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<[f64; 2]>,
    /// The listing of what the controller does, in the vendor's C spelling.
    pub(crate) listing: Vec<String>,
}

impl ProgramRecord {
    pub(crate) fn of(isa: &'static str, program: &Program, tables: &[SwitchTable]) -> Self {
        let parts: Vec<_> = program.parts.iter().map(|part| PartRecord::of(part, program)).collect();
        Self {
            name: program.name.clone(),
            isa,
            instructions: parts.iter().map(|part| part.instructions).sum(),
            words: program.words(),
            us: microseconds(program.nanoseconds()),
            preparation: spelt(&program.preparation, program),
            parts,
            latency: tables.iter().map(SwitchTable::latency).collect(),
            verified: program.preparation.iter().chain(program.steps()).all(reads_back),
        }
    }

    /// A line for each part, and one for the program, with these columns after the name.
    pub(crate) fn rows(&self, titles: &[&str]) -> Vec<Vec<String>> {
        let Self { name, instructions, words, us, .. } = self;
        let total = PartRecord {
            name: name.clone(),
            instructions: *instructions,
            words: *words,
            us: *us,
            registers: Vec::new(),
            range: None,
            listing: Vec::new(),
        };
        let row = |name: String, part: &PartRecord| {
            let cells = titles.iter().skip(1).map(|title| part.cell(title));
            std::iter::once(name).chain(cells).collect()
        };
        let parts = self.parts.iter().map(|part| row(format!("{name}: {}", part.name), part));
        parts.chain([row(name.clone(), &total)]).collect()
    }
}

impl PartRecord {
    fn of(part: &Part, program: &Program) -> Self {
        let made = part.made.as_ref();
        Self {
            name: part.name.clone(),
            instructions: part.steps.iter().map(instructions).sum(),
            words: part.words(),
            us: microseconds(part.nanoseconds(&program.times)),
            registers: made.into_iter().flat_map(|made| made.held.iter().copied().map(shown)).collect(),
            range: made.and_then(|made| made.range).map(|(low, high)| [low, high]),
            listing: spelt(&part.steps, program),
        }
    }

    /// What stands in the column with that title.
    fn cell(&self, title: &str) -> String {
        let dash = || "-".to_owned();
        match title {
            "instructions" => self.instructions.to_string(),
            "words" => self.words.to_string(),
            "µs" => format!("{:.2}", self.us),
            "registers" if !self.registers.is_empty() => self.registers.join(" "),
            "DN" => self.range.map_or_else(dash, |[low, high]| format!("{low:.0}..{high:.0}")),
            _ => dash(),
        }
    }
}

/// The program in the vendor's spelling below these facts, part by part if it has several.
pub(crate) fn listing(program: &Program, facts: &[String]) -> String {
    let name = &program.name;
    let mut text = format!("\n// {name}\n");
    for fact in facts {
        text.extend(["// ", fact, "\n"]);
    }
    let mut section = |title: Option<&str>, steps: &[Step]| {
        if let Some(title) = title {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "\n// {name}: {title}");
        }
        for line in spelt(steps, program) {
            text.extend([&line, "\n"]);
        }
    };
    if !program.preparation.is_empty() {
        section(Some("once, before the first call"), &program.preparation);
    }
    let has_titles = program.parts.len() > 1 || !program.preparation.is_empty();
    for part in &program.parts {
        section(has_titles.then_some(&part.name), &part.steps);
    }
    text
}

/// What a call costs: `105 control words, about 19.95 µs on the chip`.
pub(crate) fn cost(program: &Program) -> String {
    told(u64::try_from(program.words()).unwrap_or(u64::MAX), program.nanoseconds())
}

/// Costs in words.
pub(crate) fn told(words: u64, nanoseconds: u64) -> String {
    format!("{}, about {:.2} µs on the chip", count(words, "control word"), microseconds(nanoseconds))
}

/// The lines of steps.
fn spelt(steps: &[Step], program: &Program) -> Vec<String> {
    steps.iter().flat_map(|step| lines(step, program.side())).collect()
}

/// The number of instructions of a step and of those within it.
fn instructions(step: &Step) -> usize {
    let within = step.bodies().into_iter().flatten().map(instructions).sum::<usize>();
    step.listing().map_or(0, <[_]>::len) + within
}

/// Whether the instructions of a step are the same when they are read as they are printed.
fn reads_back(step: &Step) -> bool {
    let is_same = |instruction: &Instruction| instruction.to_string().parse() == Ok(*instruction);
    step.listing().unwrap_or_default().iter().all(is_same) && step.bodies().into_iter().flatten().all(reads_back)
}

#[expect(clippy::cast_precision_loss, reason = "programs take less than 2^52 ns")]
pub(crate) fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}
