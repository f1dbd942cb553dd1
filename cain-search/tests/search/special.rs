//! Tests of declarations that are easy to get wrong: in place, identities, zeros, copies, few registers.

use cain_analysis::prove::Polynomial;
use cain_isa::{Fraction, Op, Reg};
use cain_search::{Accuracy, Declaration, Input, InstructionSet, MaxGain, Objective, Solution, search};

use crate::common::{declaration, kernel, on_channel};

const A: Reg = Reg::A;
const B: Reg = Reg::B;
const C: Reg = Reg::C;

/// Searches; `search` has proved every program that it returns.
fn solve(outputs: &[(Reg, Polynomial)]) -> Solution {
    search(&declaration(outputs)).unwrap()
}

fn identity() -> Polynomial {
    kernel(1, &[&[1]])
}

#[test]
fn in_place_where_the_obvious_instruction_is_illegal() {
    for rows in [[0, -1, 1], [0, -1, 0], [0, -2, 0]] {
        assert!(solve(&[(A, kernel(1, &[&rows]))]).program.listing().len() <= 3, "{rows:?}");
    }
    let mut half = declaration(&[(A, kernel(2, &[&[1]]))]);
    half.options.instructions = InstructionSet::Basic;
    assert!(search(&half).unwrap().program.listing().len() <= 3);
}

#[test]
fn identities_move_only_what_must_move() {
    assert_eq!(solve(&[(A, identity())]).program.listing().len(), 0);
    assert_eq!(solve(&[(B, identity())]).program.listing().len(), 1);
    assert_eq!(solve(&[(B, identity()), (A, identity()), (C, identity())]).program.listing().len(), 2);
}

#[test]
fn inputs_that_change_places() {
    let mut swap = declaration(&[(B, on_channel(0, 1, &[&[1]])), (A, on_channel(1, 1, &[&[1]]))]);
    swap.inputs.push(Input { reg: B, keep: false });
    assert_eq!(search(&swap).unwrap().program.listing().len(), 3);
}

#[test]
fn an_input_wanted_elsewhere_while_its_register_is_an_output() {
    let solution = solve(&[(A, kernel(2, &[&[1, 1, 0]])), (B, identity())]);
    assert!(solution.program.listing().len() <= 4);
}

#[test]
fn zeros() {
    let zero = kernel(1, &[&[0]]);
    assert_eq!(solve(&[(B, zero.clone())]).program.listing().len(), 1);
    assert!(solve(&[(A, zero.clone()), (B, zero.clone())]).program.listing().len() <= 2);
    assert_eq!(solve(&[(C, zero), (B, identity())]).program.listing().len(), 2);
}

#[test]
fn the_same_kernel_twice_its_negative_and_its_translate() {
    let edge = kernel(1, &[&[1, 0, -1]]);
    assert_eq!(
        solve(&[(B, edge.clone())]).program.listing().len() + 1,
        solve(&[(B, edge.clone()), (C, edge.clone())]).program.listing().len()
    );
    assert!(solve(&[(B, edge.clone()), (C, kernel(1, &[&[-1, 0, 1]]))]).program.listing().len() <= 3);
    assert!(solve(&[(B, edge), (C, kernel(1, &[&[0, 0, 1, 0, -1]]))]).program.listing().len() <= 3);
}

#[test]
fn pure_shifts_and_scalings() {
    assert_eq!(solve(&[(B, kernel(1, &[&[0, 0, 1]]))]).program.listing().len(), 1);
    assert_eq!(solve(&[(A, kernel(1, &[&[0, 0, 0, 0, 0, 0, 1]]))]).program.listing().len(), 2);
    assert_eq!(solve(&[(B, kernel(8, &[&[1]]))]).program.listing().len(), 3);
    assert!(solve(&[(B, kernel(1, &[&[7]]))]).program.listing().len() <= 8);
}

#[test]
fn a_kept_input_is_never_written() {
    let mut kept = declaration(&[(B, kernel(4, &[&[1, 2, 1]]))]);
    kept.inputs[0].keep = true;
    let solution = search(&kept).unwrap();
    assert!(!solution.program.report().writes.contains(&A));
    assert!(solution.program.listing().len() <= 6);
}

#[test]
fn any_registers_in_any_order() {
    for (input, outputs) in [(Reg::F, [C, A]), (Reg::D, [Reg::D, Reg::F]), (B, [A, B])] {
        let x = kernel(4, &[&[1, 2, 1]]);
        let y = kernel(4, &[&[1], &[2], &[1]]);
        let mut filter = declaration(&[(outputs[0], x), (outputs[1], y)]);
        filter.inputs[0].reg = input;
        filter.scratch = Reg::SCAMP5.into_iter().filter(|reg| *reg != input && !outputs.contains(reg)).collect();
        assert!(search(&filter).unwrap().program.listing().len() <= 10, "{input} to {outputs:?}");
    }
}

#[test]
fn several_channels_are_summed() {
    let mut sum = on_channel(0, 2, &[&[1]]);
    sum.add_scaled(&on_channel(1, 2, &[&[1]]), Fraction::ONE, cain_isa::Displacement::new(1, 0)).unwrap();
    let mut filter = declaration(&[(C, sum)]);
    filter.inputs.push(Input { reg: B, keep: false });
    filter.scratch.retain(|reg| *reg != B);
    assert!(search(&filter).unwrap().program.listing().len() <= 3);
}

#[test]
fn the_basic_set_is_kept_to() {
    let mut gauss = declaration(&[(A, kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]))]);
    gauss.options.instructions = InstructionSet::Basic;
    let solution = search(&gauss).unwrap();
    assert!(solution.program.listing().len() <= 12, "published: 12");
    let basic = [Op::Res, Op::Mov, Op::Movx, Op::Add, Op::Sub, Op::Neg, Op::Divq];
    for instruction in solution.program.listing() {
        assert!(matches!(instruction, cain_isa::Instruction::Macro(m) if basic.contains(&m.op())), "{instruction}");
    }
}

#[test]
fn control_words_as_objective() {
    let gauss = declaration(&[(A, kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]))]);
    let by_macros = search(&gauss).unwrap().program.report().icws;
    let gauss =
        Declaration { options: cain_search::Options { objective: Objective::Icws, ..gauss.options.clone() }, ..gauss };
    let by_words = search(&gauss).unwrap().program.report().icws;
    assert!(by_words <= by_macros && by_words <= 24, "{by_words} against {by_macros}");
}

/// Long paths lose gain, and divisions leave offsets: the most accurate program is not the shortest.
#[test]
fn accuracy_as_objective() {
    let rms = |declaration: &Declaration| Accuracy::worst_rms(&search(declaration).unwrap().program.accuracy());
    let mut gauss = declaration(&[(A, kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]))]);
    gauss.options.nodes = 2_000;
    let of_shortest = rms(&gauss);
    gauss.options.objective = Objective::Accuracy;
    let least = rms(&gauss);
    assert!(4.0 * least <= of_shortest, "{least} against {of_shortest}");
    // Copies and zeros have errors of their own.
    let third = kernel(1, &[&[1, 1, 1]]);
    let outputs = [(A, third.clone()), (B, third.clone()), (C, third), (Reg::D, kernel(1, &[&[0]]))];
    let mut copies = declaration(&outputs);
    copies.options.objective = Objective::Accuracy;
    copies.options.nodes = 1_000;
    let accurate = search(&copies).unwrap().program.accuracy();
    assert_eq!(accurate.len(), 4);
    // The sums are three times as large as what registers hold, and lose some of that on the way.
    assert!(accurate.iter().all(|output| output.rms() > 0.0 && output.rms() < 12.0), "{accurate:?}");
}

#[test]
fn max_gain_is_a_hard_limit() {
    let mut box_sum = declaration(&[(A, kernel(16, &[&[1, 1, 1], &[1, 1, 1], &[1, 1, 1]]))]);
    box_sum.options.max_gain = MaxGain::AtMost(Fraction::ONE);
    let solution = search(&box_sum).unwrap();
    assert!(solution.program.report().peak_gain <= Fraction::ONE);
}

#[test]
fn the_same_declaration_gives_the_same_program() {
    let gauss = declaration(&[(A, kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]])), (B, kernel(1, &[&[1, 0, -1]]))]);
    assert_eq!(search(&gauss), search(&gauss));
}

#[test]
fn no_bound_is_claimed_that_a_division_breaks() {
    // res(A); div(B,C,A); makes three zeros with two instructions, diva(A,B,C) two copies with one.
    let zero = kernel(1, &[&[0]]);
    let zeros = solve(&[(A, zero.clone()), (B, zero.clone()), (C, zero)]);
    assert!(zeros.statistics.lower_bound <= 2);
    let half = kernel(2, &[&[-1]]);
    let copies = solve(&[(B, half.clone()), (C, half)]);
    assert!(copies.statistics.lower_bound <= 1);
}

#[test]
fn three_inputs_are_summed_at_once() {
    let mut sum = on_channel(0, 1, &[&[1]]);
    for channel in [1, 2] {
        sum.add_scaled(&on_channel(channel, 1, &[&[1]]), Fraction::ONE, cain_isa::Displacement::ZERO).unwrap();
    }
    let mut filter = declaration(&[(Reg::D, sum)]);
    filter.inputs.extend([B, C].map(|reg| Input { reg, keep: false }));
    filter.scratch.retain(|reg| ![B, C].contains(reg));
    assert_eq!(search(&filter).unwrap().program.listing().len(), 1);
}
