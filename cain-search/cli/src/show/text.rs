//! The text format: the listing, with the values of all registers after each instruction.

use std::cell::OnceCell;
use std::ops::RangeInclusive;

use cain_codegen::Plan;

use super::facts;
use super::form::name;
use super::grid::Line;
use super::leaving;
use super::trace::{Step, Trace, Value};

/// The number of instructions beyond which programs are listed without the values of registers, unless some are asked
/// for.
const LONG: usize = 128;

/// The program for people to read, with the documentation of its filter; only `steps`, if given.
pub(crate) fn text(plan: &Plan, doc: Option<&str>, trace: &Trace, steps: Option<&RangeInclusive<usize>>) -> String {
    let count = trace.steps.len();
    let with_values = steps.is_some() || count <= LONG;
    let shown = steps.map_or(0..=count, |steps| *steps.start()..=count.min(*steps.end()));
    let mut text = head(plan, doc);
    if !with_values {
        text.push_str("  what registers hold is shown with `--steps`, such as `--steps 1..20`\n");
    }
    text.push('\n');
    let lines = Lines::of(plan, trace);
    for number in shown {
        let step = number.checked_sub(1).and_then(|index| trace.steps.get(index));
        match step {
            Some(step) => lines.instruction(&mut text, number, step),
            None if with_values => text.push_str("  0  inputs\n"),
            None => {}
        }
        if with_values {
            lines.values(&mut text, number, step);
        }
        for way in step.iter().flat_map(|_| leaving::at(plan, number)) {
            text.extend(["     < ", &way, "\n"]);
        }
    }
    text
}

/// The lines of the listing, with the widths of their columns.
struct Lines<'t> {
    trace: &'t Trace,
    inputs: Vec<String>,
    /// The values as text, each formatted only once, because many exist for a long time.
    values: Vec<OnceCell<String>>,
    instruction: usize,
    store: usize,
    value: usize,
}

impl<'t> Lines<'t> {
    /// The number of characters up to which values widen their column.
    const WIDEST: usize = 60;

    fn of(plan: &Plan, trace: &'t Trace) -> Self {
        let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or_default();
        let mut lines = Self {
            trace,
            inputs: facts::inputs(plan.declaration()),
            values: vec![OnceCell::new(); trace.values.len()],
            instruction: widest(&mut trace.steps.iter().map(|step| step.instruction.to_string().len())),
            store: widest(&mut trace.stores.iter().map(|store| name(*store).len())),
            value: 0,
        };
        // Values with more weights than this many characters are wider in any case, and there may be many of them.
        let narrow = trace.values.iter().enumerate().filter(|(_, value)| value.holds.terms().count() <= Self::WIDEST);
        let lengths = narrow.map(|(index, _)| lines.value(index).len());
        lines.value = widest(&mut lengths.filter(|length| *length <= Self::WIDEST));
        lines
    }

    /// A value as text.
    fn value(&self, index: usize) -> &str {
        match (self.values.get(index), self.trace.values.get(index)) {
            (Some(written), Some(value)) => {
                written.get_or_init(|| Line { value: &value.holds, inputs: &self.inputs }.to_string())
            }
            _ => "",
        }
    }

    /// Adds an instruction, and what it makes from what.
    fn instruction(&self, text: &mut String, number: usize, step: &Step) {
        let makes: Vec<String> = step.results.iter().map(|made| self.trace.spelled(made)).collect();
        let (instruction, width) = (step.instruction.to_string(), self.instruction);
        text.push_str(format!("{number:>3}  {instruction:<width$}  {}", makes.join(", ")).trim_end());
        text.push('\n');
    }

    /// Adds what every register holds after so many instructions, the last of which was this step.
    fn values(&self, text: &mut String, number: usize, step: Option<&Step>) {
        for (index, Value { store, gain, .. }) in self.trace.live(number) {
            let is_new = step.is_some_and(|step| step.results.iter().any(|made| made.value == index));
            let (mark, holds) = (if is_new { '>' } else { ' ' }, self.value(index));
            let (stores, values) = (self.store, self.value);
            let line = format!("     {mark} {:<stores$}  {holds:<values$}  gain {gain}", name(*store));
            text.extend([line.as_str(), "\n"]);
        }
    }
}

/// Everything but the listing.
fn head(plan: &Plan, doc: Option<&str>) -> String {
    let mut lines = vec![plan.declaration().name.clone()];
    lines.extend(doc.into_iter().flat_map(str::lines).map(|line| format!("  {line}")));
    lines.extend(facts::kernels(plan).iter().map(|kernel| format!("  {kernel}")));
    lines.push(format!("  {}", facts::costs(plan)));
    lines.push(format!("  {}", facts::figures(plan)));
    lines.push(format!("  {}", facts::registers(plan)));
    lines.push(format!("  {}", facts::origin(plan)));
    lines.extend(facts::accuracy(plan).iter().map(|line| format!("  {line}")));
    lines.extend(facts::proof(plan).iter().map(|line| format!("  {line}")));
    lines.join("\n") + "\n"
}
