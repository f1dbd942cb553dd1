//! Finds first programs, by smaller searches within the search.

use cain_isa::{Instruction, Reg};

use super::exactly::search_noting;
use super::incumbent::Found;
use super::run::Run;
use crate::engine::budget::Budget;
use crate::large::Large;
use crate::sort;
use crate::{Declaration, Input, Objective, Output, Patience, Proved};

impl Run<'_> {
    /// Finds first programs, whose costs limit the depth of the sweeps, with up to `nodes` nodes; returns whether it is
    /// of no use to repeat this with more nodes.
    pub(super) fn find_others(&mut self, nodes: u64) -> bool {
        self.find(Run::first_program, nodes) & self.find_one_by_one(nodes)
    }

    /// Takes the programs of all outputs, one after the other, that are found with up to `nodes` nodes in all; returns
    /// whether it is of no use to repeat this with more nodes.
    pub(super) fn find_one_by_one(&mut self, nodes: u64) -> bool {
        self.find(Run::one_by_one, nodes)
    }

    /// Takes what a search finds; returns whether it is of no use to repeat it with more nodes.
    fn find(&mut self, search: fn(&mut Self, u64, &mut bool) -> Option<Vec<Instruction>>, nodes: u64) -> bool {
        let mut is_done = true;
        if let Some(listing) = search(self, nodes, &mut is_done) {
            self.incumbent.take(listing, &mut self.budget);
        }
        is_done
    }

    /// Looks for a program that needs no completion, as long as there is no program; returns whether that is of no use.
    pub(super) fn find_complete_one(&mut self, nodes: u64) -> bool {
        let Self { budget, incumbent, .. } = self;
        if incumbent.best.is_some() {
            return true;
        }
        let mut is_done = true;
        let mut search = |declaration: &Declaration| part(budget, declaration, nodes, &mut is_done);
        let found = incumbent.target.complete_program(&mut search);
        found.is_some_and(|listing| incumbent.take(listing, budget)) || is_done
    }

    /// If the search considers errors, looks for a short program regardless of its error: sweeps for accurate programs
    /// take long to find any, and a short one is often accurate enough. All programs on the way to it count, since longer
    /// ones may be more accurate, and if the nodes do not suffice for the last. Returns whether it is of no use to repeat
    /// this with more nodes.
    pub(super) fn search_errors_aside(&mut self, nodes: u64) -> bool {
        if !self.looks_at_errors() {
            return true;
        }
        let mut declaration = self.incumbent.declaration.clone();
        let options = &mut declaration.options;
        if options.objective == Objective::Accuracy {
            options.objective = Objective::default();
        }
        options.accuracy = None;
        let mut is_done = true;
        let mut found = Vec::new();
        let mut note = |program: &Proved| found.push(program.listing().to_vec());
        let last = part_noting(&mut self.budget, &declaration, nodes, &mut is_done, &mut note);
        for listing in found {
            self.incumbent.take_found(listing, Found::Before, &mut self.budget);
        }
        if let Some(listing) = last {
            self.incumbent.take(listing, &mut self.budget);
        }
        is_done
    }

    /// Takes the program that the search for large maps finds with up to `nodes` nodes; returns whether more nodes
    /// would not help.
    pub(super) fn try_as_large(&mut self, nodes: u64) -> bool {
        let declaration = self.incumbent.declaration.uninterrupted();
        let Ok(large) = Large::of(&declaration) else { return true };
        let mut watch = self.budget.shared();
        let found = large.search(&mut Budget::new(nodes, &mut watch));
        drop(watch);
        let Some(found) = found else { return true };
        self.incumbent.take(found.program.listing().to_vec(), &mut self.budget);
        false
    }

    /// A program that computes several kernels one after the other; `None` if one of them overwrites what the next one
    /// needs.
    fn one_by_one(&mut self, nodes: u64, is_done: &mut bool) -> Option<Vec<Instruction>> {
        let parts = parts(self.incumbent.declaration)?;
        let nodes = (nodes / u64::try_from(parts.len()).ok()?).max(1);
        let mut listing = Vec::new();
        for kernel in &parts {
            listing.extend(part(&mut self.budget, kernel, nodes, is_done)?);
        }
        Some(listing)
    }

    /// The first program of the target.
    fn first_program(&mut self, nodes: u64, is_done: &mut bool) -> Option<Vec<Instruction>> {
        let Self { goals, budget, incumbent, .. } = self;
        incumbent.target.first_program(goals, &mut |declaration| part(budget, declaration, nodes, is_done))
    }
}

/// The program of a search within the search, whose nodes count for both. Whether the whole program can be interrupted
/// soon enough is checked when it is offered. Clears `is_done` if the search used up its nodes, so that more might
/// help.
fn part(
    budget: &mut Budget<'_>,
    declaration: &Declaration,
    nodes: u64,
    is_done: &mut bool,
) -> Option<Vec<Instruction>> {
    part_noting(budget, declaration, nodes, is_done, &mut |_| {})
}

/// [`part`], which calls `note` with each program that is better than all before.
fn part_noting(
    budget: &mut Budget<'_>,
    declaration: &Declaration,
    nodes: u64,
    is_done: &mut bool,
    note: &mut dyn FnMut(&Proved),
) -> Option<Vec<Instruction>> {
    let mut declaration = declaration.uninterrupted();
    declaration.options.nodes = nodes;
    declaration.options.patience = Patience::Any;
    let before = budget.used();
    declaration.validate().ok()?;
    let found = search_noting(&declaration, &mut budget.shared(), note);
    *is_done &= budget.used() - before < nodes;
    Some(found.ok()?.program.listing().to_vec())
}

/// Splits a declaration of several kernels into one for each, in an order in which none overwrites an input that is
/// still needed; `None` if there is no such order.
fn parts(declaration: &Declaration) -> Option<Vec<Declaration>> {
    let Declaration { inputs, outputs, .. } = declaration;
    let is_input = |reg: Reg| inputs.iter().any(|input| input.reg == reg);
    let mut order: Vec<&Output> = outputs.iter().collect();
    sort::by_key(&mut order, |output| is_input(output.reg));
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
