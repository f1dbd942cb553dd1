//! First programs from searches that are part of one.

use std::ops::ControlFlow;

use cain_isa::{Cell, Displacement, Fraction, Instruction, Macros, Reg, Word};

use super::{Run, search_watched};
use crate::{Declaration, Input, InstructionSet, Objective, Output};

/// The part of the budget that goes to kernels on their own, where there are several, and the most for each of them.
const SEPARATE: u64 = 8;
const MOST_SEPARATE: u64 = 500;
/// The part of the budget that goes to a short program if noise is the objective.
const SHORT_FIRST: u64 = 4;
/// The part of the budget that goes to a program of macro instructions if control words are searched.
const MACROS_FIRST: u64 = 8;

impl Run<'_> {
    /// A program for each of several kernels, one after the other; `None` if one overwrites what the next one needs.
    pub(super) fn one_by_one(&mut self) -> Option<Vec<Instruction>> {
        let parts = parts(self.incumbent.declaration)?;
        let nodes = (self.budget.left() / SEPARATE / u64::try_from(parts.len()).ok()?).clamp(1, MOST_SEPARATE);
        let mut listing = Vec::new();
        for mut part in parts {
            part.options.nodes = nodes;
            listing.extend(self.part(&part)?);
        }
        Some(listing)
    }

    /// A short program to begin with, where the objective is another one that makes it hard to find.
    pub(super) fn short_one(&mut self) -> Option<Vec<Instruction>> {
        let mut declaration = self.incumbent.declaration.clone();
        if declaration.options.objective != Objective::Noise {
            return None;
        }
        declaration.options.objective = Objective::Macros;
        declaration.options.nodes = (self.budget.left() / SHORT_FIRST).max(1);
        self.part(&declaration)
    }

    /// The words of a program of macro instructions.
    pub(super) fn of_macros(&mut self) -> Option<Vec<Instruction>> {
        let mut declaration = self.incumbent.declaration.clone();
        declaration.options.instructions = InstructionSet::Macro;
        // Only their words have to be there.
        declaration.machine.macros = Macros::ALL;
        declaration.options.nodes = (self.budget.left() / MACROS_FIRST).max(1);
        declaration.options.objective = self.incumbent.declaration.options.objective_in_force();
        let thirds = without_thirds(&mut declaration)?;
        let words = self.part(&declaration)?.into_iter().flat_map(|instruction| instruction.words());
        Some(words.chain(thirds).map(Instruction::Word).collect())
    }

    /// The program of a search that is a part of this one.
    fn part(&mut self, declaration: &Declaration) -> Option<Vec<Instruction>> {
        let watch = |_| if self.budget.take() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        Some(search_watched(declaration, watch).ok()?.program.listing().to_vec())
    }
}

/// Multiplies kernels by three until they need no thirds, and returns the words that make up for it; `None` if there are
/// no registers for them.
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

/// A declaration of several kernels as one for each of them, in an order in which none overwrites an input that is
/// still needed; `None` if there is none.
fn parts(declaration: &Declaration) -> Option<Vec<Declaration>> {
    let Declaration { inputs, outputs, .. } = declaration;
    let is_input = |reg: Reg| inputs.iter().any(|input| input.reg == reg);
    let mut order: Vec<&Output> = outputs.iter().collect();
    order.sort_by_key(|output| is_input(output.reg));
    let (last, others) = order.split_last().filter(|(_, others)| !others.is_empty())?;
    if others.iter().any(|output| is_input(output.reg)) {
        return None;
    }
    let mut parts = Vec::new();
    let mut free = declaration.writable();
    for output in &order {
        let is_last = output.reg == last.reg;
        free.retain(|&reg| reg != output.reg);
        let scratch = free.iter().copied().filter(|&reg| !is_input(reg)).collect();
        let inputs = inputs.iter().map(|input| Input { keep: input.keep || !is_last, ..*input }).collect();
        parts.push(Declaration { inputs, outputs: vec![(*output).clone()], scratch, ..declaration.clone() });
    }
    Some(parts)
}
