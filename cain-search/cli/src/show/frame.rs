//! Draws a frame of a whole program: a column for each register, a row for everything that happens, and the planes in them.

use std::collections::BTreeMap;

use cain_analysis::owned::{Program, nanoseconds, shown, words};
use cain_codegen::duration::microseconds;
use cain_codegen::kinds::Vision;
use cain_isa::program::Held;
use cain_isa::{Cells, Times};
use cain_vision::declaration::Value;
use cain_vision::{Compiled, Happening, Moment};

use super::phrases::count;
use super::planes::place;
use super::svg::markup::{LINE, MARGIN, Markup, length, wrapped};
use crate::vision::{OfVision, PlaceRecord};

/// The height of a row.
const ROW: f64 = 20.0;
/// The width of a register, including the space between it and the next one.
const COLUMN: f64 = 104.0;
/// The space between two columns.
const BETWEEN: f64 = 8.0;
/// How far what is within a loop or a decision is moved to the right.
const INDENT: f64 = 12.0;
/// The width of what happens, without indents.
const TEXT: f64 = 200.0;
/// The most characters of a name in a column.
const NAME: usize = 15;
/// The most rows of a picture.
const MOST_ROWS: usize = 1_000;

/// How to read the picture.
const LEGEND: &str = "Blue registers hold levels, orange ones bits: from where a plane is made to where it is read last. A line \
    on the left goes around what is repeated, or done under a condition.";

/// A plane in a register.
struct Life {
    held: Held,
    value: Value,
    /// The row that makes it, and the last one that reads it.
    rows: [usize; 2],
}

/// Draws a frame below these lines of text; the error tells why there is no picture of it.
pub(super) fn svg(
    of: &Vision,
    compiled: &Compiled,
    program: &Program,
    told: &OfVision,
    head: &[String],
) -> Result<String, String> {
    let moments = compiled.moments();
    if moments.len() > MOST_ROWS {
        let rows = moments.len();
        return Err(format!("the program has {rows} rows, and a picture room for {MOST_ROWS}; take `--format text`"));
    }
    let lives = lives(moments);
    let registers: BTreeMap<_, Held> = lives.iter().map(|life| (place(life.held), life.held)).collect();
    let depth = moments.iter().map(|moment| moment.depth).max().unwrap_or_default();
    let left = MARGIN + TEXT + INDENT * length(depth);
    let width = left + COLUMN * length(registers.len());
    let mut svg = Markup::default();
    let legend = wrapped(LEGEND, width - MARGIN);
    let below = LINE * (1.0 + length(legend.len()));
    let (width, top) = svg.begin(&program.name, head, width, |top| top + ROW * length(moments.len()) + below);
    for (number, held) in registers.values().enumerate() {
        let middle = left + COLUMN * length(number) + (COLUMN - BETWEEN) / 2.0;
        svg.text("head-name", (middle, top - 8.0), &shown(*held));
    }
    for (number, moment) in moments.iter().enumerate() {
        let row = top + ROW * length(number);
        if number % 2 == 0 {
            svg.add(format_args!(r#"<rect class="stripe" y="{row:.1}" width="{width:.0}" height="{ROW}"/>"#));
        }
        let is_between = matches!(moment.what, Happening::Pass | Happening::Else);
        let x = MARGIN + INDENT * length(moment.depth + usize::from(is_between));
        svg.text("form", (x, row + 14.0), &text(&moment.what, &program.times));
        if let Some(end) = end(moments, number) {
            let x = MARGIN + INDENT * length(moment.depth) + 3.0;
            let to = top + ROW * length(end) + ROW / 2.0;
            svg.add(format_args!(r#"<path class="life" d="M{x:.1} {:.1}V{to:.1}h6"/>"#, row + ROW));
        }
    }
    let ends: Vec<&PlaceRecord> = told.states.iter().chain(&told.results).collect();
    for Life { held, value, rows: [from, to] } in &lives {
        let column = registers.values().position(|register| register == held).unwrap_or_default();
        let (x, y) = (left + COLUMN * length(column), top + ROW * length(*from) + 2.0);
        let (class, height) = (class(*held), ROW * length(to - from + 1) - 4.0);
        let wide = COLUMN - BETWEEN;
        svg.add(format_args!(
            r#"<rect class="{class}" fill-opacity="0.2" x="{x:.1}" y="{y:.1}" width="{wide}" height="{height:.1}" rx="4"/>"#
        ));
        let is_end = *from + 1 == moments.len();
        let kept = ends.iter().find(|end| is_end && end.register.as_ref() == Some(&shown(*held)));
        let name = kept.map_or_else(|| of.label(*value), |kept| kept.name.clone());
        svg.text("label", (x + wide / 2.0, y + 11.5), &shortened(&name));
    }
    for (number, line) in legend.iter().enumerate() {
        svg.text("legend", (MARGIN, top + ROW * length(moments.len()) + LINE * (1.5 + length(number))), line);
    }
    Ok(svg.end())
}

/// The class of the style for what a register holds.
const fn class(held: Held) -> &'static str {
    match held {
        Held::Reg(_) => "plus",
        Held::Bit(_) => "minus",
    }
}

/// A name that fits into a column.
fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

/// What happens.
fn text(what: &Happening, times: &Times) -> String {
    match what {
        Happening::Begin => "inputs and states".to_owned(),
        Happening::Steps(steps) if words(steps) == 0 => "controller".to_owned(),
        Happening::Steps(steps) => {
            let words = count(u64::try_from(words(steps)).unwrap_or(u64::MAX), "word");
            format!("{words}, {}", microseconds(nanoseconds(steps, times)))
        }
        Happening::First => "in the first frame:".to_owned(),
        Happening::Loop { most: 1 } => "at most once:".to_owned(),
        Happening::Loop { most } => format!("at most {most} times:"),
        Happening::Pass => "in each pass:".to_owned(),
        Happening::If => "if so:".to_owned(),
        Happening::Else => "otherwise:".to_owned(),
        Happening::End => String::new(),
        Happening::Results => "results and states".to_owned(),
    }
}

/// Where a loop or a decision ends that begins there.
fn end(moments: &[Moment], begins: usize) -> Option<usize> {
    let Moment { depth, what, .. } = moments.get(begins)?;
    if !matches!(what, Happening::First | Happening::Loop { .. } | Happening::If) {
        return None;
    }
    next(moments, begins, *depth, |what| matches!(what, Happening::End))
}

/// The next row so deep in which something happens.
fn next(moments: &[Moment], from: usize, depth: usize, is: fn(&Happening) -> bool) -> Option<usize> {
    let mut rows = moments.iter().enumerate().skip(from);
    rows.find(|(_, moment)| moment.depth == depth && is(&moment.what)).map(|(row, _)| row)
}

/// How long registers hold the planes that are made.
fn lives(moments: &[Moment]) -> Vec<Life> {
    let mut lives: Vec<Life> = Vec::new();
    for (row, moment) in moments.iter().enumerate() {
        for &(held, value) in &moment.holds {
            let goes_on = |life: &Life| life.held == held && life.value == value && life.rows[1] >= row;
            if !lives.iter().any(goes_on) {
                // What was there before is drawn up to here.
                for life in lives.iter_mut().filter(|life| life.held == held && life.rows[0] < row) {
                    life.rows[1] = life.rows[1].min(row - 1);
                }
                lives.push(Life { held, value, rows: [row, last_use(moments, row, held)] });
            }
        }
    }
    lives
}

/// The last row that reads what a register holds after a row.
fn last_use(moments: &[Moment], made: usize, held: Held) -> usize {
    let (last, is_gone) = used(moments, [made + 1, moments.len()], held);
    let last = last.unwrap_or(made);
    // The next pass of a loop reads it again.
    let rows = moments.iter().enumerate().take(last).skip(made + 1);
    let loops = rows.filter(|(_, moment)| matches!(moment.what, Happening::Loop { .. }));
    let ends = loops.filter_map(|(begins, _)| end(moments, begins)).filter(|end| *end > last);
    let again = ends.filter(|end| !is_gone || !used(moments, [made + 1, *end], held).1);
    again.max().unwrap_or(last)
}

/// The last of these rows that reads what a register held before them, and whether another one is written into it.
fn used(moments: &[Moment], [mut row, to]: [usize; 2], held: Held) -> (Option<usize>, bool) {
    let cell = held.cells();
    let has = |cells: Cells| !cells.intersection(cell).is_empty();
    let mut last = None;
    while let Some(moment) = moments.get(row).filter(|_| row < to) {
        match (&moment.what, end(moments, row)) {
            // States stay what they are.
            (Happening::First, Some(end)) => {
                last = last.max(used(moments, [row + 1, end], held).0);
                row = end;
            }
            (Happening::If, Some(end)) => {
                let other = next(moments, row, moment.depth, |what| matches!(what, Happening::Else));
                let between = other.filter(|other| *other < end).unwrap_or(end);
                let ways = [[row + 1, between], [between, end]].map(|way| used(moments, way, held));
                last = ways.iter().map(|(read, _)| *read).fold(last, Option::max);
                if ways.iter().all(|(_, is_gone)| *is_gone) {
                    return (last, true);
                }
                row = end;
            }
            _ => {}
        }
        if has(moment.reads) {
            last = last.max(Some(row));
        }
        if has(moment.writes) || moment.holds.iter().any(|(other, _)| *other == held) {
            return (last, true);
        }
        row += 1;
    }
    (last, false)
}
