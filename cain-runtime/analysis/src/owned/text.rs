//! Steps as text: calls of the vendor's library.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use cain_isa::program::{Area, Body, EventRead, Format, Found, Grid, Held, Selection, Term, outside};

use super::{Owned, ReadOut, Step};

/// A line of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// A call of the vendor's library, or a comment.
    pub text: String,
    /// How many of the points at which a program might be left are after this line and before the next one: one after most lines,
    /// several after the last line of a loop or a decision, which has points of its own at the ends of what is within it.
    pub points: u32,
}

/// A step on an array of that side, as calls of the vendor's library where it has such, whose columns count from the right; a
/// comment says what else the controller does.
#[must_use]
pub fn lines(step: &Step, side: usize) -> Vec<String> {
    with_points(step, side).into_iter().map(|line| line.text).collect()
}

/// The [`lines`] of a step, with the points at which a program might be left.
#[must_use]
pub fn with_points(step: &Step, side: usize) -> Vec<Line> {
    let last = side.saturating_sub(1);
    let text = match step {
        Step::Execute(listing) => return listing.iter().map(|instruction| line(instruction.to_string())).collect(),
        Step::Loop { most, check, goes_on, body, .. } => {
            let head = format!("// at most {most} times, while {}:", name(*goes_on));
            return nested(head, check, Some("// then:"), body, side);
        }
        Step::Decide { number, then, otherwise } => {
            let head = format!("// if {}:", name(*number));
            return nested(head, then, (!otherwise.0.is_empty()).then_some("// else:"), otherwise, side);
        }
        Step::Level(level) => format!("scamp5_load_in({level});"),
        Step::Compensation { level, errors } => {
            let errors = errors.map(|error| error.to_string()).join(", ");
            format!("scamp5_load_in({level}); // plus {errors} times the errors of transfers to 1, 2, 3 cells")
        }
        Step::Select(Selection { row, column, free_row_bits, free_column_bits }) => {
            // Free bits beyond the array mean nothing.
            let [row, column, free_rows, free_columns] =
                [*row, *column, *free_row_bits, *free_column_bits].map(|bits| usize::from(bits) & last);
            let column = (column ^ last) & !free_columns;
            format!("scamp5_select_pattern({row},{column},{free_rows},{free_columns});")
        }
        Step::Region(Area { top, left, height, width }) => {
            let (bottom, right) = (top + height.saturating_sub(1), left + width.saturating_sub(1));
            let [right, left] = [right, *left].map(|column| last.saturating_sub(column));
            format!("scamp5_select_rect({top},{right},{bottom},{left});")
        }
        Step::Outside(register, grid) => {
            let comment = Line { text: format!("// RECT is 1 in {}", covered(grid)), points: 0 };
            return vec![comment, line(outside(*register).to_string())];
        }
        Step::Load(plane) => format!("// load {}", plane.register),
        Step::Read(read) => format!("// read {}, {}{}", shown(read.from), covered(&read.grid), correction(read)),
        Step::Events(EventRead { from, grid, capacity, .. }) => {
            format!("// list up to {capacity} pixels of {from} that are 1, {}", covered(grid))
        }
        Step::Sum { from, .. } => format!("scamp5_global_sum_fast({from});"),
        Step::Correct { number, factor, summand } => {
            let number = name(*number);
            format!("// on a chip {number} = {factor:.3} * {number} {summand:+.1}")
        }
        Step::Count(count) => {
            format!("scamp5_scan_dreg({},buffer,0,{});", count.register, count.rows().saturating_sub(1))
        }
        Step::Store(reg, Format { dropped, least, most, guard }) => {
            format!("// {reg} = max({least}, min({most}, {reg} >> {dropped})) << {guard}")
        }
        Step::Capture { into, half } => format!("scamp5_get_image({into},{half},1);"),
        Step::LevelOf { number, corrected } => {
            let chip =
                corrected.map(|(factor, summand)| format!(" // on a chip times {factor:.3} and {summand:+.1} DN"));
            format!("scamp5_load_in({});{}", name(*number), chip.unwrap_or_default())
        }
        Step::RegionOf { register, first } => {
            let [top, left, height, width] = [0, 1, 2, 3].map(|place| name(first + place));
            format!("// {register} is 1 in {height} rows from {top} and {width} columns from {left}")
        }
        Step::Find { what, of, first } => {
            let what = match what {
                Found::Any => "whether any",
                Found::Ones => "how many",
                Found::Bounds => "the rectangle of the PEs that",
                Found::First => "the first PE that",
            };
            format!("// {}: {what} have 1 in {of}", name(*first))
        }
        Step::Compute { number, formula } => format!("// {} = {}", name(*number), infix(formula)),
        Step::Append { list, numbers, .. } => {
            let numbers: Vec<String> = numbers.iter().map(|number| name(*number)).collect();
            format!("// add {} to the list at {list}", numbers.join(", "))
        }
    };
    vec![line(text)]
}

/// By what a chip's values are corrected, if they are.
fn correction(read: &ReadOut) -> String {
    let Some((scale, shift)) = read.corrected else { return String::new() };
    format!(", on a chip times {:.3} and {:+.1} DN", scale / read.scale, (shift - read.shift) / read.scale)
}

/// A line with a point behind it.
fn line(text: String) -> Line {
    Line { text, points: 1 }
}

/// The number of the controller at a place.
fn name(place: usize) -> String {
    format!("n{place}")
}

/// Two lists of steps below a line, and what stands between them.
fn nested(head: String, first: &Body<Owned>, between: Option<&str>, second: &Body<Owned>, side: usize) -> Vec<Line> {
    let within = |of: &Body<Owned>| {
        let lines = of.0.iter().flat_map(|step| with_points(step, side));
        lines.map(|line| Line { text: format!("  {}", line.text), ..line }).collect::<Vec<_>>()
    };
    // Behind each of the two lines is the first point of what it stands above.
    let mut lines = [vec![line(head)], within(first)].concat();
    match between {
        Some(between) => lines.push(line(between.to_owned())),
        None => end(&mut lines),
    }
    lines.extend(within(second));
    end(&mut lines);
    lines
}

/// There is one more point after the last line.
fn end(lines: &mut [Line]) {
    if let Some(last) = lines.last_mut() {
        last.points += 1;
    }
}

/// A formula as it is usually written.
fn infix(formula: &[Term]) -> String {
    let mut stack: Vec<String> = Vec::new();
    for term in formula {
        let operands = stack.split_off(stack.len().saturating_sub(term.operands()));
        let text = match (term, operands.as_slice()) {
            (Term::Constant(constant), _) => constant.to_string(),
            (Term::Number(place), _) => name(*place),
            (Term::Add, [a, b]) => format!("({a} + {b})"),
            (Term::Subtract, [a, b]) => format!("({a} - {b})"),
            (Term::Multiply, [a, b]) => format!("({a} * {b})"),
            (Term::Divide, [a, b]) => format!("({a} / {b})"),
            (Term::Min, [a, b]) => format!("min({a}, {b})"),
            (Term::Max, [a, b]) => format!("max({a}, {b})"),
            (Term::Less, [a, b]) => format!("({a} < {b})"),
            (Term::AtMost, [a, b]) => format!("({a} <= {b})"),
            (Term::Equal, [a, b]) => format!("({a} == {b})"),
            (Term::Choose, [a, b, c]) => format!("({a} ? {b} : {c})"),
            _ => "?".to_owned(),
        };
        stack.push(text);
    }
    stack.pop().unwrap_or_default()
}

/// The pixels of a grid, counted from the north-west corner of the picture.
fn covered(grid: &Grid) -> String {
    let Grid { top, left, row_step, column_step, height, width } = *grid;
    let along = |first: isize, step: usize, count: usize| {
        let last = first.saturating_add_unsigned(step.saturating_mul(count.saturating_sub(1)));
        if step == 1 || count < 2 { format!("{first} to {last}") } else { format!("{first} to {last} by {step}") }
    };
    format!("rows {}, columns {}", along(top, row_step, height), along(left, column_step, width))
}

/// The name of a register.
#[must_use]
pub fn shown(held: Held) -> String {
    match held {
        Held::Reg(reg) => reg.to_string(),
        Held::Bit(bit) => bit.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::{Body, Grid, Line, Step, Term, with_points};
    use cain_isa::Dreg;
    use cain_isa::asm::{A, B, bus, reg};

    /// There are as many points as a program has boundaries, each after the line that it follows.
    #[test]
    fn lines_are_followed_by_the_points_behind_them() {
        let word = || Step::Execute(vec![bus(&[reg(B)], &[reg(A)])]);
        let compute = || Step::Compute { number: 1, formula: vec![Term::Constant(1.0)] };
        let decide = |otherwise| Step::Decide { number: 1, then: Body(vec![word()]), otherwise: Body(otherwise) };
        let repeat = |check| Step::Loop {
            most: 3,
            counter: 0,
            check: Body(check),
            goes_on: 1,
            body: Body(vec![decide(vec![])]),
        };
        let grid = Grid { top: 0, left: 0, row_step: 1, column_step: 1, height: 2, width: 2 };
        let steps = [
            word(),
            Step::Execute(vec![bus(&[reg(B)], &[reg(A)]); 3]),
            Step::Outside(Dreg::ALL[5], grid),
            decide(vec![word(), compute()]),
            decide(vec![]),
            repeat(vec![compute()]),
            repeat(vec![]),
        ];
        for step in &steps {
            let lines = with_points(step, 256);
            assert_eq!(lines.iter().map(|line| line.points as usize).sum::<usize>(), step.pieces(), "{lines:?}");
        }
        let lines = with_points(&steps[5], 256);
        let lines: Vec<(&str, u32)> = lines.iter().map(|Line { text, points }| (text.as_str(), *points)).collect();
        let expected = [
            // The first point of the check.
            ("// at most 3 times, while n1:", 1),
            ("  // n1 = 1", 1),
            ("// then:", 1),
            ("  // if n1:", 1),
            // The end of the way, that of the other one, the end of the pass and that of the loop.
            ("    bus(B,A);", 4),
        ];
        assert_eq!(lines, expected);
    }
}
