//! First programs from searches that are part of one.

use std::ops::ControlFlow;

use cain_isa::{Instruction, Reg};

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
        declaration.options.nodes = (self.budget.left() / MACROS_FIRST).max(1);
        declaration.options.objective = self.incumbent.declaration.options.objective_in_force();
        let words = self.part(&declaration)?.iter().flat_map(Instruction::words).map(Instruction::Word).collect();
        Some(words)
    }

    /// The program of a search that is a part of this one.
    fn part(&mut self, declaration: &Declaration) -> Option<Vec<Instruction>> {
        let watch = |_| if self.budget.take() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        Some(search_watched(declaration, watch).ok()?.listing)
    }
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
