//! Tests with nodes that become one layer together, and with several that are refused together.

use super::{imported, imported_batch, imported_sizes, integers, node, problem, tensor};
use crate::proto;

/// The names of the operations of the layers.
fn names(nodes: &[proto::Node], constants: &[proto::Tensor]) -> Vec<&'static str> {
    let network = imported(nodes, constants, &["last"]).unwrap().network;
    network.layers.iter().map(|layer| layer.operation.name()).collect()
}

fn constants() -> [proto::Tensor; 9] {
    let weights = |count: u8| (0..count).map(|place| f32::from(place % 5) / 4.0 - 0.5).collect::<Vec<f32>>();
    [
        tensor("three", &[1, 3, 2, 2], weights(12)),
        tensor("four", &[1, 4, 2, 2], weights(16)),
        tensor("matrix", &[1, 3], weights(3)),
        tensor("zero", &[], vec![0.0]),
        tensor("eighth", &[], vec![0.125]),
        tensor("means", &[3, 1, 1], vec![1.0, 2.0, 3.0]),
        integers("times", &[1, 3, 1, 1]),
        integers("apart", &[1, 1, 3, 2, 3, 2]),
        integers("joined", &[1, 4, 3, 3]),
    ]
}

/// Whatever repeats the picture for three channels, their weights add up.
#[test]
fn repeated_channels_are_one() {
    let last = |from: &str| node("Conv", &[from, "three"], "last", &[]);
    for nodes in [
        vec![node("Tile", &["picture", "times"], "channels", &[]), last("channels")],
        vec![node("Expand", &["picture", "times"], "channels", &[]), last("channels")],
        vec![node("Concat", &["picture", "picture", "picture"], "channels", &[("axis", &[1])]), last("channels")],
        vec![
            node("Tile", &["picture", "times"], "channels", &[]),
            node("Sub", &["channels", "means"], "normalised", &[]),
            last("normalised"),
        ],
    ] {
        assert_eq!(names(&nodes, &constants()), ["convolution", "plane"], "{nodes:?}");
    }
    // A picture of a batch is not repeated, and other pictures do not become its channels.
    let all = [integers("times", &[2, 1, 1, 1])];
    let found = imported_batch(0, &[node("Tile", &["picture", "times"], "last", &[])], &all, &["last"]).unwrap_err();
    assert!(found.contains("several pictures of a batch"), "{found}");
    let none = [integers("times", &[1, 3])];
    let found = problem(&[node("Tile", &["picture", "times"], "last", &[])], &none);
    assert!(
        found.ends_with("repeats the sizes [1, 1, 6, 6] [1, 3] times; expected a number from 1 for each"),
        "{found}"
    );
}

/// Pixels of blocks that become channels are weighted where they are.
#[test]
fn blocks_are_weighted_where_they_are() {
    let last = || node("Conv", &["blocks", "four"], "last", &[("pads", &[1, 1, 1, 1])]);
    let moved = [
        node("Reshape", &["picture", "apart"], "parts", &[]),
        node("Transpose", &["parts"], "turned", &[("perm", &[0, 1, 3, 5, 2, 4])]),
        node("Reshape", &["turned", "joined"], "blocks", &[]),
        last(),
    ];
    let blocks = [node("SpaceToDepth", &["picture"], "blocks", &[("blocksize", &[2])]), last()];
    for nodes in [&moved[..], &blocks] {
        assert_eq!(names(nodes, &constants()), ["convolution", "plane"]);
    }
    let found = problem(&[node("SpaceToDepth", &["picture"], "last", &[("blocksize", &[4])])], &[]);
    assert_eq!(found, "node `last` (SpaceToDepth): blocks of 4×4 pixels do not fill maps of 6×6");
}

#[test]
fn rectifiers_of_several_nodes_are_one() {
    let small = || node("Mul", &["picture", "eighth"], "small", &[]);
    let below = || node("Less", &["picture", "zero"], "below", &[]);
    for (nodes, expected) in [
        (vec![small(), below(), node("Where", &["below", "small", "picture"], "last", &[])], "leaky_relu"),
        (vec![small(), node("Max", &["picture", "small"], "last", &[])], "leaky_relu"),
        (
            vec![
                node("Greater", &["picture", "zero"], "above", &[]),
                node("Cast", &["above"], "bits", &[("to", &[1])]),
                node("Mul", &["picture", "bits"], "last", &[]),
            ],
            "relu",
        ),
        (vec![node("Sign", &["picture"], "sign", &[]), node("Mul", &["sign", "picture"], "last", &[])], "abs"),
    ] {
        assert_eq!(names(&nodes, &constants()), [expected, "plane"], "{nodes:?}");
    }
    let elsewhere = [
        node("Less", &["picture", "eighth"], "below", &[]),
        small(),
        node("Where", &["below", "small", "picture"], "last", &[]),
    ];
    let found = problem(&elsewhere, &constants());
    assert!(found.starts_with("node `last` (Where): selects between results"), "{found}");
}

/// The last axis has to be that of channels.
#[test]
fn products_over_other_axes_are_refused() {
    let last_axis = [
        node("Transpose", &["picture"], "turned", &[("perm", &[0, 2, 3, 1])]),
        node("MatMul", &["turned", "matrix"], "last", &[]),
    ];
    // The controller reads the numbers with the channels last.
    assert_eq!(names(&last_axis, &constants()), ["convolution", "plane", "dense"]);
    let rows = [node("MatMul", &["picture", "rows"], "last", &[])];
    let found = problem(&rows, &[tensor("rows", &[6, 2], vec![0.5; 12])]);
    assert!(found.contains("weights for 6 numbers, but reads [1, 1, 6, 6] numbers; expected all of them"), "{found}");
}

/// All nodes without a counterpart are named at once, also behind each other and beside a picture that is refused.
#[test]
fn all_nodes_without_a_counterpart_are_named() {
    let nodes = [
        node("Gelu", &["picture"], "first", &[]),
        node("Round", &["first"], "second", &[]),
        node("LayerNormalization", &["second"], "third", &[]),
        node("Floor", &["third"], "last", &[]),
    ];
    let named = |found: &str, all: &[&str]| {
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(lines.len(), all.len(), "{found}");
        assert!(lines.iter().zip(all).all(|(line, part)| line.contains(part)), "{found}");
    };
    named(&problem(&nodes, &[]), &["`first` (Gelu)", "`second` (Round)", "`third` (LayerNorm", "`last` (Floor)"]);
    let rounded = [node("Round", &["picture"], "first", &[]), node("Floor", &["first"], "last", &[])];
    named(&problem(&rounded, &[]), &["`first` (Round)", "`last` (Floor)"]);
    let read = imported_sizes(&[1, 3, 6, 6], &nodes, &[], &["last"]).unwrap_err();
    named(&read, &["expected pictures of one channel", "`first` (Gelu)", "`third` (LayerNormalization)"]);
}
