//! Writes the dataflow of a program in the language of Graphviz.

use cain_codegen::Plan;

use super::facts;
use super::form::name;
use super::grid::{Line, Window};
use super::trace::{Trace, Value};

/// A graph of values, whose edges lead from what an instruction reads to what it makes.
pub(crate) fn dot(plan: &Plan, trace: &Trace) -> String {
    let inputs = facts::inputs(plan.declaration());
    let mut lines = vec![
        format!("digraph {} {{", quoted(&plan.declaration().name)),
        "  rankdir = TB;".to_owned(),
        "  node [shape = box, style = rounded, fontname = \"monospace\"];".to_owned(),
        "  edge [fontname = \"monospace\", fontsize = 10];".to_owned(),
    ];
    for (index, value) in trace.values.iter().enumerate().filter(|(_, value)| value.needed.is_some()) {
        let instruction = value.born.and_then(|step| trace.steps.get(step));
        let origin = instruction.map_or_else(|| "input".to_owned(), |step| step.instruction.to_string());
        let label = [origin, format!("{} =", name(value.store)), matrix(value, &inputs)].join("\n");
        let weight = if trace.is_output(index) { ", penwidth = 2" } else { "" };
        lines.push(format!("  v{index} [label = {}{weight}];", quoted(&label)));
    }
    let made = trace.steps.iter().flat_map(|step| &step.results);
    for made in made.filter(|made| trace.values.get(made.value).is_some_and(|value| value.needed.is_some())) {
        for (part, operand) in made.form.parts().iter().zip(&made.operands) {
            let label = part.change();
            let label = if label.is_empty() { String::new() } else { format!(" [label = {}]", quoted(&label)) };
            lines.push(format!("  v{operand} -> v{}{label};", made.value));
        }
    }
    lines.push("}".to_owned());
    lines.join("\n") + "\n"
}

/// A value, with a line for each row if it has one input.
fn matrix(value: &Value, inputs: &[String]) -> String {
    let line = Line { value: &value.holds, inputs }.to_string();
    let is_small = Window::over([&value.holds].into_iter()).is_drawable();
    if inputs.len() == 1 && is_small { line.replace("; ", "\n") } else { line }
}

/// A string of the language; lines end with `\n`.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
