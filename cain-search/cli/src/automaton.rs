//! Reports on automata: what a step consists of and costs.

use std::io::{self, Write};
use std::ops::ControlFlow;

use cain_codegen::kernel_file::{DeclaredAutomaton, Diagnostic};
use cain_codegen::plan_file::PlanFolder;
use cain_isa::{Instruction, OperationError, Reg, Word};
use cain_network::automaton::{CompiledAutomaton, compile_with, declarations};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::in_pixel::microseconds;
use crate::show::leaving::of_tables;
use crate::table::Table;
use crate::watch::Interrupt;

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

/// The origin of an automaton's programs.
#[derive(Clone, Copy)]
pub(crate) enum Programs<'a> {
    /// The programs of a build: those of the plans of its layers in this folder, or found by a search if there is no
    /// plan.
    OfBuild(&'a PlanFolder),
    /// The programs of searches, with another budget if one is given.
    Searched(Option<u64>),
}

/// An automaton with programs.
pub(crate) fn compiled(
    declared: &DeclaredAutomaton,
    programs: Programs<'_>,
    interrupt: &Interrupt,
) -> Result<CompiledAutomaton, Diagnostic> {
    let mut automaton = declared.automaton.clone();
    let mut known = Vec::new();
    match programs {
        Programs::OfBuild(plans) => {
            for (layer, declaration) in declarations(&automaton).unwrap_or_default().iter().enumerate() {
                let plan = plans.load(declaration);
                let plan = plan.map_err(|error| declared.diagnostic(Some(layer), &error.to_string()))?;
                known.push(plan.map(|(solution, _)| solution.program));
            }
        }
        Programs::Searched(nodes) => automaton.options.nodes = nodes.unwrap_or(automaton.options.nodes),
    }
    let line = ProgressBar::new(automaton.options.nodes);
    let mut used = vec![0; automaton.layers.len()];
    let compiled = compile_with(&automaton, known, |layer, progress| {
        if let Some(used) = used.get_mut(layer) {
            *used = progress.nodes;
        }
        line.set_position(used.iter().sum());
        if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    line.finish_and_clear();
    compiled.map_err(|error| declared.failed(&error))
}

/// The report on an automaton with programs.
pub(crate) fn record(
    declared: &DeclaredAutomaton,
    programs: Programs<'_>,
    interrupt: &Interrupt,
) -> Result<AutomatonRecord, Diagnostic> {
    let compiled = compiled(declared, programs, interrupt)?;
    AutomatonRecord::of(&compiled).map_err(|error| declared.diagnostic(None, &error.to_string()))
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

    /// Prints the parts of a step, each under its name.
    pub(crate) fn print_listing(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\n// {}: grey and state are in {}", self.name, self.state.join(" "))?;
        self.leaving.iter().try_for_each(|line| writeln!(out, "// {}: {line}", self.name))?;
        for part in &self.parts {
            writeln!(out, "\n// {}: {}", self.name, part.name)?;
            part.listing.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(())
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

/// Prints a table of automata: a line for each part of a step, and one for the whole step.
pub(crate) fn print_table(out: &mut impl Write, records: &[AutomatonRecord]) -> io::Result<()> {
    let row = |name: String, instructions: usize, words: usize, us: f64| {
        [name, instructions.to_string(), words.to_string(), format!("{us:.2}")]
    };
    let rows = records.iter().flat_map(|record| {
        let parts = record
            .parts
            .iter()
            .map(move |part| row(format!("{}: {}", record.name, part.name), part.instructions, part.words, part.us));
        parts.chain([row(record.name.clone(), record.instructions, record.words, record.us)])
    });
    let rows: Vec<_> = rows.collect();
    let titles = ["automaton", "instructions", "words", "µs"];
    let table = Table::new(&titles, rows.iter().map(|[name, ..]| name.as_str()), 6);
    table.head(out)?;
    rows.iter().try_for_each(|row| table.row(out, row))
}
