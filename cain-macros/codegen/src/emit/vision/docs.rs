//! Documentation of the type of a program.

use cain_analysis::owned::{OnePass, Program, Section, sections};
use cain_vision::Compiled;
use cain_vision::declaration::Declaration;
use proc_macro2::TokenStream;
use syn::Attribute;

use super::super::docs::{after, line, waiting};
use super::super::program::microseconds;

/// The documentation of the type, after the user's own.
pub(super) fn of_type(attributes: &[Attribute], compiled: Option<&Compiled>) -> TokenStream {
    let Some(compiled) = compiled else {
        let panics = ["# Panics", "Always: there is no program."].map(|line| vec![line.to_owned()]);
        return after(attributes, &panics);
    };
    let (program, times) = (compiled.program(), &compiled.declaration().machine.times);
    let waiting = compiled.switches().iter().map(|table| vec![waiting(table, times)]);
    let least = Some(compiled.least_side()).filter(|side| *side > 0);
    let least = least.map(|side| vec![format!("The array needs at least {side} rows and columns.")]);
    let facts: Vec<Vec<String>> =
        [table(program), vec![total(program)]].into_iter().chain(least).chain(waiting).collect();
    after(attributes, &facts)
}

/// A row for each section of a frame; those of loops are of one pass.
fn table(program: &Program) -> Vec<String> {
    let head = ["| part | words | calls | µs |", "|---|---|---|---|"].map(str::to_owned);
    let row = |section: Section| {
        let Section { name, words, calls, nanoseconds, .. } = section;
        format!("| {name} | {words} | {calls} | {} |", microseconds(nanoseconds))
    };
    head.into_iter().chain(sections(program).into_iter().map(row)).collect()
}

/// What the longest frame costs: where the number of passes is open, with one of them.
fn total(program: &Program) -> String {
    let (OnePass { words, calls, nanoseconds }, is_open) = OnePass::longest(program);
    let told = if is_open { ", with one pass of each loop whose number of passes is open" } else { "" };
    format!(
        "The longest frame takes {words} control words, about {} µs on the chip, in {calls} calls of the controller{told}, and \
         the read-outs.",
        microseconds(nanoseconds),
    )
}

/// The documentation of the function for a frame.
pub(super) fn of_frame(declaration: &Declaration) -> TokenStream {
    let captured = declaration.inputs.iter().find(|input| input.is_captured);
    let first = captured.map_or_else(
        || "Carries out a frame.".to_owned(),
        |input| format!("Takes a picture, `{}`, and carries out a frame.", input.name),
    );
    let given = declaration.inputs.iter().any(|input| !input.is_captured);
    let planes = "Planes have a value for each PE, row by row from the north-west: levels in DN, or bits.";
    let lines = [Some(first), given.then(|| planes.to_owned())].into_iter().flatten();
    let errors = [
        "# Errors",
        "A parameter out of its range, a plane of another size or with other levels than it may have: then nothing was sent, and \
         states are as they were. After an error of the array it has to be reset.",
    ];
    let mut docs = TokenStream::new();
    for (place, text) in lines.chain(errors.map(str::to_owned)).enumerate() {
        if place > 0 {
            docs.extend(line(""));
        }
        docs.extend(line(&text));
    }
    docs
}
