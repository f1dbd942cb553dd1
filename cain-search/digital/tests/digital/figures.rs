//! Tests of the lengths of programs.

use cain_analysis::prove::Polynomial;
use cain_digital::{Fitting, SearchError, search};

use crate::common::{BOX, GAUSS, Rows, SOBEL_X, SOBEL_Y, declaration, kernel};

/// The length of the program for kernels on unsigned numbers with these numbers of bits.
fn words(bits: &[u32], kernels: &[Polynomial], nodes: u64) -> usize {
    let bits: Vec<(u32, bool)> = bits.iter().map(|&bits| (bits, false)).collect();
    let declaration = cain_digital::Declaration { nodes, ..declaration(&bits, kernels) };
    search(&declaration).unwrap().program.program().words()
}

#[test]
fn sums_and_differences_take_seven_words_a_bit() {
    let one: Rows<'_> = &[&[1]];
    for bits in 1..=5 {
        for second in [one, &[&[-1]]] {
            let words = words(&[bits, bits], &[kernel(&[one, second])], 5000);
            assert!(words <= 7 * bits as usize - 2, "{bits} bits, {second:?}: {words}");
        }
    }
}

#[test]
fn neighbourhoods() {
    let lengths = [(BOX, 1, 37), (GAUSS, 1, 50), (SOBEL_X, 1, 34), (BOX, 2, 79), (GAUSS, 2, 83), (SOBEL_X, 2, 63)];
    for (rows, bits, most) in lengths {
        let words = words(&[bits], &[kernel(&[rows])], 40_000);
        assert!(words <= most, "{rows:?} with {bits} bits: {words}");
    }
}

/// In these kernels, one weight differs from the value that rows and columns suggest: each is a box or Gaussian kernel
/// and a pixel.
#[test]
fn neighbourhoods_but_for_one_weight() {
    let ring: Rows<'_> = &[&[1, 1, 1], &[1, -8, 1], &[1, 1, 1]];
    let sharper: Rows<'_> = &[&[-1, -2, -1], &[-2, 28, -2], &[-1, -2, -1]];
    for (rows, most) in [(ring, 127), (sharper, 128)] {
        let words = words(&[2], &[kernel(&[rows])], 300_000);
        assert!(words <= most, "{rows:?}: {words}");
    }
}

#[test]
fn both_gradients() {
    let words = words(&[1], &[kernel(&[SOBEL_X]), kernel(&[SOBEL_Y])], 100_000);
    assert!(words <= 58, "{words}");
}

/// The outputs have ten bits. They fit only if neighbours are read one after the other and the lowest bits, which are
/// equal, are made once.
#[test]
fn both_gradients_of_two_bits() {
    let words = words(&[2], &[kernel(&[SOBEL_X]), kernel(&[SOBEL_Y])], 60_000);
    assert!(words <= 160, "{words}");
}

/// Nothing repeats in these kernels, on numbers so wide that only the sum so far can be held.
#[test]
fn weights_that_have_nothing_in_common() {
    let first: Rows<'_> = &[&[-1, -2, -2], &[1, 0, 1], &[1, 0, 1]];
    let second: Rows<'_> = &[&[1, 0, -2], &[1, 0, 2], &[0, -1, 0]];
    for (rows, bits, most) in [(first, 3, 225), (first, 4, 544), (second, 4, 234)] {
        let words = words(&[bits], &[kernel(&[rows])], 20_000);
        assert!(words <= most, "{rows:?} with {bits} bits: {words}");
    }
}

/// Inputs that are not read are in the registers that must be free first.
#[test]
fn inputs_that_are_not_read() {
    let sum = declaration(&[(6, false); 2], &[kernel(&[&[&[0]], &[&[0, 1, 1]]])]);
    assert!(search(&cain_digital::Declaration { nodes: 2000, ..sum }).is_ok());
}

/// If registers do not suffice, the error says what they suffice for.
#[test]
fn what_fits_is_said() {
    let east: Rows<'_> = &[&[0, 1, 1]];
    let sum = |bits| declaration(&[(bits, false)], &[kernel(&[east])]);
    let error = search(&sum(12)).unwrap_err();
    assert_eq!(error, SearchError::Registers(Fitting { bits: Some(8), apart: false }));
    let message = "no program found within the registers of a PE; there is one for inputs of 8 bits";
    assert_eq!(error.to_string(), message);
    let few = cain_digital::Declaration { nodes: 10, ..sum(12) };
    let message = "no program found within 10 search nodes; allow more; there is one for inputs of 8 bits";
    assert_eq!(search(&few).unwrap_err().to_string(), message);
    let narrower = cain_digital::Declaration { nodes: 2000, ..sum(8) };
    assert!(search(&narrower).is_ok());

    // Bits in the direction registers must first go elsewhere, which is impossible for all of them.
    let neighbour: Rows<'_> = &[&[0, 0, 1]];
    let moved = |channel| kernel(&[vec![&[&[0][..]][..]; channel], vec![neighbour]].concat());
    let error = search(&declaration(&[(1, false); 12], &(0..12).map(moved).collect::<Vec<_>>())).unwrap_err();
    assert_eq!(error, SearchError::Registers(Fitting { bits: None, apart: true }));
    assert!(error.to_string().ends_with("; there is one for each output alone"), "{error}");
}
