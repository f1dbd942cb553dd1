//! Searching for a program.

mod begin;
mod exact;
mod exchange;
mod foci;
mod incumbent;
mod interruptible;
mod limited;
mod nearby;
mod parts;
mod passes;
mod polish;
mod remedy;
#[cfg(feature = "sample")]
pub(crate) mod sample;
mod share;
mod target;
mod ways;

use std::ops::ControlFlow;

use cain_isa::{Progress, Stop};

use crate::engine::budget::Budget;
use crate::engine::goals::Goals;
use crate::engine::memo::StepMemo;
use crate::engine::problem::Problem;
use crate::engine::values::Unfinished;
use crate::engine::work;
use crate::large::{self, Large, Unfit};
use crate::{Declaration, SearchError, Solution, Statistics};
use exchange::Exchange;
use incumbent::Incumbent;
use passes::Complete;
use share::{Part, Share};
use target::{problem_of, target_of};

/// Searches for the shortest program that computes a declaration, within the budget of its options.
///
/// The search is a beam over goal-bags, from the wanted kernels back to the inputs, which is widened until the budget
/// is used, the program is as short as the lower bound, or nothing is left to try. The same declaration and options
/// give the same program on every machine.
///
/// ```
/// use cain_isa::prove::Polynomial;
/// use cain_isa::{Fraction, Machine, Reg};
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
/// // The best program of macro instructions takes 20 control words.
/// assert!(solution.program.listing().len() < 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(declaration: &Declaration) -> Result<Solution, SearchError> {
    search_watched(declaration, |_| ControlFlow::Continue(()))
}

/// [`search`], calling `watch` as nodes are used, several at a time where a bag takes that many; where it breaks, the
/// search ends with the best program so far and [`Stop::Interrupted`].
///
/// This is for progress displays and for limits that are not counted in nodes. A search that is cut short by a clock
/// gives different programs on different machines; this crate never reads one.
pub fn search_watched(
    declaration: &Declaration,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    run(declaration, &mut watch).map_err(|mut error| {
        if let SearchError::Budget { remedy, .. } | SearchError::Registers { remedy, .. } = &mut error {
            *remedy = remedy::remedy(declaration, declaration.options.nodes, &mut watch);
        }
        error
    })
}

/// [`search`] without the work of finding a remedy where there is no program.
pub fn search_without_remedy(declaration: &Declaration) -> Result<Solution, SearchError> {
    run(declaration, &mut |_| ControlFlow::Continue(()))
}

/// The search, whose error has no remedy.
fn run(declaration: &Declaration, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Solution, SearchError> {
    declaration.validate()?;
    match declaration.options.approximate {
        _ if declaration.options.max_words.is_some() => limited::search(declaration, watch),
        Some(allowed) => nearby::search_nearby(declaration, allowed, watch),
        None if declaration.options.interruption.is_some() => interruptible::search(declaration, watch),
        None => search_exactly(declaration, watch),
    }
}

/// A search for a program of exactly the kernels of a valid declaration.
fn search_exactly(
    declaration: &Declaration,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    if large::is_alone(declaration) {
        match Large::of(&declaration.uninterrupted()) {
            Ok(large) => {
                let mut budget = Budget::new(declaration.options.nodes, watch);
                if let Some(found) = large.search(&mut budget) {
                    return interruptible::checked(declaration, found.solution(&budget));
                }
            }
            Err(Unfit::Registers { enough }) => {
                let (writable, enough) = (declaration.writable(), Some(enough));
                return Err(SearchError::Registers { writable, enough, remedy: None });
            }
            Err(Unfit::Other) => {}
        }
    }
    let (problem, goals) = problem_of(declaration)?;
    let target = &*target_of(declaration, &problem);
    let mut run = Run {
        problem: &problem,
        budget: Budget::new(declaration.options.nodes, watch),
        goals,
        steps: StepMemo::default(),
        incumbent: Incumbent {
            declaration,
            target,
            best: None,
            nodes_to_first: 0,
            used_for_ways: 0,
            most_accurate: None,
            soonest: None,
        },
        values_at_least: 0,
        unfinished: Unfinished::default(),
        exchanges: [None, None],
        at_least: 0,
        shares: Part::shares(work::units(declaration.weights())),
    };
    run.begin();
    let nodes_before = run.incumbent.nodes();
    // Programs without extra moves between registers first; they exist for nearly every declaration.
    let mut ended = run.widen(true);
    if run.incumbent.nodes() == nodes_before && ended == ControlFlow::Continue(Complete(true)) {
        ended = run.widen(false);
    }
    let stop = match ended {
        ControlFlow::Break(stop) => stop,
        ControlFlow::Continue(complete) => run.finish(complete),
    };
    let lower_bound = run.lower_bound();
    let Run { budget, incumbent: Incumbent { best, nodes_to_first, most_accurate, soonest, .. }, .. } = run;
    let Some(best) = best else {
        if let (Some(limit), Some(best)) = (declaration.options.accuracy, most_accurate) {
            return Err(SearchError::Inaccurate { limit, best });
        }
        if let Some(error) = soonest {
            return Err(SearchError::Interruption { error, enough: None });
        }
        let enough = target.enough_registers();
        let (nodes, writable) = (declaration.options.nodes, problem.writable.clone());
        return Err(match stop {
            Stop::Exhausted => SearchError::Registers { writable, enough, remedy: None },
            _ => SearchError::Budget { nodes, writable, enough, remedy: None },
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
    incumbent: Incumbent<'a>,
    /// Fewer instructions were proved not to suffice for the wanted values, zeros and copies aside.
    values_at_least: u32,
    /// Where the exhaustive search goes on.
    unfinished: Unfinished,
    /// Where the exchange of values goes on, of complete programs and of incomplete ones.
    exchanges: [Option<Exchange>; 2],
    /// Fewer instructions were proved not to suffice.
    at_least: u32,
    /// What goes to the parts of the search beside the beam, in the order of [`Part::ALL`].
    shares: [Share; Part::ALL.len()],
}

impl Run<'_> {
    /// A number of instructions below which there is no program.
    ///
    /// Zeros and copies count as one: a division can leave several of them at once.
    fn lower_bound(&self) -> u32 {
        let extra = !self.problem.zeros.is_empty() || !self.problem.copies.is_empty();
        let wanted = self.incumbent.target.lower_bound(&self.goals);
        wanted.max(u32::from(extra)).max(self.at_least)
    }
}
