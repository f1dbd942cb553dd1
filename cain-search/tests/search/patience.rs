//! Tests of patience: it only decides when a search ends.

use crate::common::{declaration, kernel};
use cain_isa::{Reg, Stop};
use cain_search::{
    Declaration, InstructionSet, MaxGain, OffsetRule, Patience, Solution, compare, search, search_watched,
};
use std::ops::ControlFlow;

/// A filter whose search neither ends by a proof nor finds much for long.
fn corner() -> Declaration {
    let mut corner = declaration(&[(Reg::A, kernel(16, &[&[1, 3, 1], &[2, 5, 0], &[1, 2, 1]]))]);
    corner.options.instructions = InstructionSet::Native;
    corner.options.offset = OffsetRule::Any;
    corner.options.max_gain = MaxGain::Any;
    corner
}

fn with(patience: Patience, nodes: u64) -> Solution {
    let mut corner = corner();
    corner.options.patience = patience;
    corner.options.nodes = nodes;
    search(&corner).unwrap()
}

/// A search that has ended by its patience is the same with every larger budget.
#[test]
fn more_nodes_change_nothing() {
    let ended = with(Patience::Times(1), 20_000);
    assert_eq!(ended.statistics.stop, Stop::Patience);
    assert!(ended.statistics.nodes < 20_000);
    for nodes in [ended.statistics.nodes + 1, 1_000_000_000] {
        let longer = with(Patience::Times(1), nodes);
        assert_eq!(longer.program.listing(), ended.program.listing(), "{nodes} nodes");
        assert_eq!(longer.statistics, ended.statistics, "{nodes} nodes");
    }
    let cut = with(Patience::Times(1), ended.statistics.nodes - 1);
    assert_eq!(cut.statistics.stop, Stop::Nodes);
    assert!(cut.program.listing().len() >= ended.program.listing().len());
}

/// What it finds is what a search finds that is as long, and more patience never finds less.
#[test]
fn patience_only_ends_a_search() {
    let mut last: Option<Solution> = None;
    for patience in [Patience::Times(1), Patience::Times(2), Patience::Times(4), Patience::Any] {
        let solution = with(patience, 2_000);
        let as_long = with(Patience::Any, solution.statistics.nodes);
        assert_eq!(solution.program.listing(), as_long.program.listing(), "{patience:?}");
        if let Some(last) = &last {
            let (listing, before) = (solution.program.listing(), last.program.listing());
            assert!(compare(&corner(), listing, before).is_le(), "{patience:?}");
            assert!(solution.statistics.nodes >= last.statistics.nodes, "{patience:?}");
        }
        last = Some(solution);
    }
    assert_eq!(last.unwrap().statistics.stop, Stop::Nodes);
}

/// While there is no program, patience does not end: it would find none at all.
#[test]
fn no_program_is_no_reason_to_end() {
    let mut refused = corner();
    refused.options.accuracy = "0.01".parse().ok();
    refused.options.nodes = 6_000;
    let mut used = 0;
    let found = search_watched(&refused, |progress| {
        used = progress.nodes;
        ControlFlow::Continue(())
    });
    assert!(found.is_err());
    assert!(used >= 6_000, "{used}");
}
