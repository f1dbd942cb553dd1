//! Tests of the default constraints: no value of a program exceeds what the registers can hold or what its results
//! need, and no output contains the transfer error.

use cain_analysis::prove::{Atom, Polynomial, Prover};
use cain_isa::{Displacement, Fraction, HostController as _, Instruction, Range, Reg, Word};
use cain_search::{Declaration, DeclarationError, InstructionSet, Options, SearchError, search};
use proptest::prelude::*;

use crate::common::declaration;

/// The largest and the smallest value, reached if every pixel has the appropriate extreme level.
fn extremes(value: &Polynomial, inputs: Range) -> [Fraction; 2] {
    let (up, down) = inputs.extents();
    let levels = [Fraction::from(i32::from(up)), Fraction::from(-i32::from(down))];
    [0, 1].map(|least| {
        value.terms().fold(Fraction::ZERO, |sum, (_, weight)| {
            let is_low = (weight < Fraction::ZERO) != (least == 1);
            sum.checked_add(weight.checked_mul(levels[usize::from(is_low)]).unwrap()).unwrap()
        })
    })
}

/// The largest magnitude of a value.
fn reach(value: &Polynomial, inputs: Range) -> Fraction {
    extremes(value, inputs).map(Fraction::abs).into_iter().max().unwrap()
}

/// The values that words write, one after the other.
fn values(listing: &[Instruction]) -> Vec<Polynomial> {
    let mut prover = Prover::new(&[Reg::A]);
    let mut values = Vec::new();
    let words: Vec<Word> = listing.iter().flat_map(Instruction::words).collect();
    for word in words {
        prover.issue(word).unwrap();
        values.extend(word.transfers().filter_map(|transfer| prover.stored(transfer.store).cloned()));
    }
    values
}

fn kernel() -> impl Strategy<Value = Polynomial> {
    let weights = prop::collection::vec(prop_oneof![2 => Just(0_i64), 3 => -8_i64..=8], 9);
    (weights, 0_u32..=5).prop_map(|(weights, halvings)| {
        let mut kernel = Polynomial::new();
        for (weight, (x, y)) in weights.into_iter().zip((-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y)))) {
            let atom = Atom { channel: 0, displacement: Displacement::new(x, y) };
            kernel.add_term(atom, Fraction::new(weight, 1 << halvings).unwrap()).unwrap();
        }
        kernel
    })
}

fn range() -> impl Strategy<Value = Option<Range>> {
    let any = (-128_i16..=0, 1_i16..=127).prop_map(|(min, max)| Some(Range { min, max }));
    prop_oneof![Just(None), Just(Some(Range { min: 0, max: 127 })), Just(Some(Range { min: -128, max: 0 })), any]
}

fn constrained(kernels: &[Polynomial], input: Option<Range>, instructions: InstructionSet) -> Declaration {
    let outputs: Vec<_> = [Reg::A, Reg::B].into_iter().zip(kernels.iter().cloned()).collect();
    Declaration { options: Options { nodes: 200, input, instructions, ..Options::default() }, ..declaration(&outputs) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_saturates_and_no_error_is_left(
        kernels in prop::collection::vec(kernel(), 1..=2),
        input in range(),
        instructions in prop::sample::select(&[InstructionSet::Native, InstructionSet::Macro][..]),
    ) {
        let declaration = constrained(&kernels, input, instructions);
        let solution = match search(&declaration) {
            Ok(solution) => solution,
            Err(SearchError::Budget { .. } | SearchError::Registers { .. }) => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let inputs = declaration.input_range();
        let registers = Fraction::from(i32::from(declaration.machine.range.magnitude()));
        let most = kernels.iter().map(|kernel| reach(kernel, inputs)).fold(registers, Fraction::max);
        let values = values(solution.program.listing());
        let largest = values.iter().map(|value| reach(value, inputs)).fold(Fraction::ZERO, Fraction::max);
        prop_assert!(largest <= most, "{} reaches {}, more than {}", declaration, largest, most);
        let magnitude = Fraction::from(i32::from(inputs.magnitude()));
        prop_assert_eq!(solution.program.report().peak_gain.checked_mul(magnitude), Some(largest));
        for output in &declaration.outputs {
            prop_assert_eq!(solution.program.report().offset_error(output.reg), Some(Fraction::ZERO));
        }
    }
}

/// The difference of two non-negative pixels needs no more range than the pixels themselves.
#[test]
fn the_range_of_the_input_allows_more() {
    let mut slope = Polynomial::input(0);
    slope.add_term(Atom { channel: 0, displacement: Displacement::new(1, 0) }, Fraction::from(-1)).unwrap();
    let bright = Some(Range { min: 0, max: 127 });
    for (input, gain) in [(None, 2), (bright, 1)] {
        let declaration = constrained(std::slice::from_ref(&slope), input, InstructionSet::Native);
        assert_eq!(declaration.gain(&declaration.outputs[0]), Some(Fraction::from(gain)));
        assert_eq!(search(&declaration).unwrap().program.report().peak_gain, Fraction::from(gain));
    }
}

/// A word that passes a value on makes its negative first.
#[test]
fn registers_are_used_as_far_as_they_reach_on_both_sides() {
    let copy = |range, input| {
        let mut copy = constrained(&[Polynomial::input(0)], input, InstructionSet::Native);
        copy.machine.range = range;
        copy
    };
    let (uneven, even) = (Range { min: -20, max: 255 }, Range { min: -20, max: 20 });
    let half = copy(uneven, None);
    assert_eq!((half.input_range(), half.validate()), (even, Ok(())));
    let (bright, least) = (Range { min: 0, max: 100 }, Range { min: 0, max: 10 });
    let beyond = DeclarationError::InputBeyondRegisters { input: bright, registers: even };
    assert_eq!(copy(uneven, Some(bright)).validate(), Err(beyond));
    assert_eq!(copy(uneven, Some(least)).gain_of_registers(), Fraction::from(2));
    let nothing = Range { min: 0, max: 0 };
    assert_eq!(copy(Range { min: 0, max: 255 }, None).validate(), Err(DeclarationError::EmptyInput(nothing)));
}
