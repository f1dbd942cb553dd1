//! Shows digital programs as text.

use std::fmt::Write as _;

use cain_digital::{Declaration, Solution, Written, trace};
use cain_isa::Displacement;

use super::format::Details;

/// The words below the registers of the numbers, each with what it writes.
pub(crate) fn show(solution: &Solution, numbers: &[String], details: Details<'_>) -> String {
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    let mut text = format!("{}: {} control words, exact for all inputs\n", declaration.name, program.words());
    for line in numbers {
        text = format!("{text}  {line}\n");
    }
    text += "  a truth table has the values of the bits behind it, of which the first changes most slowly\n\n";
    let words: Vec<String> = program.listing.iter().map(ToString::to_string).collect();
    let width = words.iter().map(String::len).max().unwrap_or_default();
    let written = trace(&solution.program);
    for (number, word) in words.iter().enumerate().filter(|(number, _)| details.has(number + 1)) {
        let written: Vec<String> =
            written.get(number).into_iter().flatten().map(|written| function(written, declaration)).collect();
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{:4}  {word:width$}  {}", number + 1, written.join("; "));
    }
    text
}

/// The function that a word writes, such as `R0 = 0110 of image, image@east`.
fn function(written: &Written, declaration: &Declaration) -> String {
    let Written { bit, depends_on, table } = written;
    let names: Vec<String> = depends_on.iter().map(|&(input, bit, at)| name(declaration, input, bit, at)).collect();
    let digits = |table: &[bool]| table.iter().map(|value| if *value { '1' } else { '0' }).collect::<String>();
    match (table, names.as_slice()) {
        (Some(table), []) => format!("{bit} = {}", digits(table)),
        (Some(table), [only]) if table == &[false, true] => format!("{bit} = {only}"),
        (Some(table), [only]) => {
            if table == &[true, false] {
                format!("{bit} = !{only}")
            } else {
                format!("{bit} = {} of {only}", digits(table))
            }
        }
        (Some(table), names) => format!("{bit} = {} of {}", digits(table), names.join(", ")),
        (None, names) => format!("{bit} = a function of {} bits", names.len()),
    }
}

/// The name of a bit, such as `image[2]@(1, -1)`, without unnecessary parts.
fn name(declaration: &Declaration, input: usize, bit: u32, at: Displacement) -> String {
    let mut text = declaration.inputs.get(input).map_or_else(String::new, |input| input.name.clone());
    if declaration.inputs.get(input).is_some_and(|input| input.format.bits() > 1) {
        text = format!("{text}[{bit}]");
    }
    match (at.x, at.y) {
        (0, 0) => {}
        (1, 0) => text += "@east",
        (-1, 0) => text += "@west",
        (0, 1) => text += "@north",
        (0, -1) => text += "@south",
        (x, y) => text = format!("{text}@({x}, {y})"),
    }
    text
}
