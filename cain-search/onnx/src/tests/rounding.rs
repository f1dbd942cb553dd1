//! The rounding of weights on the array.

use super::super::proto::{Node, Tensor};
use super::{assert_near, node, outcome, picture, rounded, tensor};

fn convolution(weights: Vec<f32>) -> ([Node; 1], [Tensor; 1]) {
    let kernels = i64::try_from(weights.len() / 2).unwrap();
    ([node("Conv", &["picture", "weights"], "last", &[])], [tensor("weights", &[kernels, 1, 1, 2], weights)])
}

/// What a kernel of two pixels beside each other makes of the picture.
fn convolved(weights: [f64; 2], range: f64) -> Vec<f64> {
    let numbers: Vec<f64> = picture().into_iter().map(|pixel| f64::from(pixel) / 255.0 * range).collect();
    let rows = numbers.chunks(6);
    rows.flat_map(|row| row.windows(2).map(|pair| pair[0] * weights[0] + pair[1] * weights[1])).collect()
}

/// Weights of networks that were trained on bytes are hundreds of times smaller than those for numbers from 0 to 1.
#[test]
fn small_weights_are_rounded_beside_the_largest() {
    let weights = [0.0011, 0.0005];
    let (nodes, constants) = convolution(vec![0.0011, 0.0005]);
    let imported = rounded(((0.0, 255.0), 7), &nodes, &constants).unwrap();
    assert_near(&outcome(&imported, &picture()), &convolved(weights, 255.0), 0.03);
    assert!(!imported.is_coarse);
    let told = "`last`: weights of up to 0.00110 as multiples of 1/16384: largest change 1.2e-5";
    assert!(imported.remarks.iter().any(|remark| remark.starts_with(told)), "{:?}", imported.remarks);
}

#[test]
fn it_is_told_which_kernels_are_lost() {
    let (nodes, constants) = convolution(vec![1.0, 0.5, 0.01, 0.02]);
    let imported = rounded(((0.0, 1.0), 3), &nodes, &constants).unwrap();
    let told = "warning: `last`: 1 of 2 kernels become zero; allow a larger depth by `--depth`";
    assert!(imported.is_coarse && imported.remarks.iter().any(|remark| remark == told), "{:?}", imported.remarks);
    let (nodes, constants) = convolution(vec![0.3125, 0.1875]);
    let imported = rounded(((0.0, 1.0), 2), &nodes, &constants).unwrap();
    let told = "warning: `last`: rounding changes the weights by 24 % in the root mean square; allow a larger depth by `--depth`";
    assert!(imported.is_coarse && imported.remarks.iter().any(|remark| remark == told), "{:?}", imported.remarks);
    let imported = rounded(((0.0, 1.0), 4), &nodes, &constants).unwrap();
    assert!(!imported.is_coarse && imported.remarks.iter().all(|remark| !remark.contains("warning")));
}
