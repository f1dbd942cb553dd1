//! Shows networks, networks in the pixels, and automata.

use cain_analysis::owned::Program;
use cain_network::CompiledNetwork;

use super::format::{Details, Format};
use super::leaving::of_tables;
use super::phrases::enumerated;
use super::planes::planes;
use super::{lives, parts};
use crate::predicted::Errors;
use crate::program::cost;

/// The program of a network below these facts, as text or as a picture, as text with the predicted errors of its planes.
pub(crate) fn show(
    compiled: &CompiledNetwork,
    program: &Program,
    facts: Vec<String>,
    errors: Option<&Errors>,
    doc: Option<&str>,
    format: Format,
    details: Details<'_>,
) -> String {
    let proof = "every stage is proved for all values of what it reads".to_owned();
    let head = [without_read_outs(program)].into_iter().chain(facts).chain([proof]);
    if format == Format::Svg {
        return lives::svg(compiled, program, &head.collect::<Vec<_>>());
    }
    parts::text(program, compiled.switches(), documentation(doc).chain(head), &planes(compiled, errors), details)
}

/// The program of a network in the pixels as text.
pub(crate) fn show_in_pixel(
    compiled: &cain_in_pixel::Compiled,
    program: &Program,
    resolution: Option<String>,
    doc: Option<&str>,
    details: Details<'_>,
) -> String {
    let weights: Vec<String> = program.loaded().iter().map(ToString::to_string).collect();
    let head = [
        without_read_outs(program),
        format!("a pixel of 1 counts {} DN", compiled.level()),
        format!("weights are in {}, which are loaded once", enumerated(&weights)),
        "every part is proved for all pictures and all weights".to_owned(),
    ];
    let leaving = of_tables(compiled.switches(), &program.times);
    let facts = documentation(doc).chain(head).chain(resolution).chain(leaving);
    parts::text(program, compiled.switches(), facts, &[], details)
}

/// A step of an automaton below these facts.
pub(crate) fn show_automaton(program: &Program, facts: Vec<String>, doc: Option<&str>, details: Details<'_>) -> String {
    let proof = "all sums are proved, and that no value on the way overflows the registers".to_owned();
    let head = [format!("a step: {}", cost(program))].into_iter().chain(facts).chain([proof]);
    parts::text(program, &[], documentation(doc).chain(head), &[], details)
}

/// The lines of the documentation of a declaration.
fn documentation(doc: Option<&str>) -> impl Iterator<Item = String> {
    doc.into_iter().flat_map(str::lines).map(str::to_owned)
}

fn without_read_outs(program: &Program) -> String {
    format!("{}, without read-outs", cost(program))
}
