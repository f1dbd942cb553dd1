//! Factors of the picture, and of maps, beside parts that are taken of them.

use super::super::proto::{Node, Tensor};
use super::{assert_near, integers, node, outcome, picture, rounded, tensor};

/// Weights of 2×2 pixels, in eighths.
const WEIGHTS: [f32; 4] = [0.5, -0.25, 0.125, 1.0];

/// Rows 1 to 4, and columns 2 to 5.
fn window() -> [Tensor; 3] {
    [integers("starts", &[1, 2]), integers("ends", &[5, 6]), integers("axes", &[2, 3])]
}

fn constants() -> Vec<Tensor> {
    let mut all = window().to_vec();
    all.extend([
        tensor("bytes", &[], vec![255.0]),
        tensor("few", &[], vec![0.01]),
        tensor("half", &[], vec![0.5]),
        tensor("weights", &[1, 1, 2, 2], WEIGHTS.to_vec()),
        tensor("one", &[1, 1, 1, 1], vec![1.0]),
    ]);
    all
}

fn slice(from: &str, to: &str) -> Node {
    node("Slice", &[from, "starts", "ends", "axes"], to, &[])
}

/// What the convolution makes of the window of a picture of these numbers.
fn convolved(number: impl Fn(f64) -> f64) -> Vec<f64> {
    let picture = picture();
    let at = |row: usize, column: usize| number(f64::from(picture[(row + 1) * 6 + column + 2]));
    let places = (0..3).flat_map(|row| (0..3).map(move |column| (row, column)));
    places
        .map(|(row, column)| {
            let [a, b, c, d] = WEIGHTS.map(f64::from);
            a * at(row, column) + b * at(row, column + 1) + c * at(row + 1, column) + d * at(row + 1, column + 1)
        })
        .collect()
}

#[test]
fn a_factor_of_the_picture_is_not_rounded_in_parts_of_it() {
    let conv = |from: &str| node("Conv", &[from, "weights"], "last", &[]);
    let divided = |from: &str, to: &str| node("Div", &[from, "bytes"], to, &[]);
    let models = [
        vec![divided("picture", "unit"), slice("unit", "part"), conv("part")],
        vec![slice("picture", "part"), divided("part", "unit"), conv("unit")],
        // What is compared beside a part keeps its numbers.
        vec![
            divided("picture", "unit"),
            node("Greater", &["unit", "half"], "bits", &[]),
            slice("unit", "part"),
            conv("part"),
        ],
    ];
    for nodes in models {
        let imported = rounded(((0.0, 255.0), 3), &nodes, &constants()).unwrap();
        assert_near(&outcome(&imported, &picture()), &convolved(|pixel| pixel / 255.0), 1e-6);
        assert!(imported.network.layers.iter().all(|layer| !layer.name.contains("unit")), "{:?}", imported.network);
    }
}

#[test]
fn a_factor_of_maps_goes_into_their_convolution_through_parts_of_them() {
    let nodes = [
        node("Conv", &["picture", "one"], "maps", &[]),
        node("Mul", &["maps", "few"], "scaled", &[]),
        slice("scaled", "part"),
        node("Conv", &["part", "weights"], "last", &[]),
    ];
    let imported = rounded(((0.0, 1.0), 7), &nodes, &constants()).unwrap();
    assert_near(&outcome(&imported, &picture()), &convolved(|pixel| pixel / 255.0 * 0.01), 0.05);
    // The factor, the part, the convolution and what reads the maps out: no layer multiplies alone.
    let told = imported.remarks.iter().any(|remark| remark == "node `scaled` (Mul): folded into `maps`");
    assert!(told, "{:?}", imported.remarks);
}
