//! The parsers of commands as functions from text to text, for tests from outside.

use std::path::Path;

use cain_codegen::diagnostic::{Diagnostic, Position};
use cain_isa::{Instruction, Machine};

use crate::import;
use crate::run::text;

/// Parses a program for `cain run`, for a machine with this number of registers: its instructions with their places, or
/// everything that is wrong with the text.
pub fn program(text: &str, registers: u16) -> Result<Vec<(Position, Instruction)>, Vec<Diagnostic>> {
    let program = text::parse(text, Machine::SCAMP5.with_registers(registers))?;
    Ok(program.statements.into_iter().map(|statement| (statement.at, statement.instruction)).collect())
}

/// The kernel file that `cain import` writes for a configuration, and its remarks; or the mistakes, line by line.
///
/// `path` appears in remarks and errors; nothing is read from there.
pub fn import(path: &Path, configuration: &str) -> Result<(String, Vec<String>), String> {
    import::import(path, configuration)
}

/// The network that `cain import` makes from a model, as text, and its remarks; or the mistakes.
///
/// The picture is binary, of -60 and 60 DN, and weights are rounded to multiples of 1/2^`depth` if that is given.
#[cfg(feature = "onnx")]
pub fn network(model: &[u8], depth: Option<u32>) -> Result<(String, Vec<String>), String> {
    import::model(model, depth)
}
