//! Tests programs of control words: their lengths, and their transfer errors.

use std::array;
use std::ops::ControlFlow;

use cain_analysis::prove::{Polynomial, Prover};
use cain_isa::{
    Cell, Direction, Displacement, ErrorModel, Fraction, HostController as _, Instruction, Reg, Store, Word,
};
use cain_search::{
    Accuracy, Declaration, Input, InstructionSet, MaxGain, Objective, OffsetRule, Options, SearchError, Solution,
    VerifyError, search, search_watched, verify,
};
use proptest::prelude::*;

use crate::common::{as_cain, declaration, kernel, on_channel};

const GAUSS_3: [&[i32]; 3] = [&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]];

pub(crate) fn native(outputs: &[(Reg, Polynomial)], offset: OffsetRule, nodes: u64) -> Declaration {
    let mut declaration = declaration(outputs);
    declaration.options = Options { nodes, instructions: InstructionSet::Native, offset, ..as_cain() };
    declaration
}

#[track_caller]
pub(crate) fn solve(declaration: &Declaration) -> Solution {
    let solution = search(declaration).unwrap();
    assert!(solution.program.listing().iter().all(|instruction| matches!(instruction, Instruction::Word(_))));
    assert_eq!(solution.program.report().icws as usize, solution.program.listing().len());
    assert_eq!(verify(declaration, solution.program.listing()).unwrap(), solution.program);
    solution
}

#[test]
fn gauss_3() {
    let gauss = [(Reg::A, kernel(16, &GAUSS_3))];
    let any = solve(&native(&gauss, OffsetRule::Any, 5_000));
    assert!(any.program.listing().len() <= 8, "{}; of macro instructions: 20", any.program.listing().len());
    let cancelled = solve(&native(&gauss, OffsetRule::Cancelled, 5_000));
    assert!(cancelled.program.listing().len() <= 9, "{}", cancelled.program.listing().len());
    assert_eq!(cancelled.program.report().offset_error(Reg::A), Some(Fraction::ZERO));
}

/// Values are exchanged together with those that compensate their errors. Otherwise it takes 9 words.
#[test]
fn a_box_without_offset_errors() {
    let rows: [&[i32]; 3] = [&[1, 1, 1]; 3];
    let mut declaration = native(&[(Reg::A, kernel(1, &rows))], OffsetRule::Cancelled, 5_000);
    declaration.options.max_gain = MaxGain::Own;
    let length = solve(&declaration).program.listing().len();
    assert!(length <= 8, "{length}; where errors may stay: 7");
}

/// These kernels equal their images under all reflections and rotations; equivalent bags count once.
#[test]
fn symmetric_kernels() {
    let rows: [&[i32]; 5] = [&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]];
    let gauss_5 = (Reg::A, kernel(64, &rows));
    let length = |outputs: &[_], nodes| solve(&native(outputs, OffsetRule::Any, nodes)).program.listing().len();
    let alone = length(std::slice::from_ref(&gauss_5), 6_000);
    assert!(alone <= 16, "{alone}; of macro instructions: 32");
    let both = length(&[gauss_5, (Reg::B, kernel(16, &GAUSS_3))], 4_000);
    assert!(both <= 19, "{both}; of macro instructions: 36");
    // A value is not replaced by the values of which it is the sum; otherwise it takes 13 words.
    let laplacian = (Reg::A, kernel(16, &[&[-1, -1, -1], &[-1, 8, -1], &[-1, -1, -1]]));
    let laplacian = length(&[laplacian], 2_000);
    assert!(laplacian <= 11, "{laplacian}; of macro instructions: 18");
}

/// The output goes to the register of the input and contains the input itself, which has to be elsewhere by then.
#[test]
fn an_output_over_its_input() {
    let outputs = [
        (Reg::A, kernel(1, &[&[0, 0, 0], &[3, -1, 0], &[3, 0, -2]])),
        (Reg::B, kernel(1, &[&[-4, -1, 1], &[-1, 2, 0], &[1, 1, 0]])),
        (Reg::C, kernel(1, &[&[-1, 2, 0], &[-1, 1, -3], &[0, -3, 0]])),
    ];
    let length = solve(&native(&outputs, OffsetRule::Any, 8_000)).program.listing().len();
    assert!(length <= 24, "{length}; the first program has 32");
}

/// Four inputs are kept, and there are two registers to work in.
#[test]
fn scarce_registers() {
    let rows: [[&[i32]; 3]; 4] = [
        [&[-3, 4, 0], &[3, 0, -4], &[0, -4, 0]],
        [&[-1, -3, 0], &[-4, -4, 0], &[-1, 0, 0]],
        [&[4, 0, 2], &[-1, 0, 0], &[0, -3, 1]],
        [&[2, 0, 0], &[3, -1, 4], &[0, -4, 3]],
    ];
    let sum = (0..).zip(&rows).fold(Polynomial::new(), |mut sum, (channel, rows)| {
        let dilated: Vec<Vec<i32>> =
            (0..5).map(|r| (0..5).map(|c| if r % 2 + c % 2 == 0 { rows[r / 2][c / 2] } else { 0 }).collect()).collect();
        let dilated: Vec<&[i32]> = dilated.iter().map(Vec::as_slice).collect();
        sum.add_scaled(&on_channel(channel, 32, &dilated), Fraction::ONE, Displacement::ZERO).unwrap();
        sum
    });
    let mut declaration = native(&[(Reg::E, sum)], OffsetRule::Any, 1);
    declaration.inputs = [Reg::A, Reg::B, Reg::C, Reg::D].map(|reg| Input { reg, keep: true }).to_vec();
    declaration.scratch = vec![Reg::F];
    let first = solve(&declaration).program.listing().len();
    declaration.options.nodes = 8_000;
    let found = solve(&declaration).program.listing().len();
    assert!(8 * found <= 7 * first, "{found}; the first program has {first}");
}

/// There is one register to work in, which leaves no room to compensate programs with offset errors.
#[test]
fn one_register_for_four_outputs() {
    let outputs = [
        (Reg::A, kernel(32, &[&[0, 0, 4], &[0, 0, 0], &[3, 3, 0]])),
        (Reg::B, kernel(32, &[&[-1, 0, 3], &[-2, 3, 0], &[-2, -3, 1]])),
        (Reg::C, kernel(32, &[&[-2, 0, 4], &[0, 2, -2], &[-2, 1, 4]])),
        (Reg::D, kernel(32, &[&[-2, -2, 1], &[3, -1, -1], &[1, 2, 0]])),
    ];
    let mut declaration = native(&outputs, OffsetRule::Cancelled, 5_000);
    declaration.options.max_gain = MaxGain::default();
    declaration.scratch = vec![Reg::E];
    let length = solve(&declaration).program.listing().len();
    assert!(length <= 110, "{length}");
}

#[test]
fn offsets_cancel_unless_they_may_stay() {
    let mut declaration = native(&[(Reg::A, kernel(16, &GAUSS_3))], OffsetRule::Any, 1);
    let [a, b] = [Reg::A, Reg::B].map(Cell::Reg);
    let words = Direction::ALL.map(|from| {
        [Word::new(&[Cell::News, b], &[a]), Word::new(&[a], &[Cell::Port(from), b])].map(|word| word.unwrap().into())
    });
    let listing: Vec<Instruction> = words.concat();
    assert!(verify(&declaration, &listing).is_ok());
    declaration.options.offset = OffsetRule::default();
    assert!(matches!(verify(&declaration, &listing), Err(VerifyError::OffsetError { reg: Reg::A, .. })));
}

/// Three outputs are made at once, each with its own error.
#[test]
fn several_offsets_cancel() {
    let outputs = [(Reg::A, kernel(4, &[&[0, 0, 0], &[-3, 1, 0], &[-3, 0, 2]])), (Reg::B, kernel(2, &[&[1, 0, -1]]))];
    let solution = solve(&native(&outputs, OffsetRule::Cancelled, 3_000));
    assert!(
        [Reg::A, Reg::B]
            .map(|reg| solution.program.report().offset_error(reg))
            .iter()
            .all(|left| *left == Some(Fraction::ZERO))
    );
}

/// The words of macro instructions are a native program too.
#[test]
fn no_longer_than_with_macro_instructions() {
    let sharpen: [&[i32]; 3] = [&[0, -1, 0], &[-1, 5, -1], &[0, -1, 0]];
    let sobel: [&[i32]; 3] = [&[1, 0, -1], &[2, 0, -2], &[1, 0, -1]];
    for rows in [sharpen, sobel] {
        for rule in [OffsetRule::Any, OffsetRule::Cancelled] {
            let mut declaration = native(&[(Reg::A, kernel(1, &rows))], rule, 400);
            let words = solve(&declaration).program.listing().len();
            declaration.options.instructions = InstructionSet::Macro;
            declaration.options.objective = Objective::Icws;
            let macros = search(&declaration).unwrap();
            assert!(words <= macros.program.report().icws as usize, "{words} against {}", macros.program.report().icws);
        }
    }
}

#[test]
fn zeros_copies_and_inputs_that_stay() {
    let half = || kernel(2, &[&[1]]);
    for rule in [OffsetRule::Any, OffsetRule::Cancelled] {
        let zeros = [(Reg::B, Polynomial::new()), (Reg::C, Polynomial::new()), (Reg::D, half())];
        let solution = solve(&native(&zeros, rule, 500));
        // There are two zeros in two words, or in three without the error; the other two are as good as the bias of the
        // halving.
        let most = if rule == OffsetRule::Any { 4 } else { 7 };
        assert!(solution.program.listing().len() <= most, "{rule:?}: {}", solution.program.listing().len());

        let copies = [(Reg::B, half()), (Reg::C, half()), (Reg::D, half())];
        assert!(solve(&native(&copies, rule, 500)).program.listing().len() <= 5);

        let mut kept = native(&[(Reg::B, kernel(1, &[&[1, 1, 1]])), (Reg::C, kernel(1, &[&[1]]))], rule, 1_000);
        kept.inputs[0].keep = true;
        solve(&kept);
        assert!(solve(&native(&[(Reg::A, kernel(1, &[&[1]]))], rule, 100)).program.listing().is_empty());
    }
}

/// Everything possible within the gain of the kernel is possible without a limit, and is found: neither 78 words with a
/// bias of −67 DN, nor 20 with one of −10 DN.
#[test]
fn freedom_does_no_harm() {
    let gauss: [&[i32]; 5] =
        [&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]];
    for max_gain in [MaxGain::Own, MaxGain::Any] {
        let mut kept = native(&[(Reg::B, kernel(64, &gauss))], OffsetRule::Cancelled, 5_000);
        kept.inputs[0].keep = true;
        kept.options.max_gain = max_gain;
        let program = solve(&kept).program;
        let bias = Accuracy::worst_bias(&program.accuracy());
        assert!(
            program.listing().len() <= 20 && bias.abs() <= 1.5,
            "{max_gain:?}: {}, {bias}",
            program.listing().len()
        );
    }
}

/// Programs through the same bags take different numbers of words to be compensated: among the first ones, the best
/// takes 14.
#[test]
fn further_ways_to_the_same_bags() {
    let mut conv = native(&[(Reg::A, kernel(8, &[&[1, 3, 2], &[4, 4, 3], &[4, 1, 3]]))], OffsetRule::Cancelled, 12_000);
    conv.options.max_gain = MaxGain::Own;
    let length = solve(&conv).program.listing().len();
    assert!(length <= 13, "{length}");
}

/// Transfer errors cancel in all outputs at once, within the gain of the kernels, whatever the kernels are.
#[test]
fn four_kernels_without_offset_errors() {
    let all: [[&[&[i32]]; 4]; 2] = [
        [
            &[&[-2, -3, 1], &[-1, 3, 0], &[-3, 0, 0]],
            &[&[-2, 0, 0], &[2, -1, -3], &[0, 3, 0]],
            &[&[-2, 0, 0], &[-1, 0, 0], &[-1, 0, 0]],
            &[&[0, -3, 0], &[-2, -1, -1], &[-1, 0, -3]],
        ],
        [
            &[&[0, 0, 0], &[0, 2, 2], &[1, 0, 0]],
            &[&[-3, 0, -2], &[-1, -1, 0], &[0, 2, 0]],
            &[&[0, 2, -2], &[3, -2, -1], &[0, -2, -2]],
            &[&[-1, -1, -1], &[0, -3, 0], &[0, 0, -1]],
        ],
    ];
    for rows in all {
        let outputs = [Reg::B, Reg::C, Reg::D, Reg::E].into_iter().zip(rows);
        let outputs: Vec<_> = outputs.map(|(reg, rows)| (reg, kernel(16, rows))).collect();
        let mut four = native(&outputs, OffsetRule::Cancelled, 5_000);
        four.options.max_gain = MaxGain::Own;
        let program = solve(&four).program;
        let bias = Accuracy::worst_bias(&program.accuracy()).abs();
        assert!(program.listing().len() <= 36 && bias <= 5.0, "{}, {bias}", program.listing().len());
    }
}

/// A sum of two inputs takes two words, with NEWS in between; a doubled image cannot be its own summand.
#[test]
fn short_programs() {
    let mut sum = kernel(1, &[&[1]]);
    sum.add_scaled(&on_channel(1, 1, &[&[1]]), Fraction::ONE, cain_isa::Displacement::ZERO).unwrap();
    let mut two = native(&[(Reg::A, sum)], OffsetRule::Any, 500);
    two.inputs.push(cain_search::Input { reg: Reg::B, keep: false });
    two.scratch.retain(|reg| *reg != Reg::B);
    assert_eq!(solve(&two).program.listing().len(), 2);
    assert_eq!(solve(&native(&[(Reg::A, kernel(1, &[&[2]]))], OffsetRule::Any, 500)).program.listing().len(), 3);
    // There are two steps by one write and one read, whereas macro instructions take as many words for each.
    let far = [(Reg::A, kernel(1, &[&[0, 0, 0, 0, 1]]))];
    assert_eq!(solve(&native(&far, OffsetRule::Any, 500)).program.listing().len(), 2);
}

#[test]
fn thirds() {
    let mean = [(Reg::B, kernel(3, &[&[1, 1, 1]]))];
    assert!(solve(&native(&mean, OffsetRule::Any, 1_000)).program.listing().len() <= 5);
    solve(&native(&[(Reg::A, kernel(9, &[&[1, 1, 1], &[1, 1, 1], &[1, 1, 1]]))], OffsetRule::Any, 2_000));
    solve(&native(&[(Reg::A, kernel(12, &[&[1, 4, 1]]))], OffsetRule::Cancelled, 2_000));
}

/// Before thirds are taken of the results, they are nine times as large, and registers do not hold them.
#[test]
fn thirds_of_inputs() {
    let rows: [&[i32]; 5] =
        [&[-2, 2, 3, -1, 0], &[0, 2, 1, 0, 1], &[3, 3, 1, 0, 0], &[-2, 3, 0, 1, 2], &[0, 0, 0, 1, -2]];
    for keep in [false, true] {
        let mut declaration = native(&[(Reg::B, kernel(54, &rows))], OffsetRule::Cancelled, 100);
        declaration.inputs[0].keep = keep;
        declaration.options.max_gain = MaxGain::Own;
        solve(&declaration);
    }
}

#[test]
fn accurate_programs() {
    let gauss = [(Reg::A, kernel(16, &GAUSS_3))];
    let mut declaration = native(&gauss, OffsetRule::Cancelled, 2_000);
    declaration.options.max_gain = MaxGain::AtMost(Fraction::ONE);
    let of = |solution: &Solution| Accuracy::worst_rms(&solution.program.accuracy());
    let short = of(&solve(&declaration));
    declaration.options.objective = Objective::Accuracy;
    let accurate = of(&solve(&declaration));
    assert!(1.2 * accurate <= short, "{accurate} against {short}");
}

/// Kernels of many weights use up most of a small budget before there is a program without bias: with accurate steps
/// alone, there was only one with a bias of −69 DN.
#[test]
fn accurate_programs_of_many_weights() {
    let rows: [&[i32]; 5] = [&[2, 3, 1, 3, 2], &[3, 2, 1, 2, 3], &[1, 1, 1, 1, 1], &[3, 2, 1, 2, 3], &[2, 3, 1, 3, 2]];
    let mut declaration = native(&[(Reg::A, kernel(64, &rows))], OffsetRule::Cancelled, 5_000);
    declaration.options.max_gain = MaxGain::Own;
    declaration.options.objective = Objective::Accuracy;
    let rms = Accuracy::worst_rms(&solve(&declaration).program.accuracy());
    assert!(rms <= 3.5, "{rms}");
}

/// Of a budget that a search for short programs uses up, no less remains than these.
#[test]
fn accurate_programs_of_small_budgets() {
    let quarter = [[1, 2, 5, 3], [2, 9, 4, 7], [5, 4, 11, 6], [3, 7, 6, 40]];
    let matrix: [[i32; 7]; 7] = array::from_fn(|y| array::from_fn(|x| quarter[y.min(6 - y)][x.min(6 - x)]));
    let matrix = matrix.each_ref().map(<[i32; 7]>::as_slice);
    let mut declaration = native(&[(Reg::A, kernel(512, &matrix))], OffsetRule::Cancelled, 3_000);
    declaration.options.max_gain = MaxGain::Own;
    let rms = |declaration: &Declaration| Accuracy::worst_rms(&solve(declaration).program.accuracy());
    let short = rms(&declaration);
    declaration.options.objective = Objective::Accuracy;
    let accurate = rms(&declaration);
    assert!(accurate <= short, "{accurate} against {short}");
}

/// Between those extremes lies the shortest program that is sufficiently accurate.
#[test]
fn programs_of_bounded_error() {
    let gauss = [(Reg::A, kernel(16, &GAUSS_3))];
    let mut declaration = native(&gauss, OffsetRule::Cancelled, 2_000);
    declaration.options.max_gain = MaxGain::AtMost(Fraction::ONE);
    let short = solve(&declaration).program;
    let limit = Fraction::new(5, 2).unwrap();
    assert!(Accuracy::worst_rms(&short.accuracy()) > limit.to_f64());
    declaration.options.accuracy = Some(limit);
    assert!(matches!(verify(&declaration, short.listing()), Err(VerifyError::Inaccurate { .. })));
    let bounded = solve(&declaration).program;
    assert!(Accuracy::worst_rms(&bounded.accuracy()) <= limit.to_f64());
    declaration.options.accuracy = Fraction::new(1, 100);
    let error = search(&declaration).unwrap_err();
    assert!(matches!(error, SearchError::Inaccurate { best, .. } if best < limit.to_f64()), "{error}");
}

/// A chip that loses no gain, but whose divisions have another offset, takes another program.
#[test]
fn the_constants_of_the_chip_decide() {
    let gauss = [(Reg::A, kernel(16, &GAUSS_3))];
    let mut declaration = native(&gauss, OffsetRule::Cancelled, 3_000);
    declaration.options.objective = Objective::Accuracy;
    let published = solve(&declaration).program;
    declaration.options.error_model = ErrorModel { gain: 1.0, fixed_gain: 0.0, ..ErrorModel::measured() };
    let own = solve(&declaration).program;
    assert!(Accuracy::worst_rms(&own.accuracy()) < Accuracy::worst_rms(&published.accuracy()));
    let foreign = verify(&declaration, published.listing()).unwrap();
    assert!(Accuracy::worst_rms(&own.accuracy()) <= Accuracy::worst_rms(&foreign.accuracy()));
}

#[test]
fn max_gain_bounds_every_value() {
    let mut declaration = native(&[(Reg::A, kernel(16, &GAUSS_3))], OffsetRule::Any, 3_000);
    declaration.options.max_gain = MaxGain::AtMost(Fraction::ONE);
    assert_eq!(solve(&declaration).program.report().peak_gain, Fraction::ONE);
}

/// The bus rules effectively leave few registers: a word cannot write a cell that it reads.
#[test]
fn few_registers() {
    let mut declaration = native(&[(Reg::A, kernel(1, &[&[1, 1, 0]]))], OffsetRule::Any, 1_000);
    declaration.scratch = vec![Reg::B];
    solve(&declaration);
    declaration.scratch.clear();
    assert!(matches!(search(&declaration), Err(SearchError::Registers { enough: Some(2), .. })));
}

/// However large the budget is, little of it is used if nothing is left to try.
#[test]
fn searches_end_where_nothing_is_left_to_try() {
    let mut declaration = native(&[(Reg::A, kernel(16, &GAUSS_3))], OffsetRule::Cancelled, 100_000_000);
    declaration.scratch.clear();
    // This is called with each new node.
    let mut nodes = 0;
    let found = search_watched(&declaration, |_| {
        nodes += 1;
        ControlFlow::Continue(())
    });
    assert!(matches!(found, Err(SearchError::Registers { .. })), "{found:?}");
    assert!(nodes < 2_000, "{nodes}");
}

fn cells() -> Vec<Cell> {
    let registers = [Reg::A, Reg::B, Reg::C].map(Cell::Reg);
    registers.into_iter().chain([Cell::News]).chain(Direction::ALL.map(Cell::Port)).collect()
}

fn words() -> impl Strategy<Value = Word> {
    let some = |most: usize| prop::sample::subsequence(cells(), 0..=most);
    (some(Word::MAX_DESTINATIONS), some(Word::MAX_SOURCES))
        .prop_filter_map("no word", |(destinations, sources)| Word::new(&destinations, &sources).ok())
}

/// A machine with one number per cell, for images that are the same everywhere, in which every word adds 1.
fn with_constant_error(words: &[Word], inputs: &[(Reg, f64)]) -> impl Fn(Reg) -> Option<f64> + use<> {
    let mut values: std::collections::BTreeMap<_, f64> =
        inputs.iter().map(|&(reg, value)| (Store::Reg(reg), value)).collect();
    for word in words {
        for transfer in word.transfers() {
            let sum: f64 = transfer.terms().iter().map(|(store, _)| values[store]).sum();
            values.insert(transfer.store, -sum / f64::from(transfer.divisor) + 1.0);
        }
    }
    move |reg| values.get(&Store::Reg(reg)).copied()
}

proptest! {
    /// The offset errors that the prover reports are those of a simulation.
    #[test]
    fn offset_errors_are_those_of_a_machine_with_that_error(program in prop::collection::vec(words(), 1..12)) {
        let inputs = [Reg::A, Reg::B, Reg::C];
        let mut prover = Prover::new(&inputs);
        // NEWS is empty at first.
        let mut issued = vec![Word::new(&[Cell::News], &[Cell::Reg(Reg::A)]).unwrap()];
        issued.extend(program);
        for &word in &issued {
            prover.issue(word).unwrap();
        }
        let error = with_constant_error(&issued, &inputs.map(|reg| (reg, 0.0)));
        for reg in inputs {
            let left = prover.report().offset_error(reg).unwrap().to_f64();
            prop_assert!((left - error(reg).unwrap()).abs() < 1e-9, "{left} of {reg}");
        }
    }
}

#[test]
fn thirds_and_halves_print_with_one_denominator() {
    let mut mixed = native(&[(Reg::B, kernel(3, &[&[1, 0, 0]]))], OffsetRule::Any, 1);
    mixed.outputs[0].kernel.add_scaled(&kernel(4, &[&[0, 0, 1]]), Fraction::ONE, cain_isa::Displacement::ZERO).unwrap();
    assert!(mixed.to_string().contains("B = 1/12 [4 0 3] * A"), "{mixed}");
}
