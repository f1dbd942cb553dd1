//! Searches for digital filters, and reports on their programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use cain_codegen::kinds::{Compiled, Digital};
use cain_digital::Solution;
use cain_isa::{Dreg, Instruction};
use serde::Serialize;

use crate::kinds::Shown;
use crate::record::{milliseconds, stop};
use crate::show::{self, Details, Format};
use crate::watch::Watched;

/// A digital program and its costs; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct DigitalRecord {
    pub(crate) name: String,
    pub(crate) isa: &'static str,
    /// The listing, one control word each, in SCAMP-5 spelling.
    pub(crate) listing: Vec<String>,
    /// The number of control words.
    pub(crate) words: usize,
    /// The registers of each input at the start, lowest bit first.
    pub(crate) input_bits: BTreeMap<String, Vec<String>>,
    /// The registers of each output at the end, lowest bit first.
    pub(crate) output_bits: BTreeMap<String, Vec<String>>,
    /// Whether each number is in two's complement; if an input and an output have the same name, this is for the
    /// output.
    pub(crate) signed: BTreeMap<String, bool>,
    /// Whether each input is in two's complement.
    pub(crate) signed_inputs: BTreeMap<String, bool>,
    /// Whether each output is in two's complement.
    pub(crate) signed_outputs: BTreeMap<String, bool>,
    pub(crate) nodes: u64,
    /// The milliseconds of the whole search.
    pub(crate) ms: f64,
    /// The milliseconds until this program was found.
    pub(crate) ms_to_best: f64,
    /// The reason why the search ended: `nodes`, `time` (by `--time`), `interrupted` (by Ctrl-C) or `exhausted`.
    pub(crate) stop: String,
    /// Whether the listing, read back as it is printed, is the program that was proved to be exact.
    pub(crate) verified: bool,
}

impl DigitalRecord {
    fn of(solution: &Solution, watched: &Watched) -> Self {
        let (declaration, program) = (solution.program.declaration(), solution.program.program());
        let listing: Vec<String> = program.listing.iter().map(ToString::to_string).collect();
        let read_back: Result<Vec<Instruction>, _> = listing.iter().map(|line| line.parse()).collect();
        let inputs = || declaration.inputs.iter().map(|input| input.name.clone());
        let outputs = || declaration.outputs.iter().map(|output| output.name.clone());
        let given = declaration.inputs.iter().map(|input| input.format.is_signed());
        let made =
            (0..).map_while(|output| solution.program.output_format(output)).map(cain_digital::Format::is_signed);
        let signed_inputs: BTreeMap<String, bool> = inputs().zip(given).collect();
        let signed_outputs: BTreeMap<String, bool> = outputs().zip(made).collect();
        Self {
            name: declaration.name.clone(),
            isa: "digital",
            words: program.words(),
            input_bits: inputs().zip(program.inputs.iter().map(|bits| names(bits))).collect(),
            output_bits: outputs().zip(program.outputs.iter().map(|bits| names(bits))).collect(),
            signed: signed_inputs.iter().chain(&signed_outputs).map(|(name, signed)| (name.clone(), *signed)).collect(),
            signed_inputs,
            signed_outputs,
            nodes: solution.statistics.nodes,
            ms: milliseconds(watched.total),
            ms_to_best: milliseconds(watched.moment(solution.statistics.nodes_to_best)),
            stop: stop(solution.statistics.stop, watched.cut),
            verified: read_back.is_ok_and(|read_back| read_back == program.listing),
            listing,
        }
    }
}

fn names(bits: &[Dreg]) -> Vec<String> {
    bits.iter().map(ToString::to_string).collect()
}

impl Shown for Digital {
    type Record = DigitalRecord;

    const TITLES: &'static [&'static str] = &["digital filter", "words", "bits in", "bits out", "nodes", "stop"];
    const FORMATS: (&'static str, &'static [Format]) = ("digital filters", &[Format::Text, Format::Scamp5]);

    fn record(&self, compiled: &Compiled<Self>, watched: &Watched) -> Result<DigitalRecord, String> {
        Ok(DigitalRecord::of(&compiled.program, watched))
    }

    fn rows(record: &DigitalRecord) -> Vec<Vec<String>> {
        let bits = |numbers: &BTreeMap<String, Vec<String>>| numbers.values().map(Vec::len).sum::<usize>().to_string();
        vec![vec![
            record.name.clone(),
            record.words.to_string(),
            bits(&record.input_bits),
            bits(&record.output_bits),
            record.nodes.to_string(),
            record.stop.clone(),
        ]]
    }

    /// The program, under the registers of its numbers.
    fn print_listing(record: &DigitalRecord, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n// {}", record.name)?;
        for (role, numbers) in [("in", &record.input_bits), ("out", &record.output_bits)] {
            for (name, bits) in numbers {
                writeln!(out, "// {role} {name}: {}, lowest bit first", bits.join(" "))?;
            }
        }
        record.listing.iter().try_for_each(|word| writeln!(out, "{word}"))
    }

    fn show(
        &self,
        compiled: &Compiled<Self>,
        _: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        show::digital(&compiled.program, format, details)
    }
}
