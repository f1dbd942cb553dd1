//! Documentation of filters on analogue registers.

use cain_analysis::prove::Report;
use cain_analysis::sorted::Set;
use cain_isa::{Fraction, Part, Reg, Stop};
use cain_search::{Accuracy, Approximated, Declaration, Matrix, Output, tenths};

use super::super::docs::{count, listing, waiting};
use crate::compile::Plan;
use crate::duration::microseconds;
use crate::lower::Planes;
use crate::names;

/// The documentation of the function, after the user's own.
pub(super) fn of_plan(plan: &Plan, planes: Option<&Planes>) -> Vec<Vec<String>> {
    let mut paragraphs = vec![formulas(plan, planes), facts(plan)];
    paragraphs.extend(legend(planes));
    paragraphs.push(listing(plan.listing()));
    paragraphs
}

/// How long others may have to wait.
fn switches(plan: &Plan) -> impl Iterator<Item = String> + '_ {
    let times = &plan.declaration().machine.times;
    plan.solution.program.switches().iter().map(|table| waiting(table, times))
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
    let time = report.icws.saturating_mul(plan.declaration().machine.times.analogue);
    let mut lines = vec![
        format!(
            "{}{}, about {} on the chip; peak gain {}.",
            macros(report.macros),
            count(report.icws, "control word"),
            microseconds(time.into()),
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

fn registers(reads: &Set<Reg>, outputs: &[Reg], clobbers: &Set<Reg>) -> String {
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
        Stop::Book => return format!("In the opening book, from a longer search; none has fewer than {bound}."),
        Stop::Proved => "Proved shortest".to_owned(),
        Stop::Nodes | Stop::Patience => {
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
