//! Shows programs on super-pixels as text.

use std::fmt::Write as _;

use cain_analysis::owned::{SIDE, Step, lines};
use cain_digital::superpixel::{Solution, Written, trace};

use super::format::Details;

/// The steps below these facts, each word of the listing with what it writes in an example.
pub(crate) fn show(solution: &Solution, facts: &[String], details: Details<'_>) -> String {
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    let mut text = format!("{}: {} control words, exact for all inputs\n", declaration.name, program.words());
    for line in facts {
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
