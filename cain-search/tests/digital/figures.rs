//! Lengths of programs.

use crate::common::{BOX, GAUSS, Rows, SOBEL_X, SOBEL_Y, declaration, kernel};
use cain_isa::prove::Polynomial;
use cain_search::digital::search;

/// The length of the program for kernels on unsigned numbers, of which each has so many bits.
fn words(bits: &[u32], kernels: &[Polynomial], nodes: u64) -> usize {
    let bits: Vec<(u32, bool)> = bits.iter().map(|&bits| (bits, false)).collect();
    let declaration = cain_search::digital::Declaration { nodes, ..declaration(&bits, kernels) };
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
    let lengths = [(BOX, 1, 37), (GAUSS, 1, 52), (SOBEL_X, 1, 34), (BOX, 2, 80), (GAUSS, 2, 83), (SOBEL_X, 2, 65)];
    for (rows, bits, most) in lengths {
        let words = words(&[bits], &[kernel(&[rows])], 40_000);
        assert!(words <= most, "{rows:?} with {bits} bits: {words}");
    }
}

#[test]
fn both_gradients() {
    let words = words(&[1], &[kernel(&[SOBEL_X]), kernel(&[SOBEL_Y])], 100_000);
    assert!(words < 2 * 39, "{words}");
}
