//! The text format: the listing, with the values of all registers after each instruction.

use std::ops::RangeInclusive;

use cain_codegen::Plan;

use super::facts;
use super::form::name;
use super::grid::Line;
use super::leaving;
use super::trace::{Step, Trace, Value};

/// Programs of more instructions are listed without the values of registers, unless some are asked for.
const LONG: usize = 128;

/// The program for people to read, with the documentation of its filter; of `steps` only, if there are any.
pub(crate) fn text(plan: &Plan, doc: Option<&str>, trace: &Trace, steps: Option<&RangeInclusive<usize>>) -> String {
    let count = trace.steps.len();
    let with_values = steps.is_some() || count <= LONG;
    let shown = steps.map_or(0..=count, |steps| *steps.start()..=count.min(*steps.end()));
    let mut text = head(plan, doc);
    if !with_values {
        text.push_str("  what registers hold is shown with `--steps`, such as `--steps 1..20`\n");
    }
    text.push('\n');
    if shown.contains(&0) && with_values {
        text.push_str("  0  inputs\n");
    }
    let lines = Lines::of(plan, trace);
    for number in shown {
        if let Some(step) = number.checked_sub(1).and_then(|index| trace.steps.get(index)) {
            lines.instruction(&mut text, trace, (number, step));
        }
        if with_values {
            lines.values(&mut text, trace, number);
        }
        for way in leaving::at(plan, number).into_iter().filter(|_| number > 0) {
            text.extend(["     < ", &way, "\n"]);
        }
    }
    text
}

/// How wide columns are, and how inputs are called.
struct Lines {
    inputs: Vec<String>,
    instruction: usize,
    store: usize,
    value: usize,
}

impl Lines {
    /// Values of more characters do not make their column wider.
    const WIDEST: usize = 60;

    fn of(plan: &Plan, trace: &Trace) -> Self {
        let inputs = facts::inputs(plan.declaration());
        let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or_default();
        // Those with more weights than characters are wider in any case, and may be many.
        let narrow = trace.values.iter().filter(|value| value.holds.terms().count() <= Self::WIDEST);
        let spelled = narrow.map(|value| Line { value: &value.holds, inputs: &inputs }.to_string().len());
        Self {
            instruction: widest(&mut trace.steps.iter().map(|step| step.instruction.to_string().len())),
            store: widest(&mut trace.stores.iter().map(|store| name(*store).len())),
            value: widest(&mut spelled.filter(|length| *length <= Self::WIDEST)),
            inputs,
        }
    }

    /// An instruction, and what it makes of what.
    fn instruction(&self, text: &mut String, trace: &Trace, (number, step): (usize, &Step)) {
        let makes: Vec<String> = step.results.iter().map(|made| trace.spelled(made)).collect();
        let (instruction, width) = (step.instruction.to_string(), self.instruction);
        text.push_str(format!("{number:>3}  {instruction:<width$}  {}", makes.join(", ")).trim_end());
        text.push('\n');
    }

    /// What every register holds after so many instructions.
    fn values(&self, text: &mut String, trace: &Trace, number: usize) {
        let step = number.checked_sub(1).and_then(|index| trace.steps.get(index));
        for (index, Value { store, holds, gain, .. }) in trace.live(number) {
            let is_new = step.is_some_and(|step| step.results.iter().any(|made| made.value == index));
            let (mark, holds) =
                (if is_new { '>' } else { ' ' }, Line { value: holds, inputs: &self.inputs }.to_string());
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
