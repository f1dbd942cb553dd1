//! Draws a value as a shaded matrix.

use cain_isa::Fraction;

use super::markup::{Markup, escaped, length, typeset};
use crate::show::form::name;
use crate::show::grid::{Line, Window, rows, unit};
use crate::show::trace::{Trace, Value};

/// The sizes of all matrices of a picture; all show the same window, so that they can be compared.
pub(crate) struct Look {
    window: Window,
    /// The names of the input channels.
    pub(crate) inputs: Vec<String>,
    /// The side of a cell.
    cell: f64,
}

/// The space between the matrices of two channels.
const BETWEEN: f64 = 8.0;
/// The space above a matrix, for the name of its channel if there are several.
const CHANNEL_NAME: f64 = 14.0;
/// The space below a matrix, for the gain.
const GAIN: f64 = 16.0;
/// The space left of a matrix, for the register and the unit.
pub(crate) const LEFT: f64 = 40.0;

impl Look {
    /// The look of a trace; `None` if some value is too large for a picture.
    pub(crate) fn of(trace: &Trace, inputs: Vec<String>) -> Option<Self> {
        let window = Window::over(trace.values.iter().map(|value| &value.holds));
        let (rows, columns) = window.size();
        let cell = match rows.max(columns) {
            0..=3 => 22.0,
            4..=5 => 19.0,
            6..=7 => 17.0,
            8..=9 => 15.0,
            10..=13 => 12.0,
            _ => 9.0,
        };
        window.is_drawable().then_some(Self { window, inputs, cell })
    }

    /// The width and height of one matrix.
    fn matrix(&self) -> (f64, f64) {
        let (rows, columns) = self.window.size();
        (self.cell * length(columns), self.cell * length(rows))
    }

    fn above(&self) -> f64 {
        if self.inputs.len() > 1 { CHANNEL_NAME } else { 0.0 }
    }

    /// The width of all matrices of a value, without the space left of them.
    pub(crate) fn width(&self) -> f64 {
        length(self.inputs.len()) * (self.matrix().0 + BETWEEN) - BETWEEN
    }

    /// The height of a value, including its texts.
    pub(crate) fn height(&self) -> f64 {
        self.above() + self.matrix().1 + GAIN
    }

    /// The distance from the top to the middle of the matrices.
    pub(crate) fn middle(&self) -> f64 {
        self.above() + self.matrix().1 / 2.0
    }
}

/// Draws a value; the origin is at the left of its first matrix, and at the top.
pub(crate) fn card(look: &Look, value: &Value) -> String {
    let mut svg = Markup::default();
    let (width, height) = look.matrix();
    let line = Line { value: &value.holds, inputs: &look.inputs }.to_string();
    svg.add(format_args!("<title>{} = {}, gain {}</title>", name(value.store), escaped(&line), value.gain));
    svg.text("reg", (-7.0, look.above() + 11.0), &name(value.store));
    let unit = unit(&value.holds);
    if unit != Fraction::ONE {
        let below_the_register = look.above() + 25.0;
        svg.text("unit", (-7.0, (look.middle() + 7.0).max(below_the_register)), &format!("{unit} ×"));
    }
    let strongest = value.holds.terms().map(|(_, weight)| weight.abs()).max().unwrap_or(Fraction::ONE);
    for (channel, input) in (0..=u16::MAX).zip(&look.inputs) {
        let left = f64::from(channel) * (width + BETWEEN);
        svg.add(format_args!(r#"<g transform="translate({left:.1} {:.1})">"#, look.above()));
        if look.inputs.len() > 1 {
            svg.text("channel", (width / 2.0, -4.0), input);
        }
        matrix(&mut svg, look, &rows(&value.holds, channel, look.window), strongest.checked_div(unit));
        svg.add(format_args!("</g>"));
    }
    svg.text("gain", (look.width() / 2.0, look.above() + height + 11.5), &format!("gain {}", value.gain));
    svg.into_text()
}

/// Draws one matrix; the larger a weight, the darker its cell.
fn matrix(svg: &mut Markup, look: &Look, rows: &[Vec<Fraction>], strongest: Option<Fraction>) {
    let (width, height) = look.matrix();
    let cell = look.cell;
    svg.add(format_args!(r#"<rect class="field" width="{width:.1}" height="{height:.1}"/>"#));
    for (r, row) in (0_u16..).zip(rows) {
        for (c, weight) in (0_u16..).zip(row).filter(|(_, weight)| !weight.is_zero()) {
            let strength = strongest.map_or(1.0, |strongest| weight.abs().to_f64() / strongest.to_f64());
            let (x, y) = (f64::from(c) * cell, f64::from(r) * cell);
            let class = if *weight < Fraction::ZERO { "minus" } else { "plus" };
            let opacity = 0.2 + 0.8 * strength;
            svg.add(format_args!(
                r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{cell}" height="{cell}" fill-opacity="{opacity:.2}"/>"#
            ));
            weight_in_cell(svg, cell, (x, y), &typeset(&weight.to_string()), opacity > 0.7);
        }
    }
    let (row, column) = look.window.centre();
    let side = cell - 2.0;
    svg.add(format_args!(r#"<path class="lines" d="{}"/>"#, lines(look)));
    svg.add(format_args!(
        r#"<rect class="pe" x="{:.1}" y="{:.1}" width="{side:.1}" height="{side:.1}"/>"#,
        cell * length(column) + 1.0,
        cell * length(row) + 1.0
    ));
}

/// Draws a weight in its cell, unless it is too long to be legible.
fn weight_in_cell(svg: &mut Markup, cell: f64, (x, y): (f64, f64), text: &str, on_strong: bool) {
    let share = match text.chars().count() {
        1 => 0.56,
        2 => 0.52,
        3 => 0.45,
        4 => 0.38,
        5 => 0.31,
        _ => return,
    };
    let class = if on_strong { "number strong" } else { "number" };
    let (x, y) = (x + cell / 2.0, y + cell / 2.0 + cell * share * 0.36);
    svg.add(format_args!(
        r#"<text class="{class}" x="{x:.1}" y="{y:.1}" font-size="{:.1}">{text}</text>"#,
        cell * share
    ));
}

/// Draws a mark in place of a value, such as `free`.
pub(crate) fn placeholder(svg: &mut Markup, (x, y): (f64, f64), why: &str) {
    let (left, top) = (x - 29.0, y - 10.0);
    svg.add(format_args!(r#"<rect class="placeholder" x="{left:.1}" y="{top:.1}" width="58" height="20" rx="10"/>"#));
    svg.text("placeholder-name", (x, y + 3.5), why);
}

/// What becomes of a value that exists at the end.
pub(crate) fn ending(trace: &Trace, index: usize, value: &Value) -> String {
    format!("{} {}", name(value.store), if trace.is_output(index) { "output" } else { "kept" })
}

/// Draws a mark below a value at the end.
pub(crate) fn end_mark(svg: &mut Markup, (x, y): (f64, f64), text: &str) {
    svg.add(format_args!(r#"<rect class="mark" x="{:.1}" y="{y:.1}" width="76" height="22" rx="11"/>"#, x - 38.0));
    svg.text("end", (x, y + 15.5), text);
}

/// The lines between the cells.
fn lines(look: &Look) -> String {
    let (width, height) = look.matrix();
    let (rows, columns) = look.window.size();
    let places = |cells: usize| (1..cells).map(|i| look.cell * length(i));
    let vertical = places(columns).map(|x| format!("M{x:.1} 0V{height:.1}"));
    let horizontal = places(rows).map(|y| format!("M0 {y:.1}H{width:.1}"));
    let frame = format!("M0 0H{width:.1}V{height:.1}H0Z");
    vertical.chain(horizontal).chain([frame]).collect()
}
