//! Searching for a program.

mod exact;
mod incumbent;
mod parts;
mod passes;
mod polish;
mod target;

use std::ops::ControlFlow;

use cain_isa::Stop;

use crate::engine::budget::Budget;
use crate::engine::goals::Goals;
use crate::engine::memo::StepMemo;
use crate::engine::problem::Problem;
use crate::engine::states::NoiseModel;
use crate::{Declaration, Options, SearchError, Solution, Statistics};
use incumbent::Incumbent;
use target::{problem_of, target_of};

/// Searches for the shortest program that computes a declaration, within the budget of its options.
///
/// The search is a beam over goal-bags, from the wanted kernels back to the inputs, which is widened until the budget
/// is used, the program is as short as the lower bound, or nothing is left to try. The same declaration and options
/// give the same program on every machine.
///
/// ```
/// use cain_isa::prove::Polynomial;
/// use cain_isa::{Fraction, Machine, Reg, Stop};
/// use cain_search::{Declaration, Input, Kernel, Options, Output, search};
///
/// let rows = [[1, 2, 1], [2, 4, 2], [1, 2, 1]].map(|row| row.map(Fraction::from).to_vec());
/// let mut gauss = Polynomial::new();
/// Kernel::new(rows.to_vec())?.add_to(&mut gauss, Fraction::new(1, 16).unwrap(), 0)?;
///
/// let declaration = Declaration {
///     name: "gauss".into(),
///     inputs: vec![Input { reg: Reg::A, keep: false }],
///     outputs: vec![Output { reg: Reg::A, kernel: gauss }],
///     scratch: vec![Reg::B, Reg::C],
///     machine: Machine::SCAMP5,
///     options: Options { nodes: 5_000, ..Options::default() },
/// };
/// let solution = search(&declaration)?;
/// assert_eq!(solution.program.listing().len(), 8);
/// assert_eq!(solution.statistics.stop, Stop::Proved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(declaration: &Declaration) -> Result<Solution, SearchError> {
    search_watched(declaration, |_| ControlFlow::Continue(()))
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes used.
    pub nodes: u64,
    /// Instructions of the best program so far, if there is one.
    pub best: Option<u32>,
}

/// [`search`], calling `watch` at every node; where it breaks, the search ends with the best program so far and
/// [`Stop::Interrupted`].
///
/// This is for progress displays and for limits that are not counted in nodes. A search that is cut short by a clock
/// gives different programs on different machines; this crate never reads one.
pub fn search_watched(
    declaration: &Declaration,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    declaration.validate()?;
    let (problem, goals) = problem_of(declaration)?;
    let target = &*target_of(declaration, &problem);
    let noise_model = declaration.options.looks_at_errors().then(|| target.noise_model(&goals));
    let mut run = Run {
        problem: &problem,
        budget: Budget::new(declaration.options.nodes, &mut watch),
        goals,
        steps: StepMemo::default(),
        noise_model,
        incumbent: Incumbent { declaration, target, best: None, nodes_to_first: 0, most_accurate: None },
        at_least: 0,
    };
    run.begin();
    let nodes_before = run.incumbent.nodes();
    // Programs without extra moves between registers first; they exist for nearly every declaration.
    let mut stop = run.widen(true);
    if run.incumbent.nodes() == nodes_before && stop == Stop::Exhausted {
        stop = run.widen(false);
    }
    let lower_bound = run.lower_bound();
    let Run { budget, incumbent: Incumbent { best, nodes_to_first, most_accurate, .. }, .. } = run;
    let Some(best) = best else {
        if let (Some(limit), Some(best)) = (declaration.options.accuracy, most_accurate) {
            return Err(SearchError::Inaccurate { limit, best });
        }
        let enough = target.enough_registers();
        let (Options { nodes, max_gain, .. }, writable) = (&declaration.options, problem.writable.clone());
        return Err(match stop {
            Stop::Exhausted => SearchError::Registers { writable, enough, max_gain: *max_gain },
            _ => SearchError::Budget { nodes: *nodes, writable, enough },
        });
    };
    let statistics = Statistics { nodes: budget.used(), nodes_to_first, nodes_to_best: best.nodes, lower_bound, stop };
    Ok(Solution { program: best.program, statistics })
}

/// A search under way.
struct Run<'a> {
    problem: &'a Problem,
    budget: Budget<'a>,
    goals: Goals,
    steps: StepMemo,
    /// If the error is the objective, or bounded.
    noise_model: Option<Box<dyn NoiseModel + 'a>>,
    incumbent: Incumbent<'a>,
    /// Fewer instructions were proved not to suffice.
    at_least: u32,
}

impl Run<'_> {
    /// Finds first programs, whose costs limit how deep the passes go.
    fn begin(&mut self) {
        if self.budget.stopped().is_some() {
            return;
        }
        for listing in [self.first_program(), self.one_by_one(), self.opposite_one()].into_iter().flatten() {
            self.incumbent.take(listing, &mut self.budget);
        }
    }

    /// A number of instructions below which there is no program.
    ///
    /// Zeros and copies count as one: a division can leave several of them at once.
    fn lower_bound(&self) -> u32 {
        let extra = !self.problem.zeros.is_empty() || !self.problem.copies.is_empty();
        let wanted = self.incumbent.target.lower_bound(&self.goals);
        wanted.max(u32::from(extra)).max(self.at_least)
    }
}
