//! Draws one instruction, with the registers before and after it.

use cain_isa::Store;

use crate::show::form::name;
use crate::show::svg::arrow::arrows;
use crate::show::svg::card::{LEFT, Look, end_mark, ending, placeholder};
use crate::show::svg::markup::{Markup, length};
use crate::show::trace::{Step, Trace};

/// The margin around everything.
const MARGIN: f64 = 14.0;
/// The space left of the registers, for the name of the row.
const ROW_NAME: f64 = 64.0;
/// The space above the registers, for their names.
const NAMES: f64 = 26.0;
/// The space between the rows before and after.
const ARROWS: f64 = 70.0;
/// The space below the registers, where the outputs are marked.
const ENDS: f64 = 34.0;
const BETWEEN: f64 = 18.0;

/// Draws the registers around an instruction; values come from the definitions of the document.
pub(crate) struct Stage<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) look: &'a Look,
}

impl Stage<'_> {
    /// The state after this number of instructions and before the last of them; only the inputs for 0.
    pub(crate) fn draw(&self, steps: usize) -> String {
        let step = steps.checked_sub(1).and_then(|last| self.trace.steps.get(last));
        let (before, after) = (MARGIN + NAMES, MARGIN + NAMES + self.look.height() + ARROWS);
        let columns = length(self.trace.stores.len());
        let width = 2.0 * MARGIN + ROW_NAME + columns * (LEFT + self.look.width() + BETWEEN);
        let height = after + self.look.height() + ENDS;
        let mut svg = Markup::default();
        svg.add(format_args!(
            r#"<svg width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img">"#
        ));
        for &store in &self.trace.stores {
            svg.text("head-name", (self.centre(store), MARGIN + 10.0), &name(store));
        }
        if let Some(step) = step {
            self.before(&mut svg, step, steps - 1, before);
            self.between(&mut svg, step, steps, (before + self.look.height() + 2.0, after));
        }
        self.after(&mut svg, step, steps, after);
        svg.add(format_args!("</svg>"));
        svg.into_text()
    }

    fn left(&self, store: Store) -> f64 {
        let column = self.trace.stores.iter().position(|known| *known == store).unwrap_or_default();
        MARGIN + ROW_NAME + LEFT + length(column) * (LEFT + self.look.width() + BETWEEN)
    }

    fn centre(&self, store: Store) -> f64 {
        self.left(store) + self.look.width() / 2.0
    }

    fn row_name(&self, svg: &mut Markup, top: f64, text: &str) {
        svg.text("form", (MARGIN, top + self.look.middle() + 4.0), text);
    }

    /// Draws the operands, and the other registers dimmed.
    fn before(&self, svg: &mut Markup, step: &Step, steps: usize, top: f64) {
        self.row_name(svg, top, "before");
        let is_operand = |index: usize| step.results.iter().any(|made| made.operands.contains(&index));
        for &store in &self.trace.stores {
            match self.trace.live(steps).find(|(_, value)| value.store == store) {
                Some((index, _)) => self.value(svg, index, store, top, is_operand(index)),
                None => placeholder(svg, (self.centre(store), top + self.look.middle()), "free"),
            }
        }
    }

    /// Draws arrows to what is made, and lines to what stays.
    fn between(&self, svg: &mut Markup, step: &Step, steps: usize, (top, bottom): (f64, f64)) {
        let stays = self.trace.live(steps).filter(|(_, value)| value.born != Some(steps - 1));
        for (_, value) in stays {
            let x = self.centre(value.store);
            svg.add(format_args!(r#"<path class="life" d="M{x:.1} {top:.1}V{:.1}"/>"#, bottom - 4.0));
        }
        for made in &step.results {
            let Some(value) = self.trace.values.get(made.value) else { continue };
            let class = if value.needed.is_none() { "dim" } else { "made" };
            svg.add(format_args!(r#"<g class="{class}">"#));
            let centre = |store| (self.centre(store), top);
            arrows(svg, &made.form, centre, (self.left(value.store), bottom - 2.0), self.look.width());
            svg.add(format_args!("</g>"));
        }
    }

    /// Draws the results, and the other registers dimmed.
    fn after(&self, svg: &mut Markup, step: Option<&Step>, steps: usize, top: f64) {
        self.row_name(svg, top, if step.is_some() { "after" } else { "inputs" });
        let results = || step.into_iter().flat_map(|step| &step.results).map(|made| made.value);
        let is_over = steps == self.trace.steps.len();
        for &store in &self.trace.stores {
            let centre = self.centre(store);
            if let Some((index, value)) = self.trace.live(steps).find(|(_, value)| value.store == store) {
                self.value(svg, index, store, top, step.is_none() || results().any(|made| made == index));
                if is_over {
                    end_mark(svg, (centre, top + self.look.height() + 6.0), &ending(self.trace, index, value));
                }
                continue;
            }
            let unused = |index: &usize| self.trace.values.get(*index).is_some_and(|value| value.store == store);
            match results().find(unused) {
                Some(index) => {
                    self.value(svg, index, store, top, false);
                    placeholder(svg, (centre, top + self.look.height() + 14.0), "not used");
                }
                None => placeholder(svg, (centre, top + self.look.middle()), "free"),
            }
        }
    }

    fn value(&self, svg: &mut Markup, index: usize, store: Store, top: f64, takes_part: bool) {
        let class = if takes_part { "" } else { r#" class="dim""# };
        let left = self.left(store);
        svg.add(format_args!(r##"<use{class} href="#v{index}" x="{left:.1}" y="{top:.1}"/>"##));
    }
}
