//! Shows programs on super-pixels as text.

use std::fmt::Write as _;

use cain_digital::superpixel::{Converter, Solution, Written, trace};
use cain_isa::Dreg;
use cain_isa::program::owned::{SIDE, Step, lines};

use super::format::{Details, Format};

/// The program in one of the formats.
pub(crate) fn show(solution: &Solution, format: Format, details: Details<'_>) -> Result<String, String> {
    details.check(solution.program.program().listing.len())?;
    Ok(if format == Format::Text { text(solution, details) } else { listing(solution) })
}

/// The steps alone, below the registers of the numbers.
fn listing(solution: &Solution) -> String {
    let program = solution.program.program();
    let text = |steps: &[Step]| steps.iter().flat_map(|step| lines(step, SIDE)).collect::<Vec<_>>();
    let mut listing: Vec<String> = numbers(solution).into_iter().map(|line| format!("// {line}")).collect();
    listing.push("// once:".to_owned());
    listing.extend(text(&program.setup));
    listing.push("// each time:".to_owned());
    listing.extend(text(&program.before));
    listing.extend(program.listing.iter().map(ToString::to_string));
    listing.extend(text(&program.after));
    listing.join("\n") + "\n"
}

/// A line for each number, such as `in image: R5, bank 0`.
fn numbers(solution: &Solution) -> Vec<String> {
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    let line = |role: &str, name: &str, register: Dreg, bank: usize, converter: Option<Converter>| {
        let analogue = converter.map_or_else(String::new, |converter| format!(", {}", converter.register));
        format!("{role} {name}: {register}, bank {bank}{analogue}")
    };
    let inputs = declaration.inputs.iter().zip(&program.inputs);
    let outputs = declaration.outputs.iter().zip(&program.outputs);
    inputs
        .map(|(input, &register)| line("in", &input.name, register, input.bank, input.converted))
        .chain(outputs.map(|(output, &register)| line("out", &output.name, register, output.bank, output.converted)))
        .collect()
}

/// The steps, each word of the listing with what it writes in an example.
fn text(solution: &Solution, details: Details<'_>) -> String {
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    let mut text = format!("{}: {} control words, exact for all inputs\n", declaration.name, program.words());
    for line in numbers(solution) {
        text = format!("{text}  {line}\n");
    }
    let example: Vec<i64> = (0..).zip(&declaration.inputs).map(|(number, _)| 5 + 2 * number).collect();
    let given: Vec<String> =
        declaration.inputs.iter().zip(&example).map(|(input, number)| format!("{} = {number}", input.name)).collect();
    let given = given.join(", ");
    text = format!("{text}  behind a word: the rows of a block with {given}, where all other blocks hold 0\n");
    section(&mut text, "once", &program.setup);
    section(&mut text, "conversion of inputs", &program.before);
    if !program.listing.is_empty() {
        text += "\neach time:\n";
    }
    let words: Vec<String> = program.listing.iter().map(ToString::to_string).collect();
    let width = words.iter().map(String::len).max().unwrap_or_default();
    let written = trace(&solution.program, &example);
    for (number, word) in words.iter().enumerate().filter(|(number, _)| details.has(number + 1)) {
        let written: Vec<String> = written.get(number).into_iter().flatten().map(plane).collect();
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{:4}  {word:width$}  {}", number + 1, written.join("; "));
    }
    section(&mut text, "conversion of outputs", &program.after);
    text
}

fn section(text: &mut String, title: &str, steps: &[Step]) {
    if !steps.is_empty() {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{title}:");
    }
    for line in steps.iter().flat_map(|step| lines(step, SIDE)) {
        let _ = writeln!(text, "      {line}");
    }
}

/// What a word writes, such as `R6 = 01/10`, with `?` for bits that the program did not write.
fn plane(written: &Written) -> String {
    let bit = |bit: &Option<bool>| bit.map_or('?', |bit| if bit { '1' } else { '0' });
    let rows: Vec<String> = written.plane.iter().map(|row| row.iter().map(bit).collect()).collect();
    format!("{} = {}", written.register, rows.join("/"))
}
