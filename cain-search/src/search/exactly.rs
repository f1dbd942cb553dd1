//! Searching for a program of exactly the kernels of a declaration.

use std::ops::ControlFlow;

use cain_isa::{Progress, Stop};
use hashbrown::HashSet;

use super::incumbent::Incumbent;
use super::passes::Complete;
use super::run::Run;
use super::share::Part;
use super::target::{problem_of, target_of};
use crate::engine::budget::Budget;
use crate::engine::memo::StepMemo;
use crate::engine::values::Unfinished;
use crate::large::{self, Large, Unfit};
use crate::{Declaration, Proved, SearchError, Solution, Statistics, Technique, VerifyError, verify};

/// A search for a program of exactly the kernels of a valid declaration.
pub(super) fn search_exactly(
    declaration: &Declaration,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    search_noting(declaration, watch, &mut |_| {})
}

/// [`search_exactly`], which calls `note` with each program that is better than all before; not with those of the search for
/// large maps, where only that is used.
pub(super) fn search_noting(
    declaration: &Declaration,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    note: &mut dyn FnMut(&Proved),
) -> Result<Solution, SearchError> {
    if large::is_alone(declaration) && declaration.options.uses(Technique::LargeMaps) {
        match Large::of(&declaration.uninterrupted()) {
            Ok(large) => {
                let mut budget = Budget::of(declaration, watch);
                if let Some(found) = large.search(&mut budget) {
                    return checked(declaration, found.solution(&budget));
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
        budget: Budget::of(declaration, watch),
        goals,
        steps: StepMemo::default(),
        incumbent: Incumbent {
            declaration,
            target,
            note,
            best: None,
            nodes_to_first: 0,
            used_for_ways: 0,
            most_accurate: None,
            refused: HashSet::default(),
            soonest: None,
        },
        values_at_least: 0,
        unfinished: Unfinished::default(),
        exchanges: [None, None],
        at_least: 0,
        shares: Part::shares(declaration),
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

/// Turns a solution of an [uninterrupted](Declaration::uninterrupted) declaration into one of the declaration itself.
pub(super) fn checked(declaration: &Declaration, solution: Solution) -> Result<Solution, SearchError> {
    if declaration.options.interruption.is_none() {
        return Ok(solution);
    }
    match verify(declaration, solution.program.listing()) {
        Ok(program) => Ok(Solution { program, ..solution }),
        Err(VerifyError::Interruption(error)) => Err(SearchError::Interruption { error, enough: None }),
        Err(_) => Err(SearchError::Overflow),
    }
}
