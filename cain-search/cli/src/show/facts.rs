//! Facts about a program that all formats show.

use cain_analysis::prove::Reach;
use cain_analysis::sorted::Set;
use cain_codegen::duration::microseconds;
use cain_codegen::printable::Printable;
use cain_codegen::{Plan, instruction_set_name};
use cain_isa::{Displacement, Fraction, Instruction, Part, Reg, Stop};
use cain_search::{Accuracy, Declaration, Objective, depth, noise, tenths};

use super::grid::Line;
use super::leaving;
use super::phrases::{count, enumerated};

/// The names of the inputs, in channel order.
pub(crate) fn inputs(declaration: &Declaration) -> Vec<String> {
    declaration.inputs.iter().map(|input| input.reg.to_string()).collect()
}

fn outputs(declaration: &Declaration) -> Vec<Reg> {
    declaration.outputs.iter().map(|output| output.reg).collect()
}

/// The kernels that the program computes, one line per output: `B = 1/4 [1 2 1] of A`.
pub(crate) fn kernels(plan: &Plan) -> Vec<String> {
    let inputs = inputs(plan.declaration());
    let outputs = plan.solution.program.outputs().iter();
    let kernel = |output: &cain_search::Output| {
        let of = if let [only] = inputs.as_slice() { format!(" of {only}") } else { String::new() };
        format!("{} = {}{of}", output.reg, Line { value: &output.kernel, inputs: &inputs })
    };
    outputs.map(kernel).collect()
}

/// The length of the program and its time on the chip.
pub(crate) fn costs(plan: &Plan) -> String {
    let report = plan.report();
    let time = report.icws.saturating_mul(plan.declaration().machine.times.analogue);
    let words = count(report.icws, "control word");
    // No instruction set has both macro instructions and words.
    let length = match plan.listing().first() {
        Some(Instruction::Word(_)) => words,
        _ => format!("{}, {words}", count(report.macros, "macro instruction")),
    };
    format!("{length}, about {} on the chip", microseconds(time.into()))
}

/// Depth, peak gain and noise.
pub(crate) fn figures(plan: &Plan) -> String {
    let noise = noise(plan.listing(), &outputs(plan.declaration()));
    let noise = noise.map_or_else(String::new, |noise| format!(", noise {noise:.1}"));
    format!("depth {}, peak gain {}{noise}", depth(plan.listing()), plan.report().peak_gain)
}

/// The use of registers, such as `reads A; writes A; clobbers B and C`.
pub(crate) fn registers(plan: &Plan) -> String {
    let outputs = outputs(plan.declaration());
    let clobbers = plan.report().clobbers(&outputs);
    let outputs: Set<Reg> = outputs.into_iter().collect();
    let phrase = |verb: &str, registers: &Set<Reg>| {
        let names: Vec<String> = registers.iter().map(Reg::to_string).collect();
        (!names.is_empty()).then(|| format!("{verb} {}", enumerated(&names)))
    };
    let phrases = [("reads", &plan.report().reads), ("writes", &outputs), ("clobbers", &clobbers)];
    phrases.into_iter().filter_map(|(verb, registers)| phrase(verb, registers)).collect::<Vec<_>>().join("; ")
}

/// The parts of the machine that SCAMP-5 does not have, as far as is published; `None` for SCAMP-5.
pub(crate) fn assumptions(plan: &Plan) -> Option<String> {
    let machine = &plan.declaration().machine;
    let assumed: Vec<&str> =
        Part::ALL.into_iter().filter(|part| !machine.is_published(*part)).map(Part::name).collect();
    (!assumed.is_empty()).then(|| format!("not for SCAMP-5: the machine has assumed {}", enumerated(&assumed)))
}

/// The origin of the program.
pub(crate) fn origin(plan: &Plan) -> String {
    match &plan.file {
        Some(file) => format!("from the plan {}", Printable(file.shown.display())),
        None => format!("found now, in {}", count(plan.solution.statistics.nodes, "search node")),
    }
}

/// The expected error of each output, and its parts.
pub(crate) fn accuracy(plan: &Plan) -> Vec<String> {
    let line = |(reg, of): (Reg, Accuracy)| {
        let Accuracy { bias, gain, distortion, fixed_pattern, noise } = of;
        let bias = tenths(bias);
        format!(
            "expected error of {reg}: {:.1} DN (bias {bias:.1}, gain {gain:.1}, distortion {distortion:.1}, fixed \
             pattern {fixed_pattern:.1}, noise {noise:.1})",
            of.rms()
        )
    };
    outputs(plan.declaration()).into_iter().zip(plan.solution.program.accuracy()).map(line).collect()
}

/// What was proved about the program, and for which machine if that is not SCAMP-5.
pub(crate) fn proof(plan: &Plan) -> Vec<String> {
    let options = &plan.declaration().options;
    let mut lines: Vec<String> = assumptions(plan).into_iter().collect();
    lines.push("replayed exactly: it computes these kernels for every image".to_owned());
    lines.extend(border(plan.solution.program.reach()));
    lines.push(transfer_error(plan));
    lines.extend(leaving::summary(plan));
    let bound = count(plan.solution.statistics.lower_bound, "instruction");
    let set = instruction_set_name(options.instructions);
    lines.push(match (plan.solution.statistics.stop, options.objective) {
        (Stop::Proved, Objective::Macros) => {
            format!("shortest: no program of the {set} instructions on these registers is shorter")
        }
        (Stop::Proved, Objective::Icws) => {
            format!("best: no program of the {set} instructions on these registers has fewer control words")
        }
        (Stop::Proved, _) => format!("best: no program of the {set} instructions on these registers is more accurate"),
        (Stop::Nodes | Stop::Patience, _) => {
            format!("best within {}; none has fewer than {bound}", count(plan.solution.statistics.nodes, "search node"))
        }
        (Stop::Book, _) => format!("in the opening book, from a longer search; none has fewer than {bound}"),
        (Stop::Interrupted, _) => format!("best before the search was ended; none has fewer than {bound}"),
        (_, _) => format!("best that the search can reach; none has fewer than {bound}"),
    });
    if let Some(moved) = plan.approximated.filter(|moved| !moved.error.is_zero()) {
        lines.push(format!("weights in multiples of 1/2^{}, moved by {} in all", moved.depth, moved.error));
    }
    lines
}

/// Where the result is undefined, because it depends on PEs beyond the border of the array.
fn border(reach: Reach) -> Option<String> {
    let (Displacement { x: west, y: south }, Displacement { x: east, y: north }) = (reach.min, reach.max);
    let sides =
        [(north, "row", "north"), (east, "column", "east"), (-south, "row", "south"), (-west, "column", "west")];
    let side = |(far, what, side): (i16, &str, &str)| format!("{} {side}", count(far.unsigned_abs(), what));
    let sides: Vec<String> = sides.into_iter().filter(|(far, ..)| *far > 0).map(side).collect();
    (!sides.is_empty()).then(|| format!("not defined at the border of the array: {}", sides.join(", ")))
}

/// The multiples of the constant error of control words that remain in the outputs.
fn transfer_error(plan: &Plan) -> String {
    let offset = |reg| match plan.report().offset_error(reg) {
        Some(Fraction::ZERO) => None,
        Some(times) => Some(format!("{reg} {times} times")),
        None => Some(format!("{reg} an unknown number of times")),
    };
    let held: Vec<String> = outputs(plan.declaration()).into_iter().filter_map(offset).collect();
    if held.is_empty() {
        "the constant transfer error cancels".to_owned()
    } else {
        format!("the constant transfer error, about 20 DN, remains: {}", held.join(", "))
    }
}
