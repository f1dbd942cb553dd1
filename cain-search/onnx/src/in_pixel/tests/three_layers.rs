//! Models with a second convolution.

use std::collections::BTreeSet;

use cain_codegen::kernel_file::{parse_in_pixel, write_in_pixel};
use cain_in_pixel::{Declaration, Pixels};

use super::super::super::proto;
use super::super::super::tests::{info, integers, node, tensor};
use super::super::super::wire::Message as _;
use super::super::read;

/// Three layers on an array of 16×16: four filters of 2×2 for pictures of 6×6 pixels, each of 2×2 PEs, which see 8×8 pixels;
/// maxima of 2×2; 16 filters that make four maps; three classes. Thresholds are 2, 4 and 6, and then 5 and 9.
struct Three {
    first: Vec<f32>,
    next: Vec<f32>,
    dense: Vec<f32>,
    pads: [Vec<i64>; 2],
    constants: Vec<proto::Tensor>,
    numbers: Vec<proto::Node>,
}

impl Three {
    fn new() -> Self {
        let sign = |number: usize| if number * 7919 % 11 < 5 { 1.0 } else { -1.0 };
        let ternary = |number: usize| [0.0, 1.0, -1.0][number * 7919 % 13 % 3];
        let constant = |name: &str, value: f32| tensor(name, &[], vec![value]);
        Self {
            first: (0..16).map(sign).collect(),
            next: (0..64).map(|number| sign(number + 3)).collect(),
            dense: (0..3 * 4 * 16).map(ternary).collect(),
            pads: [vec![1, 1, 2, 2], vec![0, 0, 1, 1]],
            constants: vec![
                constant("least", 2.0),
                constant("distance", 2.0),
                constant("one", 1.0),
                constant("none", 0.0),
                constant("most", 3.0),
                constant("five", 5.0),
                constant("eight", 8.0),
            ],
            // This is how `torch.floor((sums - 2) / 2 + 1).clamp(0, 3)` and `(sums >= 5).float() + (sums > 8).float()`
            // are exported.
            numbers: vec![
                node("Sub", &["sums", "least"], "less", &[]),
                node("Div", &["less", "distance"], "steps", &[]),
                node("Add", &["steps", "one"], "more", &[]),
                node("Floor", &["more"], "whole", &[]),
                node("Clip", &["whole", "none", "most"], "numbers", &[]),
                node("MaxPool", &["numbers"], "maxima", &[("kernel_shape", &[2, 2]), ("strides", &[2, 2])]),
                node("Conv", &["maxima", "next"], "others", &[("pads", &[0, 0, 1, 1])]),
                node("GreaterOrEqual", &["others", "five"], "reached", &[]),
                node("Cast", &["reached"], "first", &[("to", &[1])]),
                node("Greater", &["others", "eight"], "passed", &[]),
                node("Cast", &["passed"], "second", &[("to", &[1])]),
                node("Add", &["first", "second"], "results", &[]),
                node("Flatten", &["results"], "features", &[("axis", &[1])]),
                node("Gemm", &["features", "dense"], "scores", &[("transB", &[1])]),
            ],
        }
    }

    fn read(&self) -> Result<(Declaration, Vec<String>), String> {
        let convolution = node("Conv", &["picture", "filters"], "sums", &[("pads", &self.pads[0])]);
        let weights = [
            tensor("filters", &[4, 1, 2, 2], self.first.clone()),
            tensor("next", &[4, 4, 2, 2], self.next.clone()),
            tensor("dense", &[3, i64::try_from(self.dense.len() / 3).unwrap()], self.dense.clone()),
        ];
        let graph = proto::Graph {
            node: [&convolution].into_iter().chain(&self.numbers).map(proto::Node::encode_to_vec).collect(),
            initializer: weights.iter().chain(&self.constants).map(proto::Tensor::encode_to_vec).collect(),
            input: vec![info("picture", &[1, 1, 6, 6])],
            output: vec![info("scores", &[1, 3])],
            ..proto::Graph::default()
        };
        let opset_import = vec![proto::OperatorSet { domain: String::new(), version: 17 }];
        read(
            &proto::Model { graph: Some(graph), opset_import, functions: Vec::new() }.encode_to_vec(),
            16,
            Pixels::TwoBits,
        )
    }

    /// The scores that the model computes from pixels.
    fn scores(&self, pixels: &[u8]) -> Vec<f32> {
        let at = |map: &[Vec<f32>], row: usize, column: usize| {
            map.get(row).and_then(|line| line.get(column)).copied().unwrap_or(0.0)
        };
        let square = |side: usize, value: &dyn Fn(usize, usize) -> f32| -> Vec<Vec<f32>> {
            (0..side).map(|row| (0..side).map(|column| value(row, column)).collect()).collect()
        };
        let seen = square(7, &|row, column| match (row.checked_sub(1), column.checked_sub(1)) {
            (Some(row), Some(column)) => f32::from(pixels[row * 6 + column]),
            _ => 0.0,
        });
        let sum = |weights: &[f32], map: &[Vec<f32>], row: usize, column: usize| -> f32 {
            (0..4).map(|tap| weights[tap] * at(map, row + tap / 2, column + tap % 2)).sum()
        };
        let maxima: Vec<_> = (0..4)
            .map(|filter| {
                let number = |row, column| {
                    (((sum(&self.first[filter * 4..], &seen, row, column) - 2.0) / 2.0 + 1.0).floor()).clamp(0.0, 3.0)
                };
                square(4, &|row, column| {
                    (0..4).map(|place| number(2 * row + place / 2, 2 * column + place % 2)).fold(0.0, f32::max)
                })
            })
            .collect();
        let results = (0..64).map(|place| {
            let (map, row, column) = (place / 16, place % 16 / 4, place % 4);
            let sums = (0..4).map(|from| sum(&self.next[(map * 4 + from) * 4..], &maxima[from], row, column));
            let sum: f32 = sums.sum();
            f32::from(u8::from(sum >= 5.0)) + f32::from(u8::from(sum > 8.0))
        });
        let results: Vec<f32> = results.collect();
        self.dense.chunks(64).map(|weights| weights.iter().zip(&results).map(|(w, r)| w * r).sum()).collect()
    }
}

#[test]
fn models_of_three_layers_compute_the_same() {
    let model = Three::new();
    let (network, _) = model.read().unwrap();
    let second = network.second.as_ref().unwrap();
    assert_eq!(second.thresholds, [vec![2, 4, 6], vec![5, 9]]);
    assert_eq!((network.block, network.scale, network.pool, second.taps), (16, 2, 2, 2));
    let mut different = BTreeSet::new();
    for seed in 0..20 {
        let pixels: Vec<u8> =
            (0..36).map(|pixel| [0, 1, 3, 2, 3, 3, 2][(pixel * pixel + seed * 5) * 7919 % 7]).collect();
        let wanted = model.scores(&pixels);
        #[expect(clippy::cast_precision_loss, reason = "small scores")]
        let found: Vec<_> = network.scores(&pixels).into_iter().map(|score| score as f32).collect();
        assert_eq!(found, wanted);
        different.insert(format!("{wanted:?}"));
    }
    assert!(different.len() > 3, "{different:?}");
    let written = write_in_pixel("n", &network, &[], None);
    let [declared] = <[_; 1]>::try_from(parse_in_pixel(&written.toml, &mut |_| Err(String::new())).unwrap()).unwrap();
    assert_eq!(declared.network, network);
}

/// Casts to integers and bits have the effect that ONNX defines.
#[test]
fn casts_between_thresholds_count() {
    for (numbers, wanted) in [
        (
            vec![
                node("Clip", &["sums", "none", "most"], "clipped", &[]),
                node("Cast", &["clipped"], "bits", &[("to", &[9])]),
                node("Cast", &["bits"], "numbers", &[("to", &[1])]),
            ],
            vec![1],
        ),
        (
            vec![
                node("Div", &["sums", "distance"], "halves", &[]),
                node("Cast", &["halves"], "whole", &[("to", &[7])]),
                node("Greater", &["whole", "two_whole"], "bits", &[]),
                node("Cast", &["bits"], "numbers", &[("to", &[1])]),
            ],
            vec![6],
        ),
        (
            vec![
                node("Cast", &["sums"], "whole", &[("to", &[7])]),
                node("Div", &["whole", "five_whole"], "fifths", &[]),
                node("Clip", &["fifths", "none_whole", "most_whole"], "clipped", &[]),
                node("Cast", &["clipped"], "numbers", &[("to", &[1])]),
            ],
            vec![5, 10],
        ),
    ] {
        let mut model = Three::new();
        let whole = [("two_whole", 2), ("five_whole", 5), ("none_whole", 0), ("most_whole", 3)];
        model
            .constants
            .extend(whole.map(|(name, value)| proto::Tensor { dims: Vec::new(), ..integers(name, &[value]) }));
        model.numbers.splice(..5, numbers);
        let (network, _) = model.read().unwrap();
        assert_eq!(network.second.unwrap().thresholds[0], wanted);
    }
}

#[test]
fn what_does_not_fit_in_three_layers_is_named() {
    let problem = |change: &dyn Fn(&mut Three)| {
        let mut model = Three::new();
        change(&mut model);
        model.read().unwrap_err()
    };
    for (problem, expected) in [
        (
            problem(&|model| model.next[21] = 0.0),
            "node `others` (Conv): the weight of filter 5 in row 0, column 1 is 0; expected -1 or 1",
        ),
        (
            problem(&|model| {
                model.pads[0] = vec![1, 1, 1, 1];
                model.dense.truncate(3 * 36);
            }),
            "node `sums` (Conv): there are [1, 1, 1, 1] zeros",
        ),
        (
            problem(&|model| model.constants[1] = tensor("distance", &[], vec![0.5])),
            "node `others` (Conv): a sum of 3 becomes 3; expected how many",
        ),
        (
            problem(&|model| model.constants[4] = tensor("most", &[], vec![4.0])),
            "node `others` (Conv): a sum of 8 becomes 4; expected how many of up to three thresholds",
        ),
        (
            problem(&|model| {
                model.numbers[5] =
                    node("MaxPool", &["numbers"], "maxima", &[("kernel_shape", &[0, 0]), ("strides", &[0, 0])]);
            }),
            "node `maxima` (MaxPool): `kernel_shape` is [0, 0]; expected from 1 to 256",
        ),
        (
            problem(&|model| {
                model.numbers[5] = node("MaxPool", &["numbers"], "maxima", &[("kernel_shape", &[2, 2])]);
                model.dense = vec![1.0; 3 * 4 * 49];
            }),
            "node `maxima` (MaxPool): windows of 2×2 PEs, 1 rows and 1 columns apart; expected square ones side by side",
        ),
        (
            problem(&|model| model.constants[0] = tensor("least", &[4, 1, 1], vec![2.0, 3.0, 2.0, 2.0])),
            "node `less` (Sub): reads a constant of 4 numbers; expected one for all filters",
        ),
        (
            problem(&|model| model.numbers[4] = node("Abs", &["whole"], "numbers", &[])),
            "node `numbers` (Abs): has no counterpart here",
        ),
    ] {
        assert!(problem.starts_with(expected), "{problem}\n{expected}");
    }
}
