//! Searches for filters over super-pixels, and reports on their programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use cain_codegen::kinds::{Compiled, SuperPixel};
use cain_digital::superpixel::{Converter, Solution};
use cain_isa::program::owned::{SIDE, Step, lines};
use cain_isa::{Dreg, Instruction};
use serde::Serialize;

use crate::kinds::Shown;
use crate::record::{milliseconds, stop};
use crate::show::{self, Details, Format};
use crate::watch::Watched;

/// A program on super-pixels and its costs; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct SuperPixelRecord {
    pub(crate) name: String,
    pub(crate) isa: &'static str,
    /// The steps that are done once, before the first run: patterns that the controller selects and control words, in
    /// SCAMP-5 spelling.
    pub(crate) setup: Vec<String>,
    /// The steps that convert analogue registers into numbers, before the listing.
    pub(crate) before: Vec<String>,
    /// The listing in SCAMP-5 spelling.
    pub(crate) listing: Vec<String>,
    /// The steps that convert numbers into analogue registers, after the listing.
    pub(crate) after: Vec<String>,
    /// The number of control words of the listing and of the conversions.
    pub(crate) words: usize,
    /// The number of patterns and levels that the controller gives during conversions.
    pub(crate) calls: usize,
    /// The number of control words of the preparation.
    pub(crate) setup_words: usize,
    /// The number of patterns that the preparation selects.
    pub(crate) selects: usize,
    /// The number of bits of a number.
    pub(crate) bits: usize,
    /// The register and the bank of each input at the start.
    pub(crate) inputs: BTreeMap<String, Place>,
    /// The register and the bank of each output at the end.
    pub(crate) outputs: BTreeMap<String, Place>,
    /// Registers that the preparation writes and that must not be overwritten between runs.
    pub(crate) reserved: Vec<String>,
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

/// The place of a number.
#[derive(Debug, Serialize)]
pub(crate) struct Place {
    pub(crate) register: String,
    pub(crate) bank: usize,
    /// The analogue register that it is converted from or to, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) analogue: Option<String>,
}

impl SuperPixelRecord {
    fn of(solution: &Solution, watched: &Watched) -> Self {
        let (declaration, program) = (solution.program.declaration(), solution.program.program());
        let listing: Vec<String> = program.listing.iter().map(ToString::to_string).collect();
        let read_back: Result<Vec<Instruction>, _> = listing.iter().map(|line| line.parse()).collect();
        let steps = |steps: &[Step]| steps.iter().flat_map(|step| lines(step, SIDE)).collect();
        let place = |register: &Dreg, bank, converter: Option<Converter>| Place {
            register: register.to_string(),
            bank,
            analogue: converter.map(|converter| converter.register.to_string()),
        };
        let inputs = declaration.inputs.iter().zip(&program.inputs);
        let outputs = declaration.outputs.iter().zip(&program.outputs);
        Self {
            name: declaration.name.clone(),
            isa: "superpixel",
            setup: steps(&program.setup),
            before: steps(&program.before),
            after: steps(&program.after),
            calls: program.calls(),
            words: program.words(),
            setup_words: program.setup_words(),
            selects: program.selects(),
            bits: declaration.outputs.first().map_or(0, |output| declaration.layout.places(output.bank).len()),
            inputs: inputs
                .map(|(input, register)| (input.name.clone(), place(register, input.bank, input.converted)))
                .collect(),
            outputs: outputs
                .map(|(output, register)| (output.name.clone(), place(register, output.bank, output.converted)))
                .collect(),
            reserved: program.reserved.iter().map(ToString::to_string).collect(),
            nodes: solution.statistics.nodes,
            ms: milliseconds(watched.total),
            ms_to_best: milliseconds(watched.moment(solution.statistics.nodes_to_best)),
            stop: stop(solution.statistics.stop, watched.cut),
            verified: read_back.is_ok_and(|read_back| read_back == program.listing),
            listing,
        }
    }
}

impl Shown for SuperPixel {
    type Record = SuperPixelRecord;

    const TITLES: &'static [&'static str] =
        &["super-pixel filter", "words", "setup words", "selects", "bits", "nodes", "stop"];
    const FORMATS: (&'static str, &'static [Format]) = ("filters over super-pixels", &[Format::Text, Format::Scamp5]);

    fn record(&self, compiled: &Compiled<Self>, watched: &Watched) -> Result<SuperPixelRecord, String> {
        Ok(SuperPixelRecord::of(&compiled.program, watched))
    }

    fn rows(record: &SuperPixelRecord) -> Vec<Vec<String>> {
        let SuperPixelRecord { words, setup_words, selects, bits, .. } = *record;
        let numbers = [words, setup_words, selects, bits].map(|number| number.to_string());
        let [words, setup_words, selects, bits] = numbers;
        let (name, nodes, stop) = (record.name.clone(), record.nodes.to_string(), record.stop.clone());
        vec![vec![name, words, setup_words, selects, bits, nodes, stop]]
    }

    /// The program, with the registers of its numbers and what is done once.
    fn print_listing(record: &SuperPixelRecord, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n// {}", record.name)?;
        for (role, numbers) in [("in", &record.inputs), ("out", &record.outputs)] {
            for (name, place) in numbers {
                let analogue = place.analogue.as_ref().map_or_else(String::new, |register| format!(", {register}"));
                writeln!(out, "// {role} {name}: {}, bank {}{analogue}", place.register, place.bank)?;
            }
        }
        writeln!(out, "// once, after which {} must be kept:", record.reserved.join(" "))?;
        record.setup.iter().try_for_each(|step| writeln!(out, "{step}"))?;
        writeln!(out, "// each time:")?;
        let mut steps = record.before.iter().chain(&record.listing).chain(&record.after);
        steps.try_for_each(|step| writeln!(out, "{step}"))
    }

    fn show(
        &self,
        compiled: &Compiled<Self>,
        _: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        show::super_pixels(&compiled.program, format, details)
    }
}
