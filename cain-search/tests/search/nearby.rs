//! Tests of kernels that the search may choose within an error.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction, Reg, Stop};
use cain_search::{Approximation, Declaration, InstructionSet, Options, VerifyError, search, verify};
use proptest::prelude::*;

use crate::common::{declaration, kernel};

fn allowing(error: &str, outputs: &[(Reg, Polynomial)]) -> Declaration {
    let mut declaration = declaration(outputs);
    declaration.options.nodes = 1_000;
    declaration.options.instructions = InstructionSet::Native;
    declaration.options.approximate = Some(Approximation { depth: 20, error: error.parse().unwrap() });
    declaration
}

/// The sum of the absolute differences of all weights.
fn distance(one: &Polynomial, other: &Polynomial) -> Fraction {
    let mut difference = one.clone();
    difference.add_scaled(other, Fraction::from(-1), Displacement::ZERO).unwrap();
    difference
        .terms()
        .map(|(_, weight)| weight.abs())
        .fold(Fraction::ZERO, |sum, weight| sum.checked_add(weight).unwrap())
}

/// A binomial blur with a little noise in its weights takes no more words than without.
#[test]
fn a_short_program_near_by() {
    let noisy = kernel(1_600, &[&[105, 190, 102], &[203, 408, 197], &[97, 205, 95]]);
    let solution = search(&allowing("0.05", &[(Reg::A, noisy.clone())])).unwrap();
    assert!(solution.program.listing().len() <= 9, "{solution:?}");
    assert_eq!(solution.statistics.stop, Stop::Nodes);
    let approximated = solution.program.approximated().unwrap();
    let found = &solution.program.outputs()[0].kernel;
    assert_eq!(approximated.error, distance(found, &noisy));
    assert!(approximated.error <= "0.05".parse().unwrap());
    // Without approximation, there is no program for such weights.
    assert!(search(&declaration(&[(Reg::A, noisy)])).is_err());
}

#[test]
fn a_program_for_kernels_that_are_too_far_is_refused() {
    let listing = ["bus(NEWS,A);".parse().unwrap(), "bus(B,XE);".parse().unwrap()];
    let east = |weight: &str, error| {
        let mut sum = Polynomial::new();
        let atom = Atom { channel: 0, displacement: Displacement::new(1, 0) };
        sum.add_term(atom, weight.parse().unwrap()).unwrap();
        verify(&allowing(error, &[(Reg::B, sum)]), &listing)
    };
    assert_eq!(east("0.9", "0.1").unwrap().approximated().unwrap().depth, 0);
    let [error, allowed] = ["1/10", "1/100"].map(|number| number.parse().unwrap());
    assert_eq!(east("0.9", "0.01"), Err(VerifyError::TooFar { error: Some(error), allowed }));
}

/// No kernel may vanish, however large the error.
#[test]
fn something_is_left_of_every_kernel() {
    let small = [(Reg::A, kernel(100, &[&[3]])), (Reg::B, kernel(100, &[&[0, 1, 0]]))];
    let solution = search(&allowing("5", &small)).unwrap();
    assert!(solution.program.outputs().iter().all(|output| !output.kernel.is_zero()));
    let nothing = ["bus(A);".parse().unwrap(), "bus(B);".parse().unwrap()];
    assert_eq!(verify(&allowing("5", &small), &nothing), Err(VerifyError::Vanished { reg: Reg::A }));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, ..ProptestConfig::default() })]

    /// Every program found is sufficiently near, and more nodes never lead to more instructions.
    #[test]
    fn near_enough_and_never_worse_with_more_nodes(
        weights in prop::collection::vec(-99_i32..=99, 9),
        macros in any::<bool>(),
    ) {
        prop_assume!(weights.iter().any(|weight| weight.abs() > 10));
        let rows: Vec<&[i32]> = weights.chunks(3).collect();
        let wanted = kernel(400, &rows);
        let mut declaration = allowing("0.2", &[(Reg::B, wanted.clone())]);
        declaration.options.instructions = if macros { InstructionSet::Macro } else { InstructionSet::Native };
        let mut lengths = Vec::new();
        for nodes in [30, 90, 270] {
            declaration.options.nodes = nodes;
            let Ok(solution) = search(&declaration) else { continue };
            let found = &solution.program.outputs()[0].kernel;
            prop_assert!(distance(found, &wanted) <= Fraction::new(1, 5).unwrap());
            prop_assert_eq!(&verify(&declaration, solution.program.listing()).unwrap(), &solution.program);
            lengths.push(solution.program.listing().len());
        }
        prop_assert!(!lengths.is_empty() && lengths.is_sorted_by(|a, b| a >= b), "{:?}", lengths);
    }
}

/// Kernels of the opening book are near enough to be found in it.
#[test]
fn kernels_of_the_book_are_found_there() {
    let noisy = kernel(1_600, &[&[105, 190, 102], &[203, 408, 197], &[97, 205, 95]]);
    let declaration = allowing("0.05", &[(Reg::A, noisy)]);
    let usual = Options { nodes: 300, instructions: InstructionSet::Native, ..Options::default() };
    let with = |book: bool| {
        let options = Options { book, approximate: declaration.options.approximate, ..usual.clone() };
        search(&Declaration { options, ..declaration.clone() }).unwrap()
    };
    let (found, without) = (with(true), with(false));
    assert!(found.program.listing().len() < without.program.listing().len(), "{found:?} {without:?}");
    assert_eq!(found.program.outputs()[0].kernel, kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]));
}
