//! A first program, made of the words of a macro program.

use cain_isa::{Cell, Displacement, Fraction, Instruction, Macros, Reg, Word};

use crate::engine::macros::first;
use crate::{Declaration, InstructionSet, OffsetRule};

/// The words of the program that a search over macro instructions finds under a rule for offset errors; `search` runs
/// that search.
pub(super) fn of_macros(
    declaration: &Declaration,
    offset: OffsetRule,
    search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
) -> Option<Vec<Instruction>> {
    let mut of_macros = with_macros(declaration);
    of_macros.options.objective = declaration.options.objective_in_force();
    of_macros.options.offset = offset;
    let thirds = without_thirds(&mut of_macros)?;
    let words = search(&of_macros)?.into_iter().flat_map(|instruction| instruction.words());
    Some(words.chain(thirds).map(Instruction::Word).collect())
}

/// A number of registers to overwrite that certainly suffices; `None` if the gain of such a program exceeds the limit.
pub(super) fn enough_registers(declaration: &Declaration) -> Option<usize> {
    let of_macros = with_macros(declaration);
    first::enough_registers(&of_macros)
}

/// The declaration for a search over all macro instructions: the machine only has to have their words.
fn with_macros(declaration: &Declaration) -> Declaration {
    let mut of_macros = declaration.clone();
    of_macros.options.instructions = InstructionSet::Macro;
    // The limit on the gain stays the same when kernels are multiplied by three.
    of_macros.options.max_gain = declaration.max_gain().into();
    of_macros.machine.macros = Macros::ALL;
    of_macros
}

/// Multiplies kernels by three until they need no thirds, and returns the words that divide the results again; `None`
/// if there are no registers for that.
fn without_thirds(declaration: &mut Declaration) -> Option<Vec<Word>> {
    let is_output = |reg: Reg| declaration.outputs.iter().any(|output| output.reg == reg);
    let spare: Vec<Reg> = declaration.writable().into_iter().filter(|&reg| !is_output(reg)).take(2).collect();
    let mut words = Vec::new();
    for output in &mut declaration.outputs {
        let thirds = output.kernel.terms().map(|(_, weight)| weight.thirds()).max().unwrap_or(0);
        let kernel = std::mem::take(&mut output.kernel);
        output.kernel.add_scaled(&kernel, Fraction::new(3_i64.checked_pow(thirds)?, 1)?, Displacement::ZERO)?;
        for _ in 0..thirds {
            let &[first, second] = spare.as_slice() else { return None };
            let reg = Cell::Reg(output.reg);
            words.push(Word::new(&[Cell::News, first.into(), second.into()], &[reg]).ok()?);
            words.push(Word::new(&[reg], &[Cell::News]).ok()?);
        }
    }
    Some(words)
}
