//! A first program, made of the words of a macro program.

use cain_isa::{Cell, Displacement, Fraction, Instruction, Macros, Reg, Word};

use crate::engine::macros::first;
use crate::{Declaration, Input, InstructionSet, OffsetRule, Output};

/// The words of the program that a search over macro instructions finds under a rule for offset errors; `search` runs
/// that search. Thirds are taken of its results, or, where these would be too large before, of the inputs.
pub(super) fn of_macros(
    declaration: &Declaration,
    offset: OffsetRule,
    search: &mut dyn FnMut(&Declaration) -> Option<Vec<Instruction>>,
) -> Option<Vec<Instruction>> {
    let of_macros = with_macros(declaration, offset);
    let mut of_triples = of_macros.clone();
    let of_results = without_thirds(&mut of_triples).and_then(|thirds| {
        let found = search(&of_triples)?;
        Some(words(found).chain(thirds).collect::<Vec<_>>())
    });
    let words = of_results.or_else(|| {
        let mut on_thirds_of_inputs = of_macros;
        let thirds = on_thirds(&mut on_thirds_of_inputs)?;
        Some(thirds.into_iter().chain(words(search(&on_thirds_of_inputs)?)).collect())
    })?;
    Some(words.into_iter().map(Instruction::Word).collect())
}

fn words(listing: Vec<Instruction>) -> impl Iterator<Item = Word> {
    listing.into_iter().flat_map(|instruction| instruction.words())
}

/// A number of registers to overwrite that certainly suffices; `None` if the gain of such a program exceeds the limit.
pub(super) fn enough_registers(declaration: &Declaration) -> Option<usize> {
    let of_macros = with_macros(declaration, declaration.options.offset);
    first::enough_registers(&of_macros)
}

/// The declaration for a search over all macro instructions: the machine only has to have their words.
fn with_macros(declaration: &Declaration, offset: OffsetRule) -> Declaration {
    let mut of_macros = declaration.clone();
    of_macros.options.objective = declaration.options.objective_in_force();
    of_macros.options.offset = offset;
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
    let spare: Vec<Reg> = declaration.writable().into_iter().filter(|&reg| !is_output(reg)).collect();
    let mut words = Vec::new();
    for output in &mut declaration.outputs {
        let thirds = thirds(output);
        multiply(output, factor(thirds)?)?;
        for _ in 0..thirds {
            words.extend(third(output.reg, output.reg, &spare)?);
        }
    }
    Some(words)
}

/// Multiplies kernels by three until they need no thirds, and returns the words that divide the inputs before; `None` if
/// none needs thirds, or there are no registers for that. Inputs that are kept move to other registers.
fn on_thirds(declaration: &mut Declaration) -> Option<Vec<Word>> {
    let thirds = declaration.outputs.iter().map(thirds).max().filter(|&thirds| thirds > 0)?;
    let factor = factor(thirds)?;
    declaration.outputs.iter_mut().try_for_each(|output| multiply(output, factor))?;
    // The inputs are as much smaller; what the error of a result may be is that of the whole program.
    declaration.options.max_gain = declaration.max_gain().and_then(|most| most.checked_mul(factor)).into();
    declaration.options.accuracy = None;
    let mut words = Vec::new();
    for i in 0..declaration.inputs.len() {
        let Input { reg: from, keep } = declaration.inputs[i];
        let mut to = from;
        if keep {
            to = declaration.scratch.pop()?;
            declaration.inputs[i] = Input { reg: to, keep: false };
        }
        let is_input = |reg: Reg| declaration.inputs.iter().any(|input| input.reg == reg);
        let spare: Vec<Reg> = declaration.writable().into_iter().filter(|&reg| !is_input(reg)).collect();
        words.extend(third(from, to, &spare)?);
        for _ in 1..thirds {
            words.extend(third(to, to, &spare)?);
        }
    }
    Some(words)
}

/// The words that put the third of a register into another, or the same one; they overwrite two others.
fn third(from: Reg, to: Reg, spare: &[Reg]) -> Option<[Word; 2]> {
    let &[first, second, ..] = spare else { return None };
    let divided = Word::new(&[Cell::News, first.into(), second.into()], &[from.into()]).ok()?;
    Some([divided, Word::new(&[to.into()], &[Cell::News]).ok()?])
}

/// How many times a kernel has to be multiplied by three until it needs no thirds.
fn thirds(output: &Output) -> u32 {
    output.kernel.terms().map(|(_, weight)| weight.thirds()).max().unwrap_or(0)
}

fn factor(thirds: u32) -> Option<Fraction> {
    Fraction::new(3_i64.checked_pow(thirds)?, 1)
}

fn multiply(output: &mut Output, factor: Fraction) -> Option<()> {
    let kernel = std::mem::take(&mut output.kernel);
    output.kernel.add_scaled(&kernel, factor, Displacement::ZERO)
}
