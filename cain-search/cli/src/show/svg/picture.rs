//! Lays out the rows and columns of the picture.

use cain_codegen::Plan;
use cain_isa::Store;

use super::arrow::arrows;
use super::card::{LEFT, Look, card, end_mark, ending, placeholder};
use super::markup::{LINE, MARGIN, Markup, STYLE, escaped, length, typeset, wrapped};
use crate::show::facts;
use crate::show::form::name;
use crate::show::trace::{Step, Trace, Value};

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cards {
    /// Each value is drawn in full.
    Drawn,
    /// Each value is a reference to its definition in the document, named `v` and its number.
    Defined,
}

/// The space above the values of a row, for the arrows.
const ARROWS: f64 = 46.0;
/// The space between two columns.
const BETWEEN: f64 = 22.0;
/// The width of a character of code.
const CHARACTER: f64 = 7.9;

/// The positions of everything.
struct Layout<'a> {
    trace: &'a Trace,
    look: &'a Look,
    cards: Cards,
    /// The left of the columns.
    left: f64,
    /// The top of the rows, the first of which holds the inputs.
    top: f64,
}

/// Draws a program.
pub(crate) fn picture(plan: &Plan, trace: &Trace, look: &Look, cards: Cards) -> String {
    let mut head = vec![facts::costs(plan), format!("{}; {}", facts::figures(plan), facts::registers(plan))];
    head.push(facts::origin(plan));
    head.extend(facts::accuracy(plan));
    head.extend(facts::proof(plan));
    let kernels = facts::kernels(plan);
    let text_width = trace.steps.iter().flat_map(|step| lines_of(trace, step)).map(|line| line.chars().count()).max();
    let characters = length(text_width.unwrap_or_default());
    // On a page, other elements show what a picture has above and below the program.
    let is_alone = cards == Cards::Drawn;
    let top = if is_alone { MARGIN + 56.0 + LINE * length(kernels.len() + head.len()) } else { MARGIN };
    let layout = Layout { trace, look, cards, left: MARGIN + 30.0 + characters * CHARACTER + 16.0, top };

    let widest = kernels.iter().chain(&head).map(|line| length(line.chars().count()) * 7.3).fold(560.0, f64::max);
    let columns = layout.column(trace.stores.len()) + MARGIN;
    let width = if is_alone { columns.max(widest + 2.0 * MARGIN) } else { columns };
    let end = layout.row(trace.steps.len() + 1);
    let legend = if is_alone { wrapped(LEGEND, width - 2.0 * MARGIN) } else { Vec::new() };
    let height = end + ARROWS + 24.0 + LINE * length(legend.len()) + MARGIN;

    let mut svg = Markup::default();
    svg.add(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img">"#
    ));
    svg.add(format_args!("<title>{}</title>", escaped(&plan.declaration().name)));
    if is_alone {
        svg.add(format_args!("<style>\n{STYLE}</style>"));
        svg.add(format_args!(r#"<rect class="paper" width="100%" height="100%"/>"#));
        title(&mut svg, plan, &kernels, &head);
    }
    layout.columns(&mut svg);
    layout.rows(&mut svg, width);
    layout.lives(&mut svg);
    layout.values(&mut svg);
    layout.outputs(&mut svg, end);
    for (i, line) in legend.iter().enumerate() {
        svg.text("legend", (MARGIN, end + ARROWS + 24.0 + LINE * length(i)), line);
    }
    svg.end()
}

/// An explanation of how to read a picture.
pub(crate) const LEGEND: &str = "Each matrix holds the weights of the input pixels around a PE, north up; the PE itself is framed. \
    Blue adds, orange subtracts; the fraction on the left counts for all cells. An arrow leads from a register that an \
    instruction reads to the one it writes; with “east”, every PE reads its east neighbour. Along a grey line a \
    register keeps its value. Gain is the sum of the absolute weights: how far the value can exceed the full scale of \
    the inputs.";

fn title(svg: &mut Markup, plan: &Plan, kernels: &[String], facts: &[String]) {
    svg.text("name", (MARGIN, MARGIN + 16.0), &plan.declaration().name);
    let rows = kernels.iter().map(|line| ("fact code", line)).chain(facts.iter().map(|line| ("fact", line)));
    for (i, (class, line)) in rows.enumerate() {
        svg.text(class, (MARGIN, MARGIN + 42.0 + LINE * length(i)), &typeset(line));
    }
}

/// The text left of a row: the instruction and its results.
fn lines_of(trace: &Trace, step: &Step) -> Vec<String> {
    let made = step.results.iter().map(|made| typeset(&trace.spelled(made)));
    std::iter::once(step.instruction.to_string()).chain(made).collect()
}

impl Layout<'_> {
    /// The left of the matrices in a column.
    fn column(&self, index: usize) -> f64 {
        self.left + LEFT + length(index) * (LEFT + self.look.width() + BETWEEN)
    }

    /// The left of the matrices of a cell.
    fn x(&self, store: Store) -> f64 {
        self.column(self.trace.stores.iter().position(|known| *known == store).unwrap_or_default())
    }

    fn centre(&self, store: Store) -> f64 {
        self.x(store) + self.look.width() / 2.0
    }

    /// The top of a row, above its arrows; row 0 holds the inputs, row 1 the results of the first instruction.
    fn row(&self, index: usize) -> f64 {
        let first = self.top + 18.0;
        match index {
            0 => first - ARROWS,
            more => first + self.look.height() + length(more - 1) * self.pitch(),
        }
    }

    fn pitch(&self) -> f64 {
        ARROWS + self.look.height()
    }

    /// The top of a value.
    fn card_top(&self, value: &Value) -> f64 {
        self.row(value.born.map_or(0, |step| step + 1)) + ARROWS
    }

    fn columns(&self, svg: &mut Markup) {
        for &store in &self.trace.stores {
            svg.text("head-name", (self.centre(store), self.top), &name(store));
        }
    }

    /// Draws the numbers, instructions and stripes.
    fn rows(&self, svg: &mut Markup, width: f64) {
        let middle = ARROWS + self.look.middle();
        svg.text("form", (MARGIN + 30.0, self.row(0) + middle + 4.0), "inputs");
        for (number, step) in (1..).zip(&self.trace.steps) {
            let top = self.row(number);
            svg.add(format_args!(r#"<g class="row" data-step="{number}">"#));
            if number % 2 == 1 {
                let height = self.pitch();
                svg.add(format_args!(r#"<rect class="stripe" y="{top:.1}" width="{width:.0}" height="{height:.1}"/>"#));
            }
            let texts = lines_of(self.trace, step);
            let first = top + middle - LINE * (length(texts.len()) - 1.0) / 2.0 + 4.0;
            svg.text("place", (MARGIN + 20.0, first), &number.to_string());
            for (i, text) in texts.iter().enumerate() {
                let class = if i == 0 { "line code" } else { "form code" };
                svg.text(class, (MARGIN + 30.0, first + LINE * length(i)), text);
            }
            svg.add(format_args!("</g>"));
        }
    }

    /// Draws where each value stays in its register.
    fn lives(&self, svg: &mut Markup) {
        for value in &self.trace.values {
            let Some(needed) = value.needed else { continue };
            let x = self.centre(value.store);
            let from = self.card_top(value) + self.look.height() + 2.0;
            let to = self.row(needed + 1) + 4.0;
            if to > from {
                svg.add(format_args!(r#"<path class="life" d="M{x:.1} {from:.1}V{to:.1}"/>"#));
            }
        }
    }

    /// Draws the values, with the arrows that lead to them.
    fn values(&self, svg: &mut Markup) {
        let inputs = self.trace.values.iter().enumerate().filter(|(_, value)| value.born.is_none());
        for (index, value) in inputs {
            self.value(svg, index, value);
        }
        for (number, step) in (1..).zip(&self.trace.steps) {
            for made in &step.results {
                let Some(value) = self.trace.values.get(made.value) else { continue };
                if value.needed.is_none() {
                    placeholder(svg, (self.centre(value.store), self.card_top(value) + self.look.middle()), "not used");
                    continue;
                }
                let top = self.row(number);
                let centre = |store| (self.centre(store), top + 4.0);
                arrows(svg, &made.form, centre, (self.x(value.store), top + ARROWS - 2.0), self.look.width());
                self.value(svg, made.value, value);
            }
        }
    }

    fn value(&self, svg: &mut Markup, index: usize, value: &Value) {
        let (x, y) = (self.x(value.store), self.card_top(value));
        match self.cards {
            Cards::Drawn => {
                svg.add(format_args!(r#"<g transform="translate({x:.1} {y:.1})">"#));
                svg.add(format_args!("{}</g>", card(self.look, value)));
            }
            Cards::Defined => svg.add(format_args!(r##"<use href="#v{index}" x="{x:.1}" y="{y:.1}"/>"##)),
        }
    }

    /// Draws the marks of the values at the end.
    fn outputs(&self, svg: &mut Markup, end: f64) {
        let steps = self.trace.steps.len();
        for (index, value) in self.trace.live(steps) {
            end_mark(svg, (self.centre(value.store), end + 4.0), &ending(self.trace, index, value));
        }
    }
}
