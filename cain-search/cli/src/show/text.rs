//! The text format: the listing, with the values of all registers after each instruction.

use cain_codegen::Plan;

use super::facts;
use super::form::name;
use super::grid::Line;
use super::leaving;
use super::trace::{Trace, Value};

/// The program for people to read, with the documentation of its filter.
pub(crate) fn text(plan: &Plan, doc: Option<&str>, trace: &Trace) -> String {
    let mut text = head(plan, doc);
    let inputs = facts::inputs(plan.declaration());
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or_default();
    let width = widest(&mut trace.steps.iter().map(|step| step.instruction.to_string().len()));
    let stores = widest(&mut trace.stores.iter().map(|store| name(*store).len()));
    let values: Vec<String> =
        trace.values.iter().map(|value| Line { value: &value.holds, inputs: &inputs }.to_string()).collect();
    let value_width = widest(&mut values.iter().map(String::len).filter(|length| *length <= 60));

    let holds = |(index, value): (usize, &Value), is_new: bool| {
        let mark = if is_new { '>' } else { ' ' };
        let spelled = values.get(index).map_or("", String::as_str);
        let line = format!("     {mark} {:<stores$}  {spelled:<value_width$}  gain {}", name(value.store), value.gain);
        line + "\n"
    };
    text.push_str("\n  0  inputs\n");
    for live in trace.live(0) {
        text.push_str(&holds(live, false));
    }
    for (number, step) in (1..).zip(&trace.steps) {
        let makes: Vec<String> = step.results.iter().map(|made| trace.spelled(made)).collect();
        let instruction = step.instruction.to_string();
        text.push_str(format!("{number:>3}  {instruction:<width$}  {}", makes.join(", ")).trim_end());
        text.push('\n');
        for (index, value) in trace.live(number) {
            text.push_str(&holds((index, value), step.results.iter().any(|made| made.value == index)));
        }
        for way in leaving::at(plan, number) {
            text.extend(["     < ", &way, "\n"]);
        }
    }
    text
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
