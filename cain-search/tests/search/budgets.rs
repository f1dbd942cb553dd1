//! Tests of budgets: a larger one gives no worse result and takes no longer to reach the same one, and every search
//! ends within its own.

use std::cmp::Ordering;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction, Range, Reg, Stop};
use cain_search::{
    Declaration, Input, InstructionSet, Objective, Options, Output, Patience, Solution, compare, search,
};

use crate::common::{declaration, kernel};

/// A pseudo-random kernel in eighths; about a third of its weights are zero.
fn random(seed: i64) -> Polynomial {
    let mut state = seed.wrapping_mul(0x5851_f42d_4c95_7f2d) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40).rem_euclid(12)
    };
    let mut sum = Polynomial::new();
    for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
        let eighths = next() - 3;
        if eighths != 0 {
            let atom = Atom { channel: 0, displacement: Displacement::new(x, y) };
            sum.add_term(atom, Fraction::new(eighths, 8).unwrap()).unwrap();
        }
    }
    sum
}

fn within(declaration: &Declaration, nodes: u64) -> Solution {
    let mut declaration = declaration.clone();
    declaration.options.nodes = nodes;
    search(&declaration).unwrap()
}

/// Each search takes all steps of the one with a smaller budget.
fn grows(declaration: &Declaration) {
    let mut last: Option<Solution> = None;
    for nodes in [20, 100, 200, 500, 2_000] {
        let solution = within(declaration, nodes);
        if let Some(last) = &last {
            let (listing, before) = (solution.program.listing(), last.program.listing());
            assert_ne!(compare(declaration, listing, before), Ordering::Greater, "{declaration}: {nodes} nodes");
            assert!(solution.statistics.lower_bound >= last.statistics.lower_bound, "{declaration}: {nodes} nodes");
            // A first program may take more than the whole budget.
            if listing == before && last.statistics.nodes_to_best < last.statistics.nodes {
                assert_eq!(solution.statistics.nodes_to_best, last.statistics.nodes_to_best, "{declaration}: {nodes}");
            }
            if last.statistics.stop == Stop::Proved {
                assert_eq!(solution.statistics, last.statistics, "{declaration}: {nodes} nodes");
            }
        }
        last = Some(solution);
    }
}

#[test]
fn larger_budgets_go_on_from_smaller_ones() {
    for (seed, set) in (0..2).flat_map(|seed| [(seed, InstructionSet::Macro), (seed, InstructionSet::Native)]) {
        let mut one = declaration(&[(Reg::B, random(seed))]);
        one.options.instructions = set;
        grows(&one);
    }
    let mut two = declaration(&[(Reg::B, random(10)), (Reg::C, random(11))]);
    grows(&two);
    two.options.instructions = InstructionSet::Native;
    grows(&two);
    two.options.objective = Objective::Accuracy;
    grows(&two);
    let mut many = declaration(&[(Reg::B, dense(5, 3))]);
    many.options.instructions = InstructionSet::Native;
    many.options.objective = Objective::Accuracy;
    grows(&many);
}

/// A program without its superfluous instructions may be worse: their errors may have cancelled others.
#[test]
fn more_accurate_programs_do_not_become_worse() {
    let mut far = declaration(&[(Reg::B, kernel(4, &[&[1], &[0], &[0], &[0], &[0]]))]);
    far.scratch = vec![Reg::C, Reg::D, Reg::E];
    far.options = Options {
        objective: Objective::Accuracy,
        input: Some(Range { min: 0, max: 60 }),
        patience: Patience::Any,
        ..Options::default()
    };
    for set in [InstructionSet::Basic, InstructionSet::Macro, InstructionSet::Native] {
        far.options.instructions = set;
        grows(&far);
    }
}

/// The number of nodes to a proof does not depend on the budget.
#[test]
fn proofs_take_the_same_with_every_budget() {
    let gauss = declaration(&[(Reg::A, kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]))]);
    let proof = within(&gauss, 500);
    assert_eq!((proof.statistics.stop, proof.program.listing().len()), (Stop::Proved, 8));
    for nodes in [5_000, 1_000_000, 100_000_000] {
        assert_eq!(within(&gauss, nodes).statistics, proof.statistics, "{nodes} nodes");
    }
}

/// A kernel without a weight that is zero, in 256ths.
fn dense(size: i16, seed: i16) -> Polynomial {
    let mut kernel = Polynomial::new();
    let middle = size / 2;
    for (x, y) in (-middle..=middle).flat_map(|x| (-middle..=middle).map(move |y| (x, y))) {
        let weight = i64::from((x * 37 + y * 59 + x * y * 11 + seed * 91).rem_euclid(255)) - 127;
        let weight = Fraction::new(if weight == 0 { 1 } else { weight }, 256).unwrap();
        kernel.add_term(Atom { channel: 0, displacement: Displacement::new(x, y) }, weight).unwrap();
    }
    kernel
}

/// All work is counted: a search with large bags looks at few of them, but it has a program.
#[test]
fn extreme_declarations_end_within_their_budgets() {
    let four: Vec<_> = [Reg::B, Reg::C, Reg::D, Reg::E].into_iter().zip((1..).map(|seed| dense(5, seed))).collect();
    for set in [InstructionSet::Macro, InstructionSet::Native] {
        for kernels in [vec![(Reg::A, dense(15, 0))], four.clone()] {
            let mut extreme = declaration(&kernels);
            extreme.options.instructions = set;
            extreme.options.nodes = 500;
            let solution = search(&extreme).unwrap();
            assert_eq!(solution.statistics.nodes, 500);
            assert_eq!(solution.statistics.stop, Stop::Nodes);
        }
    }
    let mut six = declaration(&[]);
    six.machine = six.machine.with_registers(16);
    six.inputs = (0..6).map(|i| Input { reg: Reg::from_index(i), keep: true }).collect();
    six.scratch = (6..12).map(Reg::from_index).collect();
    let mut kernel = Polynomial::new();
    for channel in 0..6 {
        for (atom, weight) in dense(5, 7).terms() {
            kernel.add_term(Atom { channel, ..atom }, weight).unwrap();
        }
    }
    six.outputs = vec![Output { reg: Reg::from_index(12), kernel }];
    six.options.nodes = 500;
    assert_eq!(search(&six).unwrap().statistics.stop, Stop::Nodes);
}
