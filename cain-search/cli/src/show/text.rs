//! The text format: the listing, and what each register holds after each line.

use super::facts;
use super::form::name;
use super::grid::Line;
use super::source::Program;
use super::trace::{Trace, Value};

/// The program for a person to read.
pub(crate) fn text(program: &Program, trace: &Trace) -> String {
    let mut text = head(program);
    let inputs = facts::inputs(&program.declaration);
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
    }
    text
}

/// Everything but the listing.
fn head(program: &Program) -> String {
    let mut lines = vec![program.declaration.name.clone()];
    lines.extend(program.doc.iter().flat_map(|doc| doc.lines()).map(|line| format!("  {line}")));
    lines.extend(facts::kernels(program).iter().map(|kernel| format!("  {kernel}")));
    lines.push(format!("  {}", facts::costs(program)));
    lines.push(format!("  {}", facts::figures(program)));
    lines.push(format!("  {}", facts::registers(program)));
    lines.push(format!("  {}", facts::origin(program)));
    lines.extend(facts::proof(program).iter().map(|line| format!("  {line}")));
    lines.join("\n") + "\n"
}
