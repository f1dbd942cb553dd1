//! Formats that other tools run: the vendor's C++, and programs of the FPSP simulator.

use cain_codegen::Plan;
use cain_isa::program::owned::{self, Part, Program, SIDE, Step, merged};
use cain_isa::{Cell, Instruction, Operand, Reg};

use super::facts;

/// A kernel for the vendor's library, ready to be pasted.
pub(crate) fn pasted(plan: &Plan, doc: Option<&str>) -> String {
    lines(remarks(plan, doc).iter().map(|line| comment(line)).chain(block(plan.listing())))
}

/// C++ functions that run a program on the vendor's controller: one for what is done once, if there is anything, and one for a
/// call. Their registers are not parameters: the library records a kernel when it runs for the first time, and replays it
/// afterwards.
///
/// The error is a step for which the library has no call.
pub(crate) fn function(program: &Program, remarks: &[String]) -> Result<String, String> {
    let name = &program.name;
    let of_part = |part: &Part| body(&part.steps).map_err(|step| format!("part `{}`: {step}", part.name));
    let calls = program.parts.iter().map(of_part).collect::<Result<Vec<_>, _>>()?.concat();
    let mut text: Vec<String> = remarks.iter().map(|line| comment(line)).collect();
    if !program.preparation.is_empty() {
        let once = preparation(name);
        text.push(comment(&format!("{once}() has to be called once before")));
        text.extend(defined(&once, &body(&program.preparation)?));
        text.push(String::new());
    }
    text.extend(defined(name, &calls));
    Ok(lines(text))
}

/// The name of the function for what a program does once.
pub(crate) fn preparation(name: &str) -> String {
    format!("{name}_prepare")
}

/// A function with these statements.
fn defined(name: &str, statements: &[String]) -> Vec<String> {
    let head = [format!("inline void {name}()"), "{".to_owned(), "    using namespace SCAMP5_PE;".to_owned()];
    let statements = statements.iter().map(|line| format!("    {line}"));
    head.into_iter().chain(statements).chain(["}".to_owned()]).collect()
}

/// Steps as statements; the error tells of a step that is none.
fn body(steps: &[Step]) -> Result<Vec<String>, String> {
    let mut statements = Vec::new();
    for step in merged(steps) {
        match &step {
            Step::Execute(listing) => statements.extend(block(listing)),
            Step::Level(_) | Step::Select(_) | Step::Region(_) | Step::Capture { .. } => {
                statements.extend(owned::lines(&step, SIDE));
            }
            step => return Err(format!("{}; generate Rust instead", no_statement(step))),
        }
    }
    Ok(statements)
}

/// Why a step is no statement.
fn no_statement(step: &Step) -> String {
    let line = owned::lines(step, SIDE).into_iter().next().unwrap_or_default();
    let line = line.trim_start_matches("// ").trim_end_matches(':');
    match step {
        Step::LevelOf(_) | Step::RegionOf { .. } | Step::Compute { .. } | Step::Append { .. } => format!(
            "a function of C++ has no parameters and computes no numbers, but the step `{line}` needs one of the controller"
        ),
        Step::Loop { .. } | Step::Decide { .. } => {
            format!("a function of C++ has no loops and no decisions, but the step `{line}` is one")
        }
        step if step.reads().is_some() || matches!(step, Step::Find { .. }) => {
            format!("a function of C++ cannot return what the step `{line}` reads")
        }
        _ => format!("the vendor's library has no call for the step `{line}`"),
    }
}

/// Instructions as a kernel, which the library launches at once.
fn block<'i>(listing: impl IntoIterator<Item = &'i Instruction>) -> Vec<String> {
    let listing = listing.into_iter().map(|instruction| format!("    {instruction}"));
    let (begin, end) = ("scamp5_kernel_begin();".to_owned(), "scamp5_kernel_end();".to_owned());
    [begin].into_iter().chain(listing).chain([end]).collect()
}

fn lines(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().map(|line| line + "\n").collect()
}

/// A program for the FPSP simulator <https://github.com/JamalMulla/Simulator>: a text with one call per line or, if an
/// object is named, C++ calls on that object.
///
/// The error is an instruction that the simulator does not have.
pub(crate) fn jss(plan: &Plan, doc: Option<&str>, object: Option<&str>) -> Result<String, String> {
    let mut lines: Vec<String> = remarks(plan, doc).iter().map(|line| comment(line)).collect();
    for (number, instruction) in (1..).zip(plan.listing()) {
        let (name, operands) = call(instruction);
        if let Some(missing) = operands.iter().find(|operand| !operand.exists_in_simulator()) {
            // Macro instructions have no ports of neighbours among their operands.
            let is_port = matches!(instruction, Instruction::Word(_)) && missing.name.parse::<Reg>().is_err();
            let remedy = if is_port { "; take `--isa macro`" } else { "" };
            return Err(format!(
                "instruction {number}, `{instruction}`, uses `{}`, which the simulator does not have; it has A to F and \
                 NEWS{remedy}",
                missing.name
            ));
        }
        let operands: Vec<String> = operands.iter().map(|operand| operand.spelled(object)).collect();
        let prefix = object.map_or_else(String::new, |object| format!("{object}."));
        lines.push(format!("{prefix}{name}({});", operands.join(", ")));
    }
    Ok(lines.join("\n") + "\n")
}

/// Facts about a program on analogue registers, for comments.
pub(crate) fn remarks(plan: &Plan, doc: Option<&str>) -> Vec<String> {
    let mut lines = vec![plan.declaration().name.clone()];
    lines.extend(doc.into_iter().flat_map(str::lines).map(str::to_owned));
    lines.extend(facts::kernels(plan));
    lines.push(facts::costs(plan));
    lines.push(format!("peak gain {}; {}", plan.report().peak_gain, facts::registers(plan)));
    lines.push(facts::origin(plan));
    lines.extend(facts::assumptions(plan));
    lines.push("FLAG must be set in every PE".to_owned());
    lines
}

/// One line of comment. In C++, a comment that ends with a backslash would swallow the next line.
fn comment(line: &str) -> String {
    let line: String = line.chars().filter(|character| !character.is_control()).collect();
    format!("// {}", line.trim_end_matches(['\\', ' '])).trim_end().to_owned()
}

/// An operand as the simulator sees it.
struct Argument {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Register,
    Direction,
    /// A neighbour's NEWS, or a register of another machine.
    Missing,
}

impl Argument {
    fn exists_in_simulator(&self) -> bool {
        self.kind != Kind::Missing
    }

    /// The operand as text: registers are members of the simulator, directions are not.
    fn spelled(&self, object: Option<&str>) -> String {
        match object {
            Some(object) if self.kind == Kind::Register => format!("{object}.{}", self.name),
            _ => self.name.clone(),
        }
    }
}

impl From<Reg> for Argument {
    fn from(reg: Reg) -> Self {
        // In the simulator, R0 and the like are digital registers.
        let kind = if Reg::SCAMP5.contains(&reg) { Kind::Register } else { Kind::Missing };
        Self { name: reg.to_string(), kind }
    }
}

impl From<Cell> for Argument {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Reg(reg) => reg.into(),
            Cell::News => Self { name: cell.to_string(), kind: Kind::Register },
            Cell::Port(_) | Cell::Pix | Cell::In => Self { name: cell.to_string(), kind: Kind::Missing },
        }
    }
}

impl From<Operand> for Argument {
    fn from(operand: Operand) -> Self {
        match operand {
            Operand::Reg(reg) => reg.into(),
            Operand::Direction(direction) => Self { name: direction.to_string(), kind: Kind::Direction },
            operand => Self { name: operand.to_string(), kind: Kind::Missing },
        }
    }
}

/// The name and operands of an instruction.
fn call(instruction: &Instruction) -> (&'static str, Vec<Argument>) {
    match instruction {
        Instruction::Macro(instruction) => {
            (instruction.op().name(), instruction.operands().iter().copied().map(Argument::from).collect())
        }
        Instruction::Word(word) => {
            let name = match word.destinations().len() {
                1 => "bus",
                2 => "bus2",
                _ => "bus3",
            };
            let cells = word.destinations().iter().chain(word.sources());
            (name, cells.copied().map(Argument::from).collect())
        }
    }
}
