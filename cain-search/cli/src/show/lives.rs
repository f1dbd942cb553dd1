//! Draws a network: a column for each register, a row for each stage, and the planes in them.

use std::collections::BTreeMap;

use cain_analysis::owned::{Program, shown};
use cain_network::CompiledNetwork;

use super::parts::cost;
use super::planes::{Plane, place, planes};
use super::svg::markup::{MARGIN, Markup, length, typeset};

/// The height of a stage.
const ROW: f64 = 46.0;
/// The height of a plane in the row where it is made.
const CARD: f64 = 34.0;
/// The width of a register, including the space between it and the next one.
const COLUMN: f64 = 158.0;
/// The space between two columns.
const BETWEEN: f64 = 14.0;
/// The width of a character of code.
const CHARACTER: f64 = 7.9;

/// Draws the planes after every stage, below these lines of text.
pub(super) fn svg(compiled: &CompiledNetwork, program: &Program, head: &[String]) -> String {
    let planes = planes(compiled, None);
    let registers: BTreeMap<_, String> =
        planes.iter().flatten().map(|plane| (place(plane.held), shown(plane.held))).collect();
    let stages: Vec<_> = program.parts.iter().map(|part| (&part.name, cost(part, &program.times))).collect();
    let widest = stages.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let left = MARGIN + 16.0 + length(widest) * CHARACTER;
    let (rows, columns) = (ROW * length(stages.len()), left + COLUMN * length(registers.len()));
    let mut svg = Markup::default();
    let (width, top) = svg.begin(&compiled.network().name, head, columns, |top| top + rows);
    for (i, register) in registers.values().enumerate() {
        let middle = left + COLUMN * length(i) + (COLUMN - BETWEEN) / 2.0;
        svg.text("head-name", (middle, top - 8.0), register);
    }
    for (i, ((name, cost), planes)) in stages.iter().zip(&planes).enumerate() {
        let row = top + ROW * length(i);
        if i % 2 == 0 {
            svg.add(format_args!(r#"<rect class="stripe" y="{row:.1}" width="{width:.0}" height="{ROW}"/>"#));
        }
        svg.text("line code", (MARGIN, row + 20.0), name);
        svg.text("form", (MARGIN, row + 36.0), cost);
        for plane in planes {
            let column = registers.keys().position(|register| *register == place(plane.held)).unwrap_or_default();
            draw(&mut svg, plane, (left + COLUMN * length(column), row));
        }
    }
    svg.end()
}

/// Draws a plane after a stage: what it holds if the stage makes it, or a line if it stays.
fn draw(svg: &mut Markup, plane: &Plane, (x, y): (f64, f64)) {
    let (width, middle) = (COLUMN - BETWEEN, x + (COLUMN - BETWEEN) / 2.0);
    if !plane.is_new {
        svg.add(format_args!(r#"<path class="life" d="M{middle:.1} {y:.1}V{:.1}"/>"#, y + ROW));
        return;
    }
    let top = y + (ROW - CARD) / 2.0;
    let bottom = top + CARD;
    svg.add(format_args!(r#"<path class="life" d="M{middle:.1} {bottom:.1}V{:.1}"/>"#, y + ROW));
    svg.add(format_args!(r#"<rect class="field" x="{x:.1}" y="{top:.1}" width="{width:.1}" height="{CARD}" rx="4"/>"#));
    svg.add(format_args!(r#"<rect class="lines" x="{x:.1}" y="{top:.1}" width="{width:.1}" height="{CARD}" rx="4"/>"#));
    svg.text("label", (middle, top + 14.0), &plane.name);
    svg.text("channel", (middle, top + 27.0), &typeset(&plane.values));
}
