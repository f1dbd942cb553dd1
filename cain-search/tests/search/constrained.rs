//! Programs of macro instructions without an offset error and within a gain, and in few registers.

use cain_analysis::prove::Polynomial;
use cain_isa::{ErrorModel, Fraction, Machine, Reg, Stop};
use cain_search::{Declaration, Input, InstructionSet, MaxGain, OffsetRule, Options, Output, Solution, search};

use crate::common::{DENSE, declaration, kernel, on_channel};

/// Searches with the default constraints.
fn solve(outputs: &[(Reg, Polynomial)], nodes: u64) -> Solution {
    let mut declaration = declaration(outputs);
    // On a chip without errors, a bias costs nothing, so only lengths count.
    let error_model = ErrorModel::ideal();
    declaration.options = Options { nodes, error_model, instructions: InstructionSet::Macro, ..Options::default() };
    search(&declaration).unwrap()
}

fn gauss_3() -> Polynomial {
    kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]])
}

fn gauss_5() -> Polynomial {
    kernel(64, &[&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]])
}

/// The program is as short as without the constraints: the halves change roles.
#[test]
fn gauss_3_is_as_short() {
    let solution = solve(&[(Reg::A, gauss_3())], 2_000);
    assert_eq!((solution.program.listing().len(), solution.statistics.stop), (8, Stop::Proved));
}

/// The length is 58 if the offset error is not considered until the end, and 14 without the constraints.
#[test]
fn gauss_5_is_hardly_longer() {
    let length = solve(&[(Reg::A, gauss_5())], 2_000).program.listing().len();
    assert!(length <= 17, "{length}");
}

#[test]
fn both_gauss_kernels() {
    let length = solve(&[(Reg::A, gauss_5()), (Reg::B, gauss_3())], 2_000).program.listing().len();
    assert!(length <= 18, "{length}");
}

/// Even without a search, there is a program within the gain of the kernel.
#[test]
fn a_first_program_keeps_to_the_gain() {
    let solution = solve(&[(Reg::A, gauss_5())], 1);
    assert_eq!(solution.program.report().peak_gain, Fraction::new(33, 32).unwrap());
}

/// Four kernels without a register to spare: only inputs that were halved before keep all sums within the gain.
#[test]
fn a_first_program_of_four_kernels_in_six_registers() {
    let registers = [Reg::A, Reg::B, Reg::C, Reg::D];
    let outputs: Vec<_> = registers.into_iter().zip(DENSE.iter().map(|rows| kernel(64, rows))).collect();
    for instructions in [InstructionSet::Macro, InstructionSet::Native] {
        let mut declaration = declaration(&outputs);
        declaration.options = Options { nodes: 100, instructions, ..Options::default() };
        let program = search(&declaration).unwrap().program;
        assert!(program.report().peak_gain <= Fraction::ONE);
    }
}

/// Four inputs are kept, and there are two registers to work in: the kernels are dilated by two.
#[test]
fn two_registers_for_four_kept_inputs() {
    let kernels: [[[i32; 3]; 3]; 4] = [
        [[6, -2, 0], [-3, 0, 0], [0, -7, 4]],
        [[-3, 8, 0], [0, -8, 2], [-2, 1, -6]],
        [[5, -6, 2], [8, 0, 0], [4, 0, 0]],
        [[0, 0, -2], [0, 7, 4], [-2, 2, 0]],
    ];
    let mut sum = Polynomial::new();
    for (channel, kernel) in (0..).zip(kernels) {
        let dilated: Vec<Vec<i32>> = (0..5)
            .map(|y| (0..5).map(|x| if x % 2 + y % 2 == 0 { kernel[y / 2][x / 2] } else { 0 }).collect())
            .collect();
        let rows: Vec<&[i32]> = dilated.iter().map(Vec::as_slice).collect();
        let dilated = on_channel(channel, 32, &rows);
        sum.add_scaled(&dilated, Fraction::ONE, cain_isa::Displacement::ZERO).unwrap();
    }
    let declaration = Declaration {
        name: "dilated".into(),
        inputs: [Reg::A, Reg::B, Reg::C, Reg::D].map(|reg| Input { reg, keep: true }).to_vec(),
        outputs: vec![Output { reg: Reg::E, kernel: sum }],
        scratch: vec![Reg::F],
        machine: Machine::SCAMP5,
        options: Options {
            nodes: 1,
            instructions: InstructionSet::Macro,
            offset: OffsetRule::Any,
            max_gain: MaxGain::Any,
            ..Options::default()
        },
    };
    let length = search(&declaration).unwrap().program.listing().len();
    assert!(length <= 38, "{length}; with inputs that are fetched from weight to weight: 75");
}
