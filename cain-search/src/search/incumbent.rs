//! The best program so far.

use cain_isa::{Instruction, Word};

use super::exact::on_values;
use super::repertoire::Repertoire;
use crate::costs::{Costs, count};
use crate::engine::budget::Budget;
use crate::engine::goals::Goals;
use crate::engine::macros::exhaust;
use crate::engine::problem::Problem;
use crate::engine::steps::Step;
use crate::engine::words::offsets::compensate;
use crate::{Declaration, OffsetRule, Proved, verify};

/// Lines of the longest program that is searched for idle lines; the effort grows with their square and more.
const MAX_TIDIED: usize = 200;

/// The best program so far, and what decides about a better one.
pub(super) struct Incumbent<'a> {
    pub(super) declaration: &'a Declaration,
    pub(super) problem: &'a Problem,
    pub(super) repertoire: Repertoire<'a>,
    pub(super) best: Option<Best>,
    pub(super) nodes_to_first: u64,
}

/// A program that was found.
pub(super) struct Best {
    pub(super) program: Proved,
    /// What it does, without moves between registers, if it was found from goals.
    pub(super) steps: Option<Vec<exhaust::Step>>,
    pub(super) costs: Costs,
    /// Nodes used when it was found.
    pub(super) nodes: u64,
}

impl Incumbent<'_> {
    /// Takes the program of a list of steps (last instruction first), if the steps fit the registers and it is better.
    /// Returns whether it did.
    pub(super) fn offer(&mut self, goals: &Goals, steps: &[Step], budget: &mut Budget<'_>) -> bool {
        let listing = self.repertoire.allocate(self.problem, goals, steps);
        let is_better = listing.is_some_and(|listing| self.take(listing, budget));
        if let (true, Some(best)) = (is_better, &mut self.best) {
            best.steps = Some(on_values(goals, steps));
        }
        is_better
    }

    /// Takes a program if it is better; returns whether it did.
    pub(super) fn take(&mut self, listing: Vec<Instruction>, budget: &mut Budget<'_>) -> bool {
        let objective = self.declaration.options.objective_in_force();
        let costs = Costs::of(self.declaration, &listing);
        if self.best.as_ref().is_some_and(|best| objective.compare(&costs, &best.costs).is_ge()) {
            return false;
        }
        let Some(listing) = self.without_offset(listing) else { return false };
        let costs = Costs::of(self.declaration, &listing);
        if self.best.as_ref().is_some_and(|best| objective.compare(&costs, &best.costs).is_ge()) {
            return false;
        }
        // The allocator does not look at gains when it moves values.
        let Ok(program) = verify(self.declaration, &listing) else { return false };
        let program = without_idle_lines(program);
        let costs = Costs::of(self.declaration, program.listing());
        if self.best.is_none() {
            self.nodes_to_first = budget.used();
        }
        budget.improved(program.listing().len());
        self.best = Some(Best { program, steps: None, costs, nodes: budget.used() });
        true
    }

    /// The program with what it takes that no output holds the transfer error, if that has to cancel.
    fn without_offset(&self, listing: Vec<Instruction>) -> Option<Vec<Instruction>> {
        match (self.declaration.options.offset_rule(), self.repertoire) {
            (OffsetRule::Cancelled, Repertoire::Words(_)) => {
                let words: Vec<Word> = listing.iter().flat_map(Instruction::words).collect();
                Some(compensate(self.declaration, &words)?.into_iter().map(Instruction::Word).collect())
            }
            _ => Some(listing),
        }
    }

    /// What steps must stay below: the best costs without those of zeros and copies, which no step makes.
    pub(super) fn bound(&self) -> Option<Costs> {
        let extra = self.repertoire.epilogue(self.problem).unwrap_or_default();
        let words = count(extra.iter().map(|instruction| instruction.words().count()).sum());
        let extra = Costs { macros: count(extra.len()), icws: words, noise: words.into() };
        self.best.as_ref().map(|best| best.costs.less(extra))
    }

    /// Nodes used when the best program was found.
    pub(super) fn nodes(&self) -> Option<u64> {
        self.best.as_ref().map(|best| best.nodes)
    }
}

/// The program without lines that it does as well without. A value that was computed a second time may still have
/// been there.
fn without_idle_lines(mut program: Proved) -> Proved {
    if program.listing().len() > MAX_TIDIED {
        return program;
    }
    let without = |listing: &[Instruction], i| [&listing[..i], &listing[i + 1..]].concat();
    // Backwards: what fed an idle line is idle once that is gone.
    while let Some(shorter) = (0..program.listing().len())
        .rev()
        .find_map(|i| verify(program.declaration(), &without(program.listing(), i)).ok())
    {
        program = shorter;
    }
    program
}
