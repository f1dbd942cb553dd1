//! Reports on filters over super-pixels.

use std::collections::BTreeMap;

use cain_codegen::kinds::{Compiled, SuperPixel};
use cain_digital::superpixel::Converter;
use cain_isa::Dreg;
use serde::Serialize;

use crate::kinds::{Asked, Record, Shown};
use crate::record::Searched;
use crate::show;
use crate::show::format::Format;
use crate::watch::Watched;

/// What is told of a filter over super-pixels beside its program.
#[derive(Debug, Serialize)]
pub(crate) struct OfSuperPixel {
    /// The number of patterns and levels that the controller gives during conversions.
    pub(crate) calls: usize,
    /// The number of control words of the preparation.
    pub(crate) setup_words: usize,
    /// The number of patterns that the preparation selects.
    pub(crate) selects: usize,
    /// The number of bits of a number.
    pub(crate) bits: usize,
    /// The place of each input at the start.
    pub(crate) inputs: BTreeMap<String, Place>,
    /// The place of each output at the end.
    pub(crate) outputs: BTreeMap<String, Place>,
    /// Registers that must not be overwritten between runs.
    pub(crate) reserved: Vec<String>,
    #[serde(flatten)]
    pub(crate) search: Searched,
}

/// Where a number is.
#[derive(Debug, Serialize)]
pub(crate) struct Place {
    pub(crate) register: String,
    pub(crate) bank: usize,
    /// The analogue register that it is converted from or to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) analogue: Option<String>,
}

impl Place {
    fn new(register: Dreg, bank: usize, converter: Option<Converter>) -> Self {
        let analogue = converter.map(|converter| converter.register.to_string());
        Self { register: register.to_string(), bank, analogue }
    }
}

impl Shown for SuperPixel {
    type More = OfSuperPixel;

    const TITLES: &'static [&'static str] =
        &["super-pixel filter", "words", "setup words", "selects", "bits", "nodes", "stop"];
    const FORMATS: (&'static str, &'static [Format]) = ("filters over super-pixels", &[Format::Text, Format::Scamp5]);

    fn isa(_: &Compiled<Self>) -> &'static str {
        "superpixel"
    }

    fn more(&self, compiled: &Compiled<Self>, watched: &Watched) -> OfSuperPixel {
        let proved = &compiled.program.program;
        let (declaration, program) = (proved.declaration(), proved.program());
        let [inputs, outputs] = places(compiled).map(|places| places.into_iter().collect());
        OfSuperPixel {
            calls: program.calls(),
            setup_words: program.setup_words(),
            selects: program.selects(),
            bits: declaration.outputs.first().map_or(0, |output| declaration.layout.places(output.bank).len()),
            inputs,
            outputs,
            reserved: names(&program.reserved),
            search: Searched::of(&compiled.program.statistics, watched),
        }
    }

    fn rows(Record { program, more }: &Record<Self>) -> Vec<Vec<String>> {
        let numbers = [program.words, more.setup_words, more.selects, more.bits].map(|number| number.to_string());
        let [words, setup_words, selects, bits] = numbers;
        let Searched { nodes, stop, .. } = &more.search;
        vec![vec![program.name.clone(), words, setup_words, selects, bits, nodes.to_string(), stop.clone()]]
    }

    /// A line for each number, such as `in image: R5, bank 0`, and one for registers that are prepared.
    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let line = |role: &str, (name, place): &(String, Place)| {
            let Place { register, bank, analogue } = place;
            let analogue = analogue.as_ref().map_or_else(String::new, |register| format!(", {register}"));
            format!("{role} {name}: {register}, bank {bank}{analogue}")
        };
        let [inputs, outputs] = places(compiled);
        let reserved = names(&compiled.program.program.program().reserved).join(" ");
        let reserved = (!reserved.is_empty()).then(|| format!("{reserved} are prepared once, and must be kept"));
        let inputs = inputs.iter().map(|number| line("in", number));
        inputs.chain(outputs.iter().map(|number| line("out", number))).chain(reserved).collect()
    }

    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String> {
        // Only words of sums are numbered.
        let solution = &asked.compiled.program;
        asked.details.check(solution.program.program().listing.len())?;
        Ok(show::super_pixels(solution, &self.facts(asked.compiled), asked.details))
    }
}

/// The places of inputs and of outputs, each with its name.
fn places(compiled: &Compiled<SuperPixel>) -> [Vec<(String, Place)>; 2] {
    let proved = &compiled.program.program;
    let (declaration, program) = (proved.declaration(), proved.program());
    let inputs = declaration.inputs.iter().zip(&program.inputs);
    let outputs = declaration.outputs.iter().zip(&program.outputs);
    [
        inputs.map(|(of, register)| (of.name.clone(), Place::new(*register, of.bank, of.converted))).collect(),
        outputs.map(|(of, register)| (of.name.clone(), Place::new(*register, of.bank, of.converted))).collect(),
    ]
}

fn names(registers: &[Dreg]) -> Vec<String> {
    registers.iter().map(ToString::to_string).collect()
}
