//! Tests with small models that are put together here.

mod three_layers;

use cain_codegen::kernel_file::{parse_in_pixel, write_in_pixel};
use cain_in_pixel::Pixels;

use super::super::proto;
use super::super::tests::{info, node, tensor};
use super::super::wire::Message as _;
use super::read;

/// The parts of a model: four filters of 2×2 for pictures of 6×6, maxima of 4×4, three classes.
#[derive(Clone)]
struct Parts {
    filters: Vec<f32>,
    dense: Vec<f32>,
    bias: Vec<f32>,
    pads: [i64; 4],
    nodes: Vec<proto::Node>,
    outputs: Vec<&'static str>,
}

impl Parts {
    fn new() -> Self {
        let sign = |number: usize| if number * 7919 % 11 < 5 { 1.0 } else { -1.0 };
        let ternary = |number: usize| [0.0, 1.0, -1.0][number * 7919 % 13 % 3];
        Self {
            filters: (0..16).map(sign).collect(),
            dense: (0..48).map(ternary).collect(),
            bias: vec![0.0; 3],
            pads: [1, 1, 2, 2],
            nodes: vec![
                node("Relu", &["sums"], "rectified", &[]),
                node("MaxPool", &["rectified"], "maxima", &[("kernel_shape", &[4, 4]), ("strides", &[4, 4])]),
                node("Flatten", &["maxima"], "features", &[("axis", &[1])]),
                node("Gemm", &["features", "dense", "bias"], "scores", &[("transB", &[1])]),
            ],
            outputs: vec!["scores"],
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let convolution = node("Conv", &["picture", "filters"], "sums", &[("pads", &self.pads)]);
        let nodes = [convolution].into_iter().chain(self.nodes.iter().cloned());
        let constants = [
            tensor("filters", &[4, 1, 2, 2], self.filters.clone()),
            tensor("dense", &[3, i64::try_from(self.dense.len() / 3).unwrap()], self.dense.clone()),
            tensor("bias", &[3], self.bias.clone()),
        ];
        let graph = proto::Graph {
            node: nodes.map(|node| node.encode_to_vec()).collect(),
            initializer: constants.iter().map(proto::Tensor::encode_to_vec).collect(),
            input: vec![info("picture", &[1, 1, 6, 6])],
            output: self.outputs.iter().map(|output| info(output, &[])).collect(),
            ..proto::Graph::default()
        };
        let opset_import = vec![proto::OperatorSet { domain: String::new(), version: 17 }];
        proto::Model { graph: Some(graph), opset_import, functions: Vec::new() }.encode_to_vec()
    }

    fn problem(&self) -> String {
        read(&self.bytes(), 16, Pixels::OneBit).unwrap_err()
    }
}

#[test]
fn models_become_kernel_files() {
    let parts = Parts::new();
    let (network, remarks) = read(&parts.bytes(), 16, Pixels::OneBit).unwrap();
    assert_eq!((network.block, network.picture, network.taps, network.pool, network.classes()), (8, 6, 2, 4, 3));
    assert_eq!(network.filters.concat().into_iter().map(f32::from).collect::<Vec<_>>(), parts.filters);
    for (feature, weights) in network.dense.iter().enumerate() {
        let wanted = (0..3).map(|class| parts.dense[class * 16 + feature]);
        assert_eq!(weights.iter().map(|weight| f32::from(*weight)).collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    }
    assert_eq!(remarks.len(), 6, "{remarks:?}");
    let written = write_in_pixel("n", &network, &[], None);
    let [declared] = <[_; 1]>::try_from(parse_in_pixel(&written.toml, &mut |_| Err(String::new())).unwrap()).unwrap();
    assert_eq!(declared.network, network);
}

/// Maxima may still be rectified after they have been flattened.
#[test]
fn sums_are_rectified_anywhere_before_the_dense_layer() {
    let mut parts = Parts::new();
    let wanted = read(&parts.bytes(), 16, Pixels::OneBit).unwrap().0;
    parts.nodes.splice(
        ..3,
        [
            node("MaxPool", &["sums"], "maxima", &[("kernel_shape", &[4, 4]), ("strides", &[4, 4])]),
            node("Flatten", &["maxima"], "row", &[("axis", &[1])]),
            node("Relu", &["row"], "features", &[]),
        ],
    );
    assert_eq!(read(&parts.bytes(), 16, Pixels::OneBit).unwrap().0, wanted);
}

/// The network computes the same as the model where filters stay within the array.
#[test]
fn the_network_computes_what_the_model_does() {
    let parts = Parts::new();
    let (network, _) = read(&parts.bytes(), 16, Pixels::TwoBits).unwrap();
    let pixels: Vec<u8> = (0..36).map(|pixel| [0, 1, 3, 2, 0, 0, 3][pixel * 7919 % 7]).collect();
    let seen = |row: usize, column: usize| {
        let inside = (1..7).contains(&row) && (1..7).contains(&column);
        if inside { f32::from(pixels[(row - 1) * 6 + column - 1]) } else { 0.0 }
    };
    let sum = |filter: usize, row: usize, column: usize| -> f32 {
        let tap = |tap: usize| parts.filters[filter * 4 + tap] * seen(row + tap / 2, column + tap % 2);
        (0..4).map(tap).sum::<f32>().max(0.0)
    };
    for (feature, maximum) in network.maxima(&pixels).into_iter().enumerate() {
        let (filter, row, column) = (feature / 4, feature % 4 / 2 * 4, feature % 2 * 4);
        let wanted = (0..16).map(|place| sum(filter, row + place / 4, column + place % 4)).fold(0.0, f32::max);
        assert!((f64::from(maximum) - f64::from(wanted)).abs() < 0.5, "maximum {feature}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let problem = |change: &dyn Fn(&mut Parts)| {
        let mut parts = Parts::new();
        change(&mut parts);
        parts.problem()
    };
    for (problem, expected) in [
        (
            problem(&|parts| parts.filters[6] = 0.5),
            "node `sums` (Conv): the weight of filter 1 in row 1, column 0 is 0.5",
        ),
        (problem(&|parts| parts.dense[18] = 2.0), "node `scores` (Gemm): the weight of feature 2 for class 1 is 2"),
        (problem(&|parts| parts.bias[1] = 0.25), "node `scores` (Gemm): the bias of output 1 is 0.25; expected 0"),
        (
            problem(&|parts| {
                parts.pads = [1, 1, 1, 1];
                parts.dense.truncate(12);
            }),
            "node `sums` (Conv): there are [1, 1, 1, 1] zeros",
        ),
        (problem(&|parts| parts.pads = [-1, 1, 2, 2]), "node `sums` (Conv): a padding of -1; expected from 0 to 256"),
        (
            problem(&|parts| drop(parts.nodes.drain(..1))),
            "node `maxima` (MaxPool): reads `rectified`, which no earlier node makes",
        ),
        (
            problem(&|parts| parts.nodes[1].input[0] = "sums".to_owned()),
            "node `scores` (Gemm): a sum of -4 becomes -4; expected 0, as `Relu` makes of it",
        ),
        (
            problem(&|parts| parts.nodes[0].op_type = "Abs".to_owned()),
            "node `rectified` (Abs): has no counterpart here; a network in the pixels has `Conv`",
        ),
        (problem(&|parts| parts.nodes.truncate(3)), "output `scores`: no node makes it"),
    ] {
        assert!(problem.starts_with(expected), "{problem}\n{expected}");
    }
    let error = read(&Parts::new().bytes(), 256, Pixels::OneBit).unwrap_err();
    assert!(error.contains("expected [1, 1, 122, 122], so that there is a sum for each of the 128×128 PEs"), "{error}");
    let parts = Parts::new();
    let bytes = parts.bytes();
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end], 16, Pixels::OneBit).is_err());
    }
}

/// Only numbers made of the scores may be outputs, and all of them may.
#[test]
fn other_outputs_than_scores_and_classes_are_refused() {
    let mut parts = Parts::new();
    parts.nodes.push(node("Softmax", &["scores"], "chances", &[("axis", &[1])]));
    parts.nodes.push(node("ArgMax", &["scores"], "class", &[("axis", &[1])]));
    parts.outputs = vec!["scores", "chances", "class"];
    let wanted = read(&Parts::new().bytes(), 16, Pixels::OneBit).unwrap().0;
    assert_eq!(read(&parts.bytes(), 16, Pixels::OneBit).unwrap().0, wanted);
    parts.outputs.push("features");
    assert!(
        parts.problem().starts_with("the output `features` is not what the last node makes"),
        "{}",
        parts.problem()
    );
    parts.outputs.pop();
    parts.nodes[5] = node("ArgMax", &["scores"], "class", &[("axis", &[0])]);
    assert_eq!(parts.problem(), "node `class` (ArgMax): works along 1 of 3 classes; expected the axis of the classes");
}
