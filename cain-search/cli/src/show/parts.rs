//! Shows programs as text, part by part.

use std::fmt::Write as _;
use std::iter;

use cain_analysis::owned::{Line, Part, Program, Step, shown, with_points};
use cain_codegen::duration::microseconds;
use cain_isa::{Instruction, Times};
use cain_search::switches::SwitchTable;

use super::form::{forms, name};
use super::format::Details;
use super::leaving;
use super::phrases::count;
use super::planes::Plane;

/// The width up to which steps widen their column.
const WIDEST: usize = 32;

/// Every step with what it makes and where others may interrupt the program, below these lines of text; and the planes after
/// each part, if they are known.
pub(super) fn text(
    program: &Program,
    tables: &[SwitchTable],
    head: impl IntoIterator<Item = String>,
    planes: &[Vec<Plane>],
    details: Details<'_>,
) -> String {
    let mut text = format!("{}\n", program.name);
    head.into_iter().for_each(|line| text = format!("{text}  {line}\n"));
    let side = program.side();
    let width = program.steps().flat_map(|step| pieces(step, side)).map(|piece| piece.line.len());
    let width = width.max().unwrap_or_default().min(WIDEST);
    let mut number = 0;
    for (place, part) in program.parts.iter().enumerate() {
        // A comment belongs to what comes next.
        let numbered = part.steps.iter().flat_map(|step| pieces(step, side)).map(|piece| {
            let of = number + 1;
            number += usize::from(!piece.is_comment);
            (of, piece)
        });
        let listed: Vec<_> = numbered.filter(|(number, _)| details.has(*number)).collect();
        if listed.is_empty() && details.steps.is_some() {
            continue;
        }
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}: {}", part.name, cost(part, &program.times));
        for (number, Piece { line, makes, is_comment }) in listed {
            if is_comment {
                text.extend(["      ", &line, "\n"]);
                continue;
            }
            let line = format!("{number:>4}  {line:<width$}  {makes}");
            text.extend([line.trim_end(), "\n"]);
            for way in leaving::at_of_tables(tables, number) {
                text.extend(["      < ", &way, "\n"]);
            }
        }
        let results = part.made.iter().filter(|_| planes.is_empty()).flat_map(|made| made.held.iter().copied());
        let results: Vec<String> = results.map(shown).collect();
        if !results.is_empty() {
            let _ = writeln!(text, "        results in {}", results.join(" "));
        }
        for Plane { held, name, values, is_new } in planes.get(place).into_iter().flatten() {
            let mark = if *is_new { '>' } else { ' ' };
            let _ = writeln!(text, "      {mark} {:<4}  {name}, {values}", shown(*held));
        }
    }
    text
}

/// The costs of a part.
pub(super) fn cost(part: &Part, times: &Times) -> String {
    if part.words() == 0 {
        return "by the controller".to_owned();
    }
    let words = count(u64::try_from(part.words()).unwrap_or(u64::MAX), "control word");
    format!("{words}, {}", microseconds(part.nanoseconds(times)))
}

/// What is carried out between two points where a program might be left, or a comment on what comes next.
struct Piece {
    line: String,
    makes: String,
    is_comment: bool,
}

fn pieces(step: &Step, side: usize) -> Vec<Piece> {
    let makes: Vec<String> = match step {
        Step::Execute(listing) => listing.iter().map(|&instruction| made(instruction)).collect(),
        _ => Vec::new(),
    };
    // Other steps, of one line or several, make nothing that is told.
    let makes = makes.into_iter().chain(iter::repeat(String::new()));
    let lines = with_points(step, side).into_iter().zip(makes);
    lines.map(|(Line { text, points }, makes)| Piece { line: text, makes, is_comment: points == 0 }).collect()
}

/// What an instruction makes, such as `NEWS = -A[east]`; empty for words that write no analogue cell.
fn made(instruction: Instruction) -> String {
    let forms = forms(instruction).unwrap_or_default();
    let made = forms.iter().filter(|(store, form)| !form.is_unchanged(**store));
    made.map(|(store, form)| format!("{} = {form}", name(*store))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use cain_analysis::owned::Step;
    use cain_isa::Dreg;
    use cain_isa::asm::{A, B, bus, reg};
    use cain_isa::program::Grid;

    use super::pieces;

    /// No line of a step is lost, whatever else is told of it.
    #[test]
    fn all_lines_are_pieces() {
        let grid = Grid { top: 0, left: 0, row_step: 1, column_step: 1, height: 2, width: 2 };
        let outside = pieces(&Step::Outside(Dreg::ALL[5], grid), 256);
        let lines: Vec<&str> = outside.iter().map(|piece| piece.line.as_str()).collect();
        assert_eq!(lines, ["// RECT is 1 in rows 0 to 1, columns 0 to 1", "NOT(R5,RECT);"]);
        // Points at which a program is left are counted without comments.
        let step = Step::Outside(Dreg::ALL[5], grid);
        assert_eq!(outside.iter().filter(|piece| !piece.is_comment).count(), step.pieces());
        let words = pieces(&Step::Execute(vec![bus(&[reg(B)], &[reg(A)]); 2]), 256);
        assert!(words.len() == 2 && words.iter().all(|piece| piece.makes == "B = -A"));
    }
}
