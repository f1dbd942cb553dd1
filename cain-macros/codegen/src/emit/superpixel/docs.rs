//! Documentation of the function of a filter over super-pixels.

use cain_analysis::owned::{Step, lines};
use cain_digital::superpixel::{Carry, Converter, Declaration, Program, Solution};
use cain_isa::{Dreg, Times};
use proc_macro2::TokenStream;

use super::super::docs::{count, line, listing};
use super::text::formulas;
use crate::duration::microseconds;

/// The documentation of the function, after the user's own.
pub(super) fn of_solution(solution: &Solution) -> Vec<Vec<String>> {
    let declaration = solution.program.declaration();
    let program = solution.program.program();
    let formulas = formulas(declaration).iter().map(|formula| format!("- `{formula}`")).collect();
    let steps = |steps: &[Step]| steps.iter().flat_map(|step| lines(step, 256)).collect::<Vec<_>>();
    let listed = program.listing.iter().map(ToString::to_string);
    let listed = steps(&program.before).into_iter().chain(listed).chain(steps(&program.after));
    let mut paragraphs = vec![formulas, facts(solution), blocks(declaration)];
    paragraphs.extend((0..declaration.layout.banks()).map(|bank| order(declaration, bank)));
    paragraphs.extend([numbers(declaration, program), listing(listed)]);
    paragraphs
}

/// The documentation of the function that prepares registers.
pub(super) fn of_preparation(solution: Option<&Solution>) -> TokenStream {
    let mut docs = vec!["Writes the reserved registers, which has to be done once before the first run.".to_owned()];
    if let Some(program) = solution.map(|solution| solution.program.program()) {
        let words = count_of(program.setup_words(), "control word");
        docs.extend([String::new(), format!("{words} and {}.", count_of(program.selects(), "pattern"))]);
        docs.push(String::new());
        docs.extend(listing(program.setup.iter().flat_map(|step| lines(step, 256))));
    } else {
        docs.extend(["", "# Panics", "", "Always: there is no program."].map(str::to_owned));
    }
    let errors = ["", "# Errors", "", "If blocks do not divide the array, and those of the host controller."];
    docs.iter().map(String::as_str).chain(errors).map(line).collect()
}

/// What a run takes.
fn facts(solution: &Solution) -> Vec<String> {
    let program = solution.program.program();
    let calls = match program.calls() {
        0 => String::new(),
        calls => format!(", and {} of the controller between them", count_of(calls, "call")),
    };
    vec![
        format!(
            "{}, about {} on the chip{calls}. Exact for all inputs: sums wrap around, and what lies outside of the array is 0.",
            count_of(program.words(), "control word"),
            microseconds(program.nanoseconds(&Times::SCAMP5))
        ),
        format!("Search nodes: {}.", solution.statistics.nodes),
    ]
}

/// The shape of blocks, and how carries go through them.
fn blocks(declaration: &Declaration) -> Vec<String> {
    let (width, height) = (declaration.layout.width(), declaration.layout.height());
    let carry = match declaration.carry {
        Carry::Propagate => "one propagation carries through all bits of a number",
        Carry::Steps => "carries go from bit to bit",
    };
    vec![format!(
        "Numbers are in two's complement, a bit in each PE of a block of {width}×{height} PEs; blocks begin at the top right \
         corner of the array, and {carry}. The places of the bits, from 1, the lowest:"
    )]
}

/// The matrix of a bank.
fn order(declaration: &Declaration, bank: usize) -> Vec<String> {
    let title = (declaration.layout.banks() > 1).then(|| format!("bank {bank}"));
    let row = |row: Vec<usize>| row.iter().map(|bit| format!("{bit:2}")).collect::<Vec<_>>().join(" ");
    let fence = |fence: &str| std::iter::once(fence.to_owned());
    let rows = declaration.layout.order(bank).into_iter().map(row);
    fence("```text").chain(title).chain(rows).chain(fence("```")).collect()
}

/// A row for each number.
fn numbers(declaration: &Declaration, program: &Program) -> Vec<String> {
    let row = |name: &str, bank: usize, register: &Dreg, way: &str, converter: Option<Converter>| {
        let analogue = converter.map_or_else(String::new, |converter| {
            let Converter { register, bits, unit } = converter;
            format!("{way} `{register}`, bits {} to {}", unit + 1, unit + bits)
        });
        format!("| `{name}` | `{register}` | {bank} | {analogue} |")
    };
    let inputs = declaration.inputs.iter().zip(&program.inputs);
    let outputs = declaration.outputs.iter().zip(&program.outputs);
    let head = ["| number | register | bank | converted |", "|---|---|---|---|"].map(str::to_owned);
    head.into_iter()
        .chain(inputs.map(|(input, register)| row(&input.name, input.bank, register, "from", input.converted)))
        .chain(outputs.map(|(output, register)| row(&output.name, output.bank, register, "to", output.converted)))
        .collect()
}

fn count_of(number: usize, what: &str) -> String {
    count(u32::try_from(number).unwrap_or(u32::MAX), what)
}
