//! The searches of a network.

use std::fmt;
use std::ops::ControlFlow;

use cain_analysis::owned::Step;
use cain_isa::{Instruction, Machine, Progress};
use cain_search::{Declaration, Objective, Options, Proved, SearchError, Solution, search_without_remedy};

use super::linear::{Program, Sum, Unmade, smaller_first};
use super::memo::{Found, Memo};
use super::pinned::{Log, Pins, Searched, Wanted};
use super::summand::with_summands;

/// The number of filters whose budget networks with more sums share.
const MOST_FILTERS: u64 = 8;
/// The factor by which a search gets more nodes after finding nothing.
const MORE: u64 = 4;
/// The ratio between the states for a program in digital registers and the nodes for a sum, which take more time each.
const NODES_OF_EXACT: u64 = 20;

/// The searches of a network and their results.
#[derive(Debug)]
pub(super) struct Searches<'w> {
    machine: Machine,
    options: Options,
    sums: Memo<Declaration, Proved, SearchError>,
    exact: Memo<cain_digital::Declaration, cain_digital::Program, cain_digital::SearchError>,
    log: Log,
    watch: Watching<'w>,
    /// The present budget of a filter.
    nodes: u64,
    share: Share,
    /// The nodes left for sums whose share of the budget is not enough.
    left: u64,
    /// The answers since planes were last made.
    answers: Vec<Answer>,
    exact_answers: Vec<(cain_digital::Declaration, Result<cain_digital::Program, cain_digital::SearchError>)>,
    /// The steps of programs with levels, which other budgets ask for again.
    steps: Vec<Stepped>,
    /// The smaller budgets for which the answers are the same.
    same: Same,
}

/// An answer about sums.
#[derive(Debug)]
struct Answer {
    declaration: Declaration,
    /// Whether the search went on for longer after finding nothing.
    needed: bool,
    program: Result<Proved, SearchError>,
}

/// A program of sums, and its steps with the levels that are wanted, if there are any.
#[derive(Debug)]
struct Stepped {
    listing: Vec<Instruction>,
    sum: Sum,
    steps: Option<Vec<Step>>,
}

/// The share of a filter's budget that a search for a sum gets.
#[derive(Clone, Copy, Debug)]
struct Share {
    sums: u64,
}

impl Share {
    fn of(sums: usize) -> Self {
        Self { sums: u64::try_from(sums).unwrap_or(u64::MAX).max(1) }
    }

    /// The nodes for all sums: those of a filter for each of them, but at most for [`MOST_FILTERS`].
    fn all(self, budget: u64) -> u64 {
        budget.saturating_mul(self.sums.min(MOST_FILTERS))
    }

    /// The nodes of a search for `outputs` sums: half of their share, since they are searched for together and one by
    /// one.
    fn nodes(self, budget: u64, outputs: u64) -> u64 {
        (self.all(budget) / self.sums / 2).max(1).saturating_mul(outputs)
    }
}

/// The conditions under which all answers are the same with a smaller budget.
#[derive(Debug, Default)]
struct Same {
    /// For each search its share of the budget, its number of sums, and the nodes from which on it finds the same.
    sums: Vec<(Share, u64, u64)>,
    /// The nodes from which on searches in digital registers find the same.
    exact: u64,
    /// Whether a search went on for longer than its share.
    went_on: bool,
}

impl<'w> Searches<'w> {
    pub(super) fn new(machine: Machine, options: &Options, watch: &'w mut Watch<'w>) -> Self {
        Self {
            machine,
            options: Options { objective: Objective::Icws, ..options.clone() },
            sums: Memo::default(),
            exact: Memo::default(),
            log: Log::default(),
            watch: Watching { watch, spent: 0, is_ended: false },
            nodes: options.nodes,
            share: Share::of(1),
            left: 0,
            answers: vec![],
            exact_answers: vec![],
            steps: vec![],
            same: Same::default(),
        }
    }

    /// Uses another budget from now on, and forgets all answers.
    pub(super) fn restart(&mut self, nodes: u64) {
        self.nodes = nodes;
        self.same = Same::default();
        self.exact_answers.clear();
        self.log = Log::default();
    }

    /// Answers with the results of earlier searches from now on.
    pub(super) fn answer_with(&mut self, pins: Pins) {
        self.log = Log::pinned(pins);
    }

    /// Prepares for searching for this many sums, and forgets the answers about others.
    ///
    /// The budget is that of a filter for each sum, but at most for [`MOST_FILTERS`]; another half of it is for sums
    /// for which nothing is found at first.
    pub(super) fn begin(&mut self, sums: usize) {
        self.share = Share::of(sums);
        self.left = self.share.all(self.nodes) / 2;
        self.answers.clear();
    }

    /// Whether all answers would be the same with a smaller budget.
    pub(super) fn are_same_with(&self, nodes: u64) -> bool {
        let sums = &self.same.sums;
        !self.same.went_on
            && nodes.saturating_mul(NODES_OF_EXACT) >= self.same.exact
            && sums.iter().all(|&(share, outputs, least)| share.nodes(nodes, outputs) >= least)
    }

    /// Whether the watch has ended the searches; from then on nothing is found.
    pub(super) fn are_ended(&self) -> bool {
        self.watch.is_ended
    }

    /// The first question for which the pins had no answer, or a wrong one.
    pub(super) fn unanswered(&self) -> Option<&Wanted> {
        self.log.unanswered()
    }

    /// Takes the questions and their answers.
    pub(super) fn take_searched(&mut self) -> Vec<Searched> {
        std::mem::take(&mut self.log).into_searched()
    }

    /// A program for sums, with the wanted summands; the same one every time. If `needed`, a search that finds nothing
    /// goes on for longer.
    pub(super) fn search(&mut self, sum: &Sum, needed: bool) -> Result<Program, Unmade> {
        let declaration = sum.declaration(self.machine, &self.options);
        let proved = self.answer(&declaration, needed).map_err(Unmade::Search)?;
        let is_it = |known: &&Stepped| known.listing == proved.listing() && known.sum == *sum;
        let known = self.steps.iter().find(is_it).map(|known| known.steps.clone());
        let steps = known.unwrap_or_else(|| {
            let steps = with_summands(&proved, (&sum.ranges, &sum.zeros), &sum.wanted);
            let listing = proved.listing().to_vec();
            self.steps.push(Stepped { listing, sum: sum.clone(), steps: steps.clone() });
            steps
        });
        Ok(Program { proved, steps: steps.ok_or(Unmade::Summand)? })
    }

    fn answer(&mut self, declaration: &Declaration, needed: bool) -> Result<Proved, SearchError> {
        if let Some(answer) = self.answers.iter().find(|answer| answer.declaration == *declaration)
            && (answer.program.is_ok() || !needed || answer.needed)
        {
            return answer.program.clone();
        }
        let Self { log, sums, watch, share, nodes, left, same, .. } = self;
        let program = log.answer(declaration, || {
            let outputs = u64::try_from(declaration.outputs.len()).unwrap_or(u64::MAX);
            let nodes = share.nodes(*nodes, outputs);
            let found = search_with(sums, watch, declaration, nodes);
            same.sums.push((*share, outputs, found.as_ref().map_or(0, |found| found.nodes.saturating_add(1))));
            match found {
                Err(error) if needed => {
                    same.went_on = true;
                    go_on(sums, watch, declaration, nodes, left, error)
                }
                found => found.map(|found| found.program),
            }
        });
        self.answers.retain(|answer| answer.declaration != *declaration);
        self.answers.push(Answer { declaration: declaration.clone(), needed, program: program.clone() });
        program
    }

    /// A program for a number in digital registers; the same one every time.
    pub(super) fn exact(
        &mut self,
        declaration: &cain_digital::Declaration,
    ) -> Result<cain_digital::Program, cain_digital::SearchError> {
        if let Some((_, program)) = self.exact_answers.iter().find(|(found, _)| found == declaration) {
            return program.clone();
        }
        let Self { log, exact, watch, nodes, same, .. } = self;
        let program = log.answer_exact(declaration, || {
            let nodes = nodes.saturating_mul(NODES_OF_EXACT);
            let found = exact.find(declaration, nodes, || {
                let declaration = cain_digital::Declaration { nodes, ..declaration.clone() };
                let solution = watch.over(|watch| cain_digital::search_watched(&declaration, watch))?;
                let program = solution.program.program().clone();
                Ok(Found { program, nodes: solution.statistics.nodes_to_best })
            })?;
            same.exact = same.exact.max(found.nodes.saturating_add(1));
            Ok(found.program)
        });
        self.exact_answers.push((declaration.clone(), program.clone()));
        program
    }
}

type Sums = Memo<Declaration, Proved, SearchError>;

fn search_with(
    sums: &mut Sums,
    watch: &mut Watching<'_>,
    declaration: &Declaration,
    nodes: u64,
) -> Result<Found<Proved>, SearchError> {
    sums.find(declaration, nodes, || {
        let options = Options { nodes, ..declaration.options.clone() };
        let declaration = Declaration { options, ..declaration.clone() };
        let solution: Solution = watch.over(|watch| search_without_remedy(&declaration, watch))?;
        Ok(Found { program: solution.program, nodes: solution.statistics.nodes_to_best })
    })
}

/// Continues after a search with `nodes` nodes found nothing: with more of the nodes that are left, and then with
/// smaller inputs.
fn go_on(
    sums: &mut Sums,
    watch: &mut Watching<'_>,
    declaration: &Declaration,
    mut nodes: u64,
    left: &mut u64,
    mut error: SearchError,
) -> Result<Proved, SearchError> {
    while matches!(error, SearchError::Budget { .. }) && *left > nodes {
        nodes = nodes.saturating_mul(MORE).min(*left);
        *left -= nodes;
        match search_with(sums, watch, declaration, nodes) {
            Ok(found) => return Ok(found.program),
            Err(again) => error = again,
        }
    }
    smaller_first(declaration, |smaller| search_with(sums, watch, smaller, nodes).ok().map(|found| found.program))
        .ok_or(error)
}

/// Is called as searches use nodes, and decides whether they may go on.
pub(super) type Watch<'w> = dyn FnMut(Progress) -> ControlFlow<()> + 'w;

/// Follows one search after the other, as if they were one.
struct Watching<'w> {
    watch: &'w mut Watch<'w>,
    /// The nodes of all searches so far.
    spent: u64,
    is_ended: bool,
}

impl Watching<'_> {
    /// Carries out a search; each one ends at its first node once the watch has ended one.
    fn over<T>(&mut self, search: impl FnOnce(&mut dyn FnMut(Progress) -> ControlFlow<()>) -> T) -> T {
        let Self { watch, spent, is_ended } = self;
        let before = *spent;
        search(&mut |progress| {
            *spent = before.saturating_add(progress.nodes);
            // The length of one sum tells nothing about the network.
            *is_ended = *is_ended || watch(Progress { nodes: *spent, best: None }).is_break();
            if *is_ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }
}

impl fmt::Debug for Watching<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watching").field("spent", &self.spent).field("is_ended", &self.is_ended).finish_non_exhaustive()
    }
}
