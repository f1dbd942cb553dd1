//! Imports the options of the search: cost function and instructions. Others have no counterpart.

use cain_codegen::printable::shell_word;

use super::json::{Node, Notes};

/// The objective of a cost function.
pub(crate) fn objective(node: &Node<'_>, notes: &mut Notes) -> Option<&'static str> {
    match node.string()?.as_str() {
        "PlanLength" => Some("macros"),
        "InstructionCost" => Some("icws"),
        "CircuitDepth" | "LengthThenCircuitDepth" | "CircuitDepthThenLength" => {
            notes.add(node, "no counterpart for circuit depth; the objective is `macros`");
            Some("macros")
        }
        _ => None,
    }
}

/// Reads the run configuration: an objective, and limits without a counterpart.
pub(crate) fn run(run: &Node<'_>, notes: &mut Notes) -> Option<&'static str> {
    let mut fields = run.fields(notes)?;
    let cost = fields.take("costFunction");
    for (key, node) in fields.rest() {
        notes.add(
            &node,
            match key.as_str() {
                "searchTime" | "timeOut" => "no counterpart; searches end by nodes, or with `--time`",
                "workers" => "no counterpart; see `--threads`",
                "traversalAlgorithm" => "no counterpart; there is one search",
                "liveCounter" | "livePrintPlans" | "quiet" => "no counterpart; progress is shown on a terminal",
                "initialMaxDepth"
                | "forcedDepthReduction"
                | "initialMaxCost"
                | "forcedCostReduction"
                | "allowableAtomsCoefficient"
                | "goalReductionsPerStep"
                | "goalReductionsTolerance" => "no counterpart; searches are limited by nodes",
                _ => UNKNOWN,
            },
        );
    }
    let cost = cost?;
    let objective = objective(&cost, notes);
    if objective.is_none() {
        notes.wrong(&cost, "unknown cost function; expected `PlanLength`, `InstructionCost`, `CircuitDepth`, `LengthThenCircuitDepth` or `CircuitDepthThenLength`");
    }
    objective
}

/// The remark about keys that are not part of the format.
pub(crate) const UNKNOWN: &str = "unknown key, left out";

/// Reads the generator of pairs: the instructions that it may use, and settings without a counterpart.
///
/// Strategies may be nested, and each may name instructions of its own.
pub(crate) fn pairs(pairs: &Node<'_>, notes: &mut Notes) -> Option<&'static str> {
    let mut found: Option<(&'static str, Node<'_>)> = None;
    let mut waiting = vec![pairs.clone()];
    while let Some(object) = waiting.pop() {
        let Some(mut fields) = object.fields(notes) else { continue };
        if let Some(format) = fields.take("outputFormat") {
            output_format(&format, notes);
        }
        if let Some(ops) = fields.take("ops") {
            match (instructions(&ops, notes), &found) {
                (Some(set), Some((earlier, at))) if set != *earlier => {
                    notes.wrong(&ops, format_args!("other instructions than at `{}`; one set is possible", at.path));
                }
                (Some(set), None) => found = Some((set, ops)),
                _ => {}
            }
        }
        for (_, node) in fields.rest() {
            if node.is_object() {
                waiting.push(node);
            } else {
                notes.add(&node, "no counterpart; the search has a strategy of its own");
            }
        }
    }
    found.map(|(set, _)| set)
}

fn instructions(ops: &Node<'_>, notes: &mut Notes) -> Option<&'static str> {
    let set = match ops.string().as_deref() {
        Some("all") => Some("macro"),
        Some("basic") => Some("basic"),
        _ => None,
    };
    if set.is_none() {
        notes.wrong(ops, "unknown instructions; expected `all` or `basic`");
    }
    set
}

/// Notes the spelling of programs, which is chosen when they are shown.
pub(crate) fn output_format(format: &Node<'_>, notes: &mut Notes) {
    let Some(mut fields) = format.fields(notes) else { return };
    let object = fields.take("simulatorName").and_then(|name| name.string());
    let name = fields.take("name").and_then(|name| name.string());
    // The documentation uses capital letters where Cain itself does not.
    let name = name.map(|name| name.to_ascii_lowercase());
    let with = match (name.as_deref(), object) {
        (Some("jssformat"), Some(object)) => format!("--format jss --simulator {}", shell_word(&object)),
        (Some("jssformat"), None) => "--format jss".to_owned(),
        _ => "--format scamp5".to_owned(),
    };
    notes.add(format, format_args!("not a part of kernel files; for this spelling run `cain show` with `{with}`"));
    for (_, unknown) in fields.rest() {
        notes.add(&unknown, UNKNOWN);
    }
}
