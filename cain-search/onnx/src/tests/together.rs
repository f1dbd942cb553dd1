//! Tests with nodes that become one layer together.

use cain_network::Operation;

use super::{imported, imported_batch, integers, node, problem, tensor};
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

/// A negative padding cuts off what a positive one adds elsewhere.
#[test]
fn negative_padding_crops() {
    let constants = [tensor("weights", &[1, 1, 3, 3], vec![0.25; 9]), integers("pads", &[0, 0, -1, 2, 0, 0, -1, -2])];
    let convolution = |from: &str, to: &str| node("Conv", &[from, "weights"], to, &[]);
    for nodes in [
        [node("Pad", &["picture", "pads"], "padded", &[]), convolution("padded", "last")],
        [convolution("picture", "sums"), node("Pad", &["sums", "pads"], "last", &[])],
    ] {
        let found = imported(&nodes, &constants, &["last"]).unwrap();
        assert!(found.network.layers.iter().any(|layer| layer.operation.name() == "convolution"), "{nodes:?}");
    }
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
    // The largest of the pixels of all blocks are in one map, in which they are apart.
    let pooled = [blocks[0].clone(), node("MaxPool", &["blocks"], "last", &[("kernel_shape", &[2, 2])])];
    assert_eq!(names(&pooled, &constants())[0], "max_pool");
    let found = imported(&pooled, &constants(), &["last"]).unwrap().network;
    let is_pool = |layer: &&cain_network::Layer| layer.operation.name() == "max_pool";
    let reaches: Vec<_> = found.layers.iter().filter(is_pool).map(|layer| layer.operation.clone()).collect();
    let Operation::MaxPool { size, stride, dilation, .. } = reaches[0] else { panic!("{reaches:?}") };
    assert_eq!((size, stride, dilation, reaches.len()), ((2, 2), (1, 1), (2, 2), 1));
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
    let of_others = [
        node("Less", &["picture", "zero"], "below", &[]),
        node("Abs", &["picture"], "size", &[]),
        node("Where", &["below", "size", "picture"], "last", &[]),
    ];
    // The size of a number follows from its sign.
    assert_eq!(names(&of_others, &constants()), ["abs", "plane"]);
    let elsewhere = [
        node("Less", &["picture", "eighth"], "below", &[]),
        node("Abs", &["picture"], "size", &[]),
        node("Where", &["below", "size", "picture"], "last", &[]),
    ];
    let found = problem(&elsewhere, &constants());
    assert!(found.starts_with("node `last` (Where): selects between results"), "{found}");
}

/// What bends or jumps elsewhere than at 0 is how far numbers are beyond it, and bits.
#[test]
fn lines_that_are_cut_are_sums_of_parts() {
    let above = || node("Greater", &["picture", "eighth"], "above", &[]);
    let masked =
        [above(), node("Cast", &["above"], "bits", &[("to", &[1])]), node("Mul", &["bits", "picture"], "last", &[])];
    let parts = ["affine", "relu", "threshold", "concatenate", "convolution", "plane"];
    assert_eq!(names(&masked, &constants()), parts);
    let selected = [above(), node("Where", &["above", "picture", "zero"], "last", &[])];
    assert_eq!(names(&selected, &constants()), parts);
    // The lines meet at the threshold.
    let lowered =
        [node("Sub", &["picture", "eighth"], "less", &[]), node("Where", &["above", "less", "zero"], "last", &[])];
    assert_eq!(names(&[&[above()][..], &lowered].concat(), &constants()), ["affine", "relu", "plane"]);
    // Numbers on the controller are not compared.
    let flat = [
        node("GlobalAveragePool", &["picture"], "mean", &[]),
        node("Greater", &["mean", "eighth"], "above", &[]),
        node("Where", &["above", "mean", "zero"], "last", &[]),
    ];
    let found = problem(&flat, &constants());
    assert!(found.starts_with("node `last` (Where): compares what are no maps on the array"), "{found}");
}

/// Maps whose pixels are rows of a matrix stay maps, and blocks that are rows are weighted where they are.
#[test]
fn rows_of_pixels_are_maps() {
    let last = || node("Conv", &["maps", "three"], "last", &[]);
    let rows = [
        node("Transpose", &["picture"], "turned", &[("perm", &[0, 2, 3, 1])]),
        node("Reshape", &["turned", "rows"], "rows_of_pixels", &[]),
        node("MatMul", &["rows_of_pixels", "matrix"], "product", &[]),
        node("Add", &["product", "bias"], "sum", &[]),
        node("Relu", &["sum"], "rectified", &[]),
        node("Reshape", &["rectified", "pixels"], "unturned", &[]),
        node("Transpose", &["unturned"], "maps", &[("perm", &[0, 3, 1, 2])]),
        last(),
    ];
    let sizes = [
        integers("rows", &[1, 36, 1]),
        integers("pixels", &[1, 6, 6, 3]),
        tensor("bias", &[3], vec![1.0, 2.0, 3.0]),
        integers("blocks", &[1, 9, 4]),
        tensor("of_blocks", &[4, 3], vec![0.5; 12]),
        integers("means", &[1, 3, 36]),
        tensor("kernels", &[3, 1, 2, 2], vec![0.25; 12]),
    ];
    let all = [&constants()[..5], &constants()[6..], &sizes].concat();
    assert_eq!(names(&rows, &all), ["convolution", "relu", "convolution", "plane"]);
    let blocks = [
        node("Reshape", &["picture", "apart"], "parts", &[]),
        node("Transpose", &["parts"], "turned", &[("perm", &[0, 2, 4, 1, 3, 5])]),
        node("Reshape", &["turned", "blocks"], "rows_of_blocks", &[]),
        node("MatMul", &["rows_of_blocks", "of_blocks"], "last", &[]),
    ];
    assert_eq!(names(&blocks, &all), ["convolution", "plane", "dense"]);
    // Means of rows are means of maps, of which not every pixel is read out.
    let means = [
        node("Conv", &["picture", "kernels"], "maps", &[("pads", &[1, 1, 0, 0])]),
        node("Reshape", &["maps", "means"], "flat", &[]),
        node("Relu", &["flat"], "rectified", &[]),
        node("ReduceMean", &["rectified"], "last", &[("axes", &[2])]),
    ];
    let found = imported(&means, &all, &["last"]).unwrap().network;
    let names: Vec<_> = found.layers.iter().map(|layer| layer.operation.name()).collect();
    assert_eq!(names, ["convolution", "relu", "windows", "dense"]);
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
    // A matrix on the left weights what stands before the pixels of a row.
    let from_left = [
        node("Conv", &["picture", "kernels"], "maps", &[("pads", &[1, 1, 0, 0])]),
        node("Reshape", &["maps", "flat"], "rows_of_pixels", &[]),
        node("MatMul", &["left", "rows_of_pixels"], "product", &[]),
        node("Reshape", &["product", "pixels"], "apart", &[]),
        node("MaxPool", &["apart"], "last", &[("kernel_shape", &[2, 2])]),
    ];
    let all = [
        tensor("kernels", &[3, 1, 2, 2], vec![0.25; 12]),
        integers("flat", &[1, 3, 36]),
        tensor("left", &[2, 3], vec![1.0, 0.5, 0.25, -0.5, 0.75, -1.0]),
        integers("pixels", &[1, 2, 6, 6]),
    ];
    assert_eq!(names(&from_left, &all), ["convolution", "convolution", "max_pool", "plane"]);
    let rows = [node("MatMul", &["picture", "rows"], "last", &[])];
    let found = problem(&rows, &[tensor("rows", &[6, 2], vec![0.5; 12])]);
    assert!(found.contains("weights for 6 numbers, but reads [1, 1, 6, 6] numbers; expected all of them"), "{found}");
}
