//! Searches for filters over super-pixels, and reports on their programs.

use std::collections::BTreeMap;

use cain_codegen::kernel_file::{Diagnostic, SuperPixelFilter};
use cain_digital::superpixel::{Converter, Solution, Step};
use cain_isa::{Dreg, Instruction};
use serde::Serialize;

use crate::options::Search;
use crate::record::{milliseconds, stop};
use crate::search::find_exact;
use crate::watch::{Interrupt, Watched};

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

/// The columns of the table of filters over super-pixels.
pub(crate) const TITLES: [&str; 7] = ["super-pixel filter", "words", "setup words", "selects", "bits", "nodes", "stop"];

impl SuperPixelRecord {
    pub(crate) fn row(&self) -> [String; TITLES.len()] {
        let numbers = [self.words, self.setup_words, self.selects, self.bits].map(|number| number.to_string());
        let [words, setup_words, selects, bits] = numbers;
        [self.name.clone(), words, setup_words, selects, bits, self.nodes.to_string(), self.stop.clone()]
    }

    fn of(solution: &Solution, watched: &Watched) -> Self {
        let (declaration, program) = (solution.program.declaration(), solution.program.program());
        let listing: Vec<String> = program.listing.iter().map(ToString::to_string).collect();
        let read_back: Result<Vec<Instruction>, _> = listing.iter().map(|line| line.parse()).collect();
        let steps = |steps: &[Step]| steps.iter().map(ToString::to_string).collect();
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

/// Searches for a program of a filter over super-pixels; returns the report. Options of the command line take
/// precedence over those of the file.
pub(crate) fn find(
    filter: &SuperPixelFilter,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(SuperPixelRecord, Option<Diagnostic>), Diagnostic> {
    let (solution, watched, notice) = find_exact(filter, args, interrupt)?;
    Ok((SuperPixelRecord::of(&solution, &watched), notice))
}
