//! Reports on digital filters.

use std::collections::BTreeMap;

use cain_codegen::kinds::{Compiled, Digital};
use cain_isa::Dreg;
use serde::Serialize;

use crate::kinds::{Asked, Record, Shown};
use crate::record::Searched;
use crate::show;
use crate::show::format::Format;
use crate::watch::Watched;

/// What is told of a digital filter beside its program.
#[derive(Debug, Serialize)]
pub(crate) struct OfDigital {
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
    #[serde(flatten)]
    pub(crate) search: Searched,
}

impl Shown for Digital {
    type More = OfDigital;

    const TITLES: &'static [&'static str] = &["digital filter", "words", "bits in", "bits out", "nodes", "stop"];
    const FORMATS: (&'static str, &'static [Format]) = ("digital filters", &[Format::Text, Format::Scamp5]);

    fn isa(_: &Compiled<Self>) -> &'static str {
        "digital"
    }

    fn more(&self, compiled: &Compiled<Self>, watched: &Watched) -> OfDigital {
        let solution = &compiled.program;
        let (declaration, program) = (solution.program.declaration(), solution.program.program());
        let inputs = || declaration.inputs.iter().map(|input| input.name.clone());
        let outputs = || declaration.outputs.iter().map(|output| output.name.clone());
        let given = declaration.inputs.iter().map(|input| input.format.is_signed());
        let made =
            (0..).map_while(|output| solution.program.output_format(output)).map(cain_digital::Format::is_signed);
        let signed_inputs: BTreeMap<String, bool> = inputs().zip(given).collect();
        let signed_outputs: BTreeMap<String, bool> = outputs().zip(made).collect();
        OfDigital {
            input_bits: inputs().zip(program.inputs.iter().map(|bits| names(bits))).collect(),
            output_bits: outputs().zip(program.outputs.iter().map(|bits| names(bits))).collect(),
            signed: signed_inputs.iter().chain(&signed_outputs).map(|(name, signed)| (name.clone(), *signed)).collect(),
            signed_inputs,
            signed_outputs,
            search: Searched::of(&solution.statistics, watched),
        }
    }

    fn rows(Record { program, more }: &Record<Self>) -> Vec<Vec<String>> {
        let bits = |numbers: &BTreeMap<String, Vec<String>>| numbers.values().map(Vec::len).sum::<usize>().to_string();
        vec![vec![
            program.name.clone(),
            program.words.to_string(),
            bits(&more.input_bits),
            bits(&more.output_bits),
            more.search.nodes.to_string(),
            more.search.stop.clone(),
        ]]
    }

    /// A line for each number, such as `in image: R5, lowest bit first`.
    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let proved = &compiled.program.program;
        let (declaration, program) = (proved.declaration(), proved.program());
        let line = |role: &str, name: &str, bits: &[Dreg]| {
            format!("{role} {name}: {}, lowest bit first", names(bits).join(" "))
        };
        let inputs = declaration.inputs.iter().zip(&program.inputs).map(|(input, bits)| line("in", &input.name, bits));
        let outputs =
            declaration.outputs.iter().zip(&program.outputs).map(|(output, bits)| line("out", &output.name, bits));
        inputs.chain(outputs).collect()
    }

    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String> {
        Ok(show::digital(&asked.compiled.program, &self.facts(asked.compiled), asked.details))
    }
}

fn names(bits: &[Dreg]) -> Vec<String> {
    bits.iter().map(ToString::to_string).collect()
}
