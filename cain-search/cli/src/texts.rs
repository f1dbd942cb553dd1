//! What the commands make of texts, without files and output.

use std::path::Path;

use cain_codegen::diagnostic::{Diagnostic, Position};
use cain_isa::{Instruction, Machine};

use crate::import;
use crate::run::text;

/// The instructions of a program for `cain run`, each with its place, for a machine with so many registers; or all that
/// is wrong with the text.
pub fn program(text: &str, registers: u16) -> Result<Vec<(Position, Instruction)>, Vec<Diagnostic>> {
    let program = text::parse(text, Machine::SCAMP5.with_registers(registers))?;
    Ok(program.steps.into_iter().map(|step| (step.at, step.instruction)).collect())
}

/// The kernel file that `cain import` writes for a configuration, and its remarks; or what is wrong, line by line.
///
/// `path` stands in remarks and errors; nothing is read there.
pub fn import(path: &Path, configuration: &str) -> Result<(String, Vec<String>), String> {
    import::import(path, configuration)
}
