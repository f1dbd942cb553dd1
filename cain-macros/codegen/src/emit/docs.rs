//! Documentation of generated items.

use std::collections::BTreeSet;

use cain_isa::prove::Report;
use cain_isa::{Fraction, Part, Reg, Stop, Times};
use cain_search::switches::SwitchTable;
use cain_search::{Accuracy, Approximated, Declaration, Matrix, Output, tenths};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use super::function::{Code, Function};
use crate::compile::Plan;
use crate::duration::microseconds;
use crate::lower::Planes;
use crate::names;

/// The documentation of the function, after the user's own.
pub(crate) fn of_function(function: &Function<'_>) -> TokenStream {
    let mut paragraphs = Vec::new();
    match function.code {
        Code::Plan(plan) => {
            paragraphs.push(formulas(plan, function.planes));
            paragraphs.push(facts(plan));
            paragraphs.extend(legend(function.planes));
            paragraphs.push(listing(plan.listing()));
        }
        Code::Stub(_) => {
            paragraphs.push(vec!["# Panics".to_owned()]);
            paragraphs.push(vec!["Always: there is no program.".to_owned()]);
        }
    }
    after(function.attributes, &paragraphs)
}

/// Paragraphs after the user's own documentation, and what is said of errors if that does not.
pub(super) fn after(attributes: &[Attribute], paragraphs: &[Vec<String>]) -> TokenStream {
    let written: Vec<String> = attributes.iter().filter_map(doc_text).collect();
    let errors = ["# Errors", "Those of the host controller."].map(|line| vec![line.to_owned()]);
    let tells_errors = written.iter().any(|text| text.contains("# Errors"));
    let more = if tells_errors { &[][..] } else { &errors };
    let mut docs = TokenStream::new();
    for (index, paragraph) in paragraphs.iter().chain(more).enumerate() {
        if index > 0 || !written.is_empty() {
            docs.extend(line(""));
        }
        docs.extend(paragraph.iter().map(|text| line(text)));
    }
    docs
}

/// How long others may have to wait.
fn switches(plan: &Plan) -> impl Iterator<Item = String> + '_ {
    let times = &plan.declaration().machine.times;
    plan.solution.program.switches().iter().map(|table| waiting(table, times))
}

/// How long those of one table may have to wait.
pub(super) fn waiting(table: &SwitchTable, times: &Times) -> String {
    let others = table.others();
    let analogue = others.analogue().iter().map(|reg| format!("`{reg}`"));
    let bits = others.bits().map(|bit| format!("`{bit}`"));
    let latency = table.latency();
    format!(
        "May be interrupted by programs on {}: they begin at most {} ({}) after a request, and cost it at most {} more.",
        analogue.chain(bits).collect::<Vec<_>>().join(", "),
        count(latency, "control word"),
        microseconds(u64::from(latency) * u64::from(times.analogue)),
        count(table.most_extra(), "control word"),
    )
}

/// The documentation of the module and of its constant.
pub(crate) fn of_plan(function: &Function<'_>) -> (TokenStream, TokenStream) {
    let name = &function.code.declaration().name;
    (line(&format!("The plan of the filter `{name}`.")), line(&format!("The plan that the function `{name}` runs.")))
}

/// A line of documentation.
pub(super) fn line(text: &str) -> TokenStream {
    // Rustdoc removes the blank that people write after `///`.
    let text = if text.is_empty() { String::new() } else { format!(" {text}") };
    quote!(#[doc = #text])
}

/// The text of the doc comments of a function; `None` if there are none.
#[cfg(any(feature = "blocks", feature = "programs"))]
pub(crate) fn documentation(attributes: &[Attribute]) -> Option<String> {
    let lines: Vec<String> = attributes.iter().filter_map(doc_text).collect();
    let line = |line: &String| line.strip_prefix(' ').unwrap_or(line).to_owned();
    (!lines.is_empty()).then(|| lines.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// The text of a doc comment.
fn doc_text(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => Some(String::new()),
        },
        _ => None,
    }
}

/// One formula per output; several form a list.
fn formulas(plan: &Plan, planes: Option<&Planes>) -> Vec<String> {
    let name = |reg: Reg| planes.and_then(|planes| planes.name(reg)).map_or_else(|| reg.to_string(), str::to_owned);
    let formula = |output| format!("`{}`", formula(plan.declaration(), output, name));
    match plan.solution.program.outputs() {
        [one] => vec![formula(one)],
        several => several.iter().map(|output| format!("- {}", formula(output))).collect(),
    }
}

/// `B = 1/4 [1 2 1] * A`.
fn formula(declaration: &Declaration, output: &Output, name: impl Fn(Reg) -> String) -> String {
    let terms: Vec<String> = (0..)
        .zip(&declaration.inputs)
        .filter_map(|(channel, input)| Some(format!("{} * {}", Matrix::of(&output.kernel, channel)?, name(input.reg))))
        .collect();
    let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
    format!("{} = {sum}", name(output.reg))
}

/// Which registers of the plan stand for which planes.
fn legend(planes: Option<&Planes>) -> Option<Vec<String>> {
    let legend = planes?.legend(|_| true)?;
    Some(vec![format!("It runs in any registers. In the plan, {legend}.")])
}

/// Costs, registers, and statistics of the search.
fn facts(plan: &Plan) -> Vec<String> {
    let report = plan.report();
    let outputs: Vec<Reg> = plan.declaration().outputs.iter().map(|output| output.reg).collect();
    let hundredths = report.icws.saturating_mul(plan.declaration().machine.times.analogue) / 10;
    let mut lines = vec![
        format!(
            "{}{}, about {}.{:02} µs on the chip; peak gain {}.",
            macros(report.macros),
            count(report.icws, "control word"),
            hundredths / 100,
            hundredths % 100,
            report.peak_gain,
        ),
        registers(&report.reads, &outputs, &report.clobbers(&outputs)),
        found(plan),
    ];
    lines.extend(expected_errors(plan, &outputs));
    lines.extend(offset_errors(report, &outputs));
    lines.extend(assumptions(plan.declaration()));
    lines.extend(switches(plan));
    if let Some(Approximated { depth, error }) = plan.approximated {
        lines.push(match plan.declaration().options.approximate {
            Some(_) => format!(
                "The kernels were chosen for a short program: their weights are multiples of 1/2^{depth}, and differ from \
                 those declared by {error} in all."
            ),
            None => format!("Weights were rounded to multiples of 1/2^{depth}; the changes add up to at most {error}."),
        });
    }
    lines
}

/// Which parts of the machine SCAMP-5 does not have, as far as it is published; none for SCAMP-5.
fn assumptions(declaration: &Declaration) -> Option<String> {
    let assumed: Vec<&str> =
        Part::ALL.into_iter().filter(|part| !declaration.machine.is_published(*part)).map(Part::name).collect();
    (!assumed.is_empty()).then(|| format!("Not for SCAMP-5: the machine has assumed {}.", assumed.join(", ")))
}

fn registers(reads: &BTreeSet<Reg>, outputs: &[Reg], clobbers: &BTreeSet<Reg>) -> String {
    let sentence = |verb: &str, registers: Vec<String>| match registers.as_slice() {
        [] => String::new(),
        some => format!("{verb} {}. ", names::list(some, "and")),
    };
    let mut line = sentence("Reads", reads.iter().map(Reg::to_string).collect());
    line += &sentence("Writes", outputs.iter().map(Reg::to_string).collect());
    line += &sentence("Clobbers", clobbers.iter().map(Reg::to_string).collect());
    line.trim_end().to_owned()
}

/// The number of macro instructions, if there are any.
fn macros(number: u32) -> String {
    if number == 0 { String::new() } else { format!("{}, ", count(number, "macro instruction")) }
}

/// How far the outputs are expected to be from the exact result.
fn expected_errors(plan: &Plan, outputs: &[Reg]) -> Vec<String> {
    let predicted = plan.solution.program.accuracy();
    let rms = |output: &Accuracy| format!("{:.1} DN", output.rms());
    let each: Vec<String> = match predicted.as_slice() {
        [one] => vec![rms(one)],
        several => several.iter().zip(outputs).map(|(output, reg)| format!("{} in `{reg}`", rms(output))).collect(),
    };
    let bias = tenths(Accuracy::worst_bias(&predicted));
    vec![format!("Expected error: {} RMS, of that a bias of {bias:.1} DN at most.", each.join(", "))]
}

/// The offset errors of the outputs, if there are any.
fn offset_errors(report: &Report, outputs: &[Reg]) -> Option<String> {
    let left = outputs.iter().filter_map(|&reg| match report.offset_error(reg) {
        Some(Fraction::ZERO) => None,
        Some(error) => Some(format!("{error} in `{reg}`")),
        None => Some(format!("an unknown multiple in `{reg}`")),
    });
    let left: Vec<String> = left.collect();
    (!left.is_empty()).then(|| format!("Transfer errors of one word left: {}.", left.join(", ")))
}

/// So many times the budget of a build is worth a search of its own.
const MORE: u64 = 100;

/// Why the search stopped, how good the program is, and what may find a better one.
fn found(plan: &Plan) -> String {
    let statistics = &plan.solution.statistics;
    let nodes = statistics.nodes;
    let bound = count(statistics.lower_bound, "instruction");
    let end = match statistics.stop {
        Stop::Proved => "Proved shortest".to_owned(),
        Stop::Nodes => {
            let more = nodes.saturating_mul(MORE);
            return format!(
                "Best within the budget; none has fewer than {bound}. Search nodes: {nodes}; `cain pin --nodes {more}` may \
                 find a better one."
            );
        }
        _ => format!("Best that the search can reach; none has fewer than {bound}"),
    };
    format!("{end}. Search nodes: {nodes}.")
}

/// Listings of more lines are folded.
const FOLDED: usize = 64;

/// A listing, line by line.
pub(super) fn listing(lines: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
    let text = |text: &str| text.to_owned();
    let lines: Vec<String> = lines.into_iter().map(|line| line.to_string()).collect();
    let count = lines.len();
    let fenced: Vec<String> = [text("```text")].into_iter().chain(lines).chain([text("```")]).collect();
    if count <= FOLDED {
        return fenced;
    }
    // Markdown inside of HTML begins after an empty line.
    let summary = format!("<details><summary>The listing, of {count} lines</summary>");
    [summary, String::new()].into_iter().chain(fenced).chain([String::new(), text("</details>")]).collect()
}

pub(super) fn count(number: u32, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
