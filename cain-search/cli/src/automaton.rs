//! Reports on automata: what a step consists of and costs.

use std::io::{self, Write};

use cain_codegen::kinds::{Automaton, Compiled};
use cain_isa::{Instruction, OperationError, Reg, Word};
use cain_network::automaton::CompiledAutomaton;
use serde::Serialize;

use crate::kinds::Shown;
use crate::program::{microseconds, print_parts};
use crate::show::leaving::of_tables;
use crate::show::{self, Details, Format};
use crate::watch::Watched;

/// The programs of an automaton and the costs of a step; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct AutomatonRecord {
    pub(crate) name: String,
    pub(crate) isa: &'static str,
    /// The number of instructions of a step.
    pub(crate) instructions: usize,
    /// The number of control words of a step.
    pub(crate) words: usize,
    /// The time of the words in microseconds.
    pub(crate) us: f64,
    /// The registers of the grey value and of the state.
    pub(crate) state: Vec<String>,
    pub(crate) parts: Vec<PartRecord>,
    /// A description of how it may be interrupted.
    #[serde(skip)]
    leaving: Vec<String>,
    /// Always true: nothing that is not proved is returned.
    pub(crate) verified: bool,
}

/// A part of a step.
#[derive(Debug, Serialize)]
pub(crate) struct PartRecord {
    pub(crate) name: String,
    pub(crate) instructions: usize,
    pub(crate) words: usize,
    pub(crate) us: f64,
    /// The registers that hold its results.
    pub(crate) results: Vec<String>,
    /// The listing in the vendor's spelling.
    pub(crate) listing: Vec<String>,
}

impl Shown for Automaton {
    type Record = AutomatonRecord;

    const TITLES: &'static [&'static str] = &["automaton", "instructions", "words", "µs"];
    const FORMATS: (&'static str, &'static [Format]) = ("automata", &[Format::Text, Format::Scamp5]);

    fn record(&self, compiled: &Compiled<Self>, _: &Watched) -> Result<AutomatonRecord, String> {
        AutomatonRecord::of(&compiled.program.compiled).map_err(|error| error.to_string())
    }

    /// A line for each part of a step, and one for all of it.
    fn rows(record: &AutomatonRecord) -> Vec<Vec<String>> {
        let row = |name: String, instructions: usize, words: usize, us: f64| {
            vec![name, instructions.to_string(), words.to_string(), format!("{us:.2}")]
        };
        let part =
            |part: &PartRecord| row(format!("{}: {}", record.name, part.name), part.instructions, part.words, part.us);
        let total = row(record.name.clone(), record.instructions, record.words, record.us);
        record.parts.iter().map(part).chain([total]).collect()
    }

    /// The parts of a step, each under its name.
    fn print_listing(record: &AutomatonRecord, out: &mut dyn Write) -> io::Result<()> {
        let head = format!("grey and state are in {}", record.state.join(" "));
        let parts = record.parts.iter().map(|part| (part.name.as_str(), part.listing.as_slice()));
        print_parts(out, &record.name, &head, &record.leaving, parts)
    }

    fn show(
        &self,
        compiled: &Compiled<Self>,
        doc: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        let record = AutomatonRecord::of(&compiled.program.compiled).map_err(|error| error.to_string())?;
        show::automaton(&record, doc, format, details)
    }
}

impl AutomatonRecord {
    fn of(compiled: &CompiledAutomaton) -> Result<Self, OperationError> {
        let parts = parts(compiled)?;
        let times = &compiled.automaton().machine.times;
        Ok(Self {
            name: compiled.automaton().name.clone(),
            isa: "automaton",
            instructions: parts.iter().map(|part| part.instructions).sum(),
            words: parts.iter().map(|part| part.words).sum(),
            us: parts.iter().map(|part| part.us).sum(),
            state: names(compiled.registers().state()),
            parts,
            leaving: of_tables(compiled.switches(), times),
            verified: true,
        })
    }
}

/// The parts of a step, in order.
fn parts(compiled: &CompiledAutomaton) -> Result<Vec<PartRecord>, OperationError> {
    let part = |name: String, results: &[Reg], listing: &[Instruction]| {
        let words: Vec<Word> = listing.iter().flat_map(Instruction::words).collect();
        let times = &compiled.automaton().machine.times;
        PartRecord {
            name,
            instructions: listing.len(),
            words: words.len(),
            us: microseconds(words.iter().map(|word| u64::from(times.of(word.clock()))).sum()),
            results: names(results),
            listing: listing.iter().map(ToString::to_string).collect(),
        }
    };
    let mut parts = vec![part("random bits".to_owned(), &[], &compiled.noise()?)];
    for (number, layer) in compiled.layers().iter().enumerate() {
        let results = compiled.registers().outputs(number);
        parts.push(part(format!("layer {}", number + 1), results, layer.program.listing()));
        let rectification = compiled.rectification(number)?;
        if !rectification.is_empty() {
            parts.push(part(format!("rectifier {}", number + 1), results, &rectification));
        }
    }
    let state = compiled.registers().state().get(1..).unwrap_or_default();
    parts.push(part("update".to_owned(), state, &compiled.update()?));
    Ok(parts)
}

fn names(registers: &[Reg]) -> Vec<String> {
    registers.iter().map(ToString::to_string).collect()
}
