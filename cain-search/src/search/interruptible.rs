//! Searches for programs that others may interrupt: in all registers, and with some registers left free for what the
//! others would overwrite.

use std::ops::ControlFlow;

use cain_isa::{Progress, Reg, Stop};

use super::exactly::search_exactly;
use crate::costs::Costs;
use crate::engine::budget::Budget;
use crate::switches::SwitchTable;
use crate::{Declaration, SearchError, Solution, Statistics, verify};

/// The most further registers that are suggested.
const MOST_MORE: usize = 8;
/// The budget for the program without the constraint on which a suggestion is based.
const NODES: u64 = 200;

/// The best program of all these searches. The registers that are left free are the same for every budget.
pub(super) fn search(
    declaration: &Declaration,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    let nodes = declaration.options.nodes;
    let objective = declaration.options.objective_in_force();
    let costs = |solution: &Solution| Costs::of(declaration, solution.program.listing());
    let mut budget = Budget::new(nodes.saturating_mul(2).saturating_add(NODES), watch);
    let mut best = search_exactly(declaration, &mut budget.shared());
    let narrower = narrower(declaration);
    let share = nodes / u64::try_from(narrower.len().max(1)).unwrap_or(1);
    for mut narrower in narrower {
        let before = budget.used();
        if budget.stopped().is_some() || best.as_ref().is_ok_and(is_proved) {
            break;
        }
        narrower.options.nodes = share;
        let Ok(found) = search_exactly(&narrower, &mut budget.shared()) else { continue };
        let Ok(program) = verify(declaration, found.program.listing()) else { continue };
        let Statistics { nodes_to_first, nodes_to_best, stop, .. } = found.statistics;
        let later = |nodes: u64| before.saturating_add(nodes);
        let statistics = match &best {
            Ok(best) => Statistics { nodes_to_best: later(nodes_to_best), ..best.statistics },
            // A proof for fewer registers does not hold for all of them.
            Err(_) => Statistics {
                nodes: 0,
                nodes_to_first: later(nodes_to_first),
                nodes_to_best: later(nodes_to_best),
                lower_bound: 0,
                stop: if stop == Stop::Proved { Stop::Exhausted } else { stop },
            },
        };
        let found = Solution { program, statistics };
        if best.as_ref().map_or(true, |best| objective.compare(&costs(&found), &costs(best)).is_lt()) {
            best = Ok(found);
        }
    }
    match best {
        Ok(mut best) => {
            best.statistics.nodes = budget.used();
            Ok(best)
        }
        Err(SearchError::Interruption { error, .. }) => {
            Err(SearchError::Interruption { error, enough: enough(declaration, &mut budget) })
        }
        Err(error) => Err(error),
    }
}

fn is_proved(solution: &Solution) -> bool {
    solution.statistics.stop == Stop::Proved
}

/// The declaration with fewer and fewer registers: one fewer each time, and several where there are many. First it
/// gives up those that the others overwrite, since a register that is not used need not be saved; then further ones, to
/// save values in.
fn narrower(declaration: &Declaration) -> Vec<Declaration> {
    let Some(interruption) = &declaration.options.interruption else { return Vec::new() };
    let others = interruption.all().analogue();
    let (shared, unshared): (Vec<Reg>, Vec<Reg>) = declaration.scratch.iter().partition(|reg| others.contains(**reg));
    let room = [shared, unshared].concat();
    let lengths = std::iter::successors(Some(1), |length: &usize| Some(length + length.div_ceil(4)));
    let lengths = lengths.take_while(|&length| length <= room.len());
    let narrower = lengths.filter_map(|length| room.get(..length)).map(|room| {
        let mut narrower = declaration.clone();
        narrower.scratch.retain(|reg| !room.contains(reg));
        narrower.options.interruption = Some(interruption.with_room(room));
        narrower
    });
    narrower.collect()
}

/// How many more registers would suffice, judging by a program that is found without the constraint, and the latency
/// with them.
fn enough(declaration: &Declaration, budget: &mut Budget<'_>) -> Option<(usize, u32)> {
    let interruption = declaration.options.interruption.as_ref()?;
    let mut lifted = declaration.uninterrupted();
    lifted.options.nodes = NODES;
    let program = search_exactly(&lifted, &mut budget.shared()).ok()?.program;
    let with = |more| SwitchTable::latency_with(&program, interruption.all(), more).map(|latency| (more, latency));
    (1..=MOST_MORE)
        .filter_map(with)
        .find(|&(_, latency)| interruption.latency().is_none_or(|allowed| latency <= allowed))
}
