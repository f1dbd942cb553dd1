//! Dense layers with integer weights, compared with double precision.

use cain_runtime::dense::{Dense, LengthError, Number, Weight, argmax, rectify};
use proptest::prelude::*;

/// The sums in double precision.
fn exactly(weights: &[f64], scale: f32, bias: &[f32], inputs: &[f64]) -> Vec<f64> {
    let sum = |row: &[f64]| row.iter().zip(inputs).map(|(weight, input)| weight * input).sum::<f64>();
    let rows = weights.chunks(inputs.len());
    rows.zip(bias).map(|(row, bias)| sum(row) * f64::from(scale) + f64::from(*bias)).collect()
}

fn apply<W: Weight, N: Number>(weights: &[W], scale: f32, bias: &[f32], inputs: &[N]) -> Vec<f32> {
    let mut outputs = vec![0.0; bias.len()];
    Dense::new(weights, scale, bias).apply(inputs, &mut outputs).unwrap();
    outputs
}

/// Whether outputs are right up to the rounding of single precision.
fn agree(found: &[f32], expected: &[f64], magnitude: f64) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| (f64::from(*found) - expected).abs() <= 1e-6 * magnitude)
}

proptest! {
    #[test]
    fn sums_of_counts(
        weights in prop::collection::vec(any::<i8>(), 36 * 5),
        counts in prop::collection::vec(0..=65_536_i32, 36),
        bias in prop::collection::vec(-100.0..100.0_f32, 5),
    ) {
        let numbers: Vec<f64> = counts.iter().copied().map(f64::from).collect();
        let exact: Vec<f64> = weights.iter().copied().map(f64::from).collect();
        let expected = exactly(&exact, 0.01, &bias, &numbers);
        // The sum is exact, so only its own magnitude matters.
        let largest = expected.iter().fold(100.0_f64, |most, number| most.max(number.abs()));
        prop_assert!(agree(&apply(&weights, 0.01, &bias, &counts), &expected, largest));
    }

    #[test]
    fn sums_of_numbers(
        weights in prop::collection::vec(any::<i16>(), 50 * 4),
        numbers in prop::collection::vec(0.0..1000.0_f32, 50),
        bias in prop::collection::vec(-100.0..100.0_f32, 4),
    ) {
        let inputs: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
        let exact: Vec<f64> = weights.iter().copied().map(f64::from).collect();
        let magnitude = 50.0 * 1000.0 * 32_768.0 * 0.001;
        prop_assert!(agree(&apply(&weights, 0.001, &bias, &numbers), &exactly(&exact, 0.001, &bias, &inputs), magnitude));
    }
}

/// Counts of the whole array and the largest weights do not overflow.
#[test]
fn the_largest_sums() {
    let (weights, counts) = ([i16::MIN; 2048], [65_536; 2048]);
    assert_eq!(apply(&weights, 1.0, &[0.0], &counts), [-4_398_046_511_104.0]);
}

#[test]
fn slices_of_other_lengths_are_refused() {
    let dense = Dense::new(&[1_i8, 2, 3, 4], 1.0, &[0.0, 0.5]);
    assert_eq!((dense.inputs(), dense.outputs()), (2, 2));
    let message = |result: Result<(), LengthError>| result.unwrap_err().to_string();
    assert_eq!(message(dense.apply(&[1, 2, 3], &mut [0.0; 2])), "3 inputs for a dense layer that has 2");
    assert_eq!(message(dense.apply(&[1.0, 2.0], &mut [0.0; 1])), "1 outputs for a dense layer that has 2");
    assert_eq!(apply::<i8, i32>(&[], 1.0, &[3.0, -1.0], &[]), [3.0, -1.0]);
}

#[test]
fn what_follows_sums() {
    let mut numbers = [1.5, -2.0, 0.0, 1.5];
    assert_eq!((argmax(&numbers), argmax(&[-3.0, -1.0]), argmax(&[])), (Some(0), Some(1), None));
    rectify(&mut numbers);
    assert_eq!(numbers.map(f32::to_bits), [1.5_f32, 0.0, 0.0, 1.5].map(f32::to_bits));
}

#[test]
fn probabilities() {
    let mut scores = [1000.0, 1000.0 + core::f32::consts::LN_2, -1000.0];
    cain_runtime::dense::softmax(&mut scores);
    assert!((scores[0] - 1.0 / 3.0).abs() < 1e-4 && (scores[1] - 2.0 / 3.0).abs() < 1e-4, "{scores:?}");
    assert!(scores[2] < 1e-30, "{scores:?}");
    for part in 0..=45_000_u16 {
        let power = f32::from(part) / -512.0;
        let (mut scores, wanted) = ([power, 0.0], f64::from(power).exp() / (1.0 + f64::from(power).exp()));
        cain_runtime::dense::softmax(&mut scores);
        assert!((f64::from(scores[0]) - wanted).abs() <= wanted * 3e-7 + 2e-38, "{power}: {scores:?} for {wanted}");
    }
}
