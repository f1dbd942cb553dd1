//! Which registers a function over super-pixels uses, and for what.

use std::collections::BTreeSet;

use cain_analysis::owned::Step;
use cain_digital::superpixel::{Declaration, Program, Solution};
use cain_isa::{Cell, Dreg, Instruction, Reg, Word};

use super::super::digital::targets;
use super::super::frame;

/// The function of a filter over super-pixels.
pub(crate) type Function<'a> = frame::Function<'a, Declaration, Solution>;

/// Whether numbers come from analogue registers or go to them, which takes the controller.
pub(super) fn converts(declaration: &Declaration) -> bool {
    declaration.inputs.iter().any(|input| input.converted.is_some())
        || declaration.outputs.iter().any(|output| output.converted.is_some())
}

/// The registers of a function.
pub(super) struct Registers {
    /// The register of each number.
    pub(super) inputs: Vec<Dreg>,
    pub(super) outputs: Vec<Dreg>,
    /// What is prepared once.
    pub(super) reserved: BTreeSet<Dreg>,
    /// What the preparation and a run write beside that and the inputs that are given as numbers.
    pub(super) scratch: BTreeSet<Dreg>,
    /// The analogue registers that it writes beside those of inputs.
    pub(super) analogue: BTreeSet<Reg>,
}

impl Registers {
    /// Those of a program, or those that some program has.
    pub(super) fn of(declaration: &Declaration, program: Option<&Program>) -> Self {
        let (inputs, outputs) =
            program.map_or_else(|| canonical(declaration), |program| (program.inputs.clone(), program.outputs.clone()));
        let reserved: BTreeSet<Dreg> = program.map_or_else(
            || Dreg::ALL[1..5].iter().copied().collect(),
            |known| known.reserved.iter().copied().collect(),
        );
        let given: BTreeSet<Dreg> = declaration
            .inputs
            .iter()
            .zip(&inputs)
            .filter_map(|(input, register)| input.converted.is_none().then_some(*register))
            .collect();
        let words: Vec<Word> = program.map(words).unwrap_or_default();
        let written = words.iter().flat_map(targets);
        let used: BTreeSet<Dreg> = written.chain(inputs.iter().copied()).chain(outputs.iter().copied()).collect();
        let levels = words.iter().flat_map(|word| word.destinations().iter()).filter_map(|cell| match cell {
            Cell::Reg(register) => Some(*register),
            _ => None,
        });
        let of_inputs = declaration.inputs.iter().filter_map(|input| input.converted);
        let of_inputs: BTreeSet<Reg> = of_inputs.map(|converter| converter.register).collect();
        let of_outputs = declaration.outputs.iter().filter_map(|output| output.converted);
        let levels: BTreeSet<Reg> = of_outputs.map(|converter| converter.register).chain(levels).collect();
        Self {
            scratch: used.difference(&given).copied().filter(|register| !reserved.contains(register)).collect(),
            analogue: levels.difference(&of_inputs).copied().collect(),
            inputs,
            outputs,
            reserved,
        }
    }
}

/// The registers of numbers without a program.
fn canonical(declaration: &Declaration) -> (Vec<Dreg>, Vec<Dreg>) {
    let free = || Dreg::ALL[5..].iter().chain(&Dreg::ALL[..1]).copied();
    let inputs: Vec<Dreg> = free().take(declaration.inputs.len()).collect();
    let kept = declaration.inputs.iter().zip(&inputs).filter(|(input, _)| input.keep);
    let kept: Vec<Dreg> = kept.map(|(_, register)| *register).collect();
    let outputs = free().filter(|register| !kept.contains(register)).take(declaration.outputs.len()).collect();
    (inputs, outputs)
}

/// All words of the preparation and of a run.
fn words(program: &Program) -> Vec<Word> {
    let steps = program.setup.iter().chain(&program.before).chain(&program.after);
    let instructions = steps.filter_map(Step::listing).flatten().chain(&program.listing);
    instructions.flat_map(Instruction::words).collect()
}
