//! Formats that other tools run: the vendor's C++, and programs of the FPSP simulator.

use cain_codegen::Plan;
use cain_isa::{Cell, Instruction, Operand, Reg};

use super::facts;
use crate::vendor::{block, comment, lines};

/// A kernel for the vendor's library, ready to be pasted.
pub(crate) fn pasted(plan: &Plan, doc: Option<&str>) -> String {
    lines(remarks(plan, doc).iter().map(|line| comment(line)).chain(block(plan.listing())))
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
