//! Tests with what models end with: convolutions of whole maps, sigmoids, bounds.

use cain_network::Operation;

use super::{imported, node, tensor};

fn names(nodes: &[crate::proto::Node], last: &str) -> Vec<&'static str> {
    let values = |count: u8| (0..count).map(|place| f32::from(place % 7) / 4.0 - 0.5).collect::<Vec<f32>>();
    let constants = [
        tensor("edges", &[2, 1, 3, 3], values(18)),
        tensor("all", &[3, 2, 4, 4], values(96)),
        tensor("matrix", &[3, 32], values(96)),
        tensor("single", &[2, 3, 1, 1], values(6)),
        tensor("zero", &[], vec![0.0]),
    ];
    let network = imported(nodes, &constants, &[last]).unwrap().network;
    network.layers.iter().map(|layer| layer.operation.name()).collect()
}

/// They become what a matrix product behind a flattening becomes, unless the array has to go on with them.
#[test]
fn a_convolution_of_a_whole_map_is_dense() {
    let maps = || node("Conv", &["picture", "edges"], "maps", &[]);
    let rectified = || node("Relu", &["maps"], "rectified", &[]);
    let whole = || node("Conv", &["rectified", "all"], "whole", &[]);
    let flat = [
        maps(),
        rectified(),
        node("Flatten", &["rectified"], "flat", &[]),
        node("Gemm", &["flat", "matrix"], "last", &[("transB", &[1])]),
    ];
    let expected = ["convolution", "relu", "plane", "dense"];
    assert_eq!(names(&flat, "last"), expected);
    assert_eq!(names(&[maps(), rectified(), whole(), node("Flatten", &["whole"], "last", &[])], "last"), expected);
    let further = [
        maps(),
        rectified(),
        whole(),
        node("Relu", &["whole"], "positive", &[]),
        node("Conv", &["positive", "single"], "scores", &[]),
        node("Flatten", &["scores"], "last", &[]),
    ];
    assert_eq!(names(&further, "last"), ["convolution", "relu", "plane", "dense", "rectify", "dense"]);
    let compared = [
        maps(),
        rectified(),
        whole(),
        node("Greater", &["whole", "zero"], "bits", &[]),
        node("Cast", &["bits"], "numbers", &[("to", &[1])]),
        node("Flatten", &["numbers"], "last", &[]),
    ];
    assert_eq!(names(&compared, "last"), ["convolution", "relu", "convolution", "threshold", "plane"]);
}

/// The numbers are those of the matrix product.
#[test]
fn its_numbers_are_those_of_a_matrix_product() {
    let weights: Vec<f32> = (0..72_u8).map(|place| f32::from(place) / 8.0 - 4.0).collect();
    let constants = [tensor("kernel", &[2, 1, 6, 6], weights.clone()), tensor("matrix", &[2, 36], weights)];
    let convolution = [node("Conv", &["picture", "kernel"], "last", &[])];
    let product =
        [node("Flatten", &["picture"], "flat", &[]), node("Gemm", &["flat", "matrix"], "last", &[("transB", &[1])])];
    let [found, wanted] = [&convolution[..], &product[..]].map(|nodes| imported(nodes, &constants, &["last"]).unwrap());
    assert!(found.network.layers.iter().all(|layer| !matches!(layer.operation, Operation::Convolution { .. })));
    let picture: Vec<u8> = (0..36).map(|pixel| pixel * 7).collect();
    let numbers = |imported: &super::Imported| {
        let network = &imported.network;
        let values = network.evaluate(&picture).unwrap();
        network.heads().into_iter().flat_map(|head| values[head].numbers().to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&found), numbers(&wanted));
}

/// A sigmoid that is returned is the second probability of 0 and the number.
#[test]
fn returned_sigmoids_are_probabilities() {
    let constants = [tensor("matrix", &[36, 2], (0..72_u8).map(|place| f32::from(place) / 4096.0).collect())];
    let nodes = [
        node("Flatten", &["picture"], "flat", &[]),
        node("Gemm", &["flat", "matrix"], "scores", &[]),
        node("Sigmoid", &["scores"], "last", &[]),
    ];
    let network = imported(&nodes, &constants, &["last", "scores"]).unwrap().network;
    let picture: Vec<u8> = (0..36).map(|pixel| pixel * 7).collect();
    let values = network.evaluate(&picture).unwrap();
    let [found, scores] = [0, 1].map(|head| values[network.heads()[head]].numbers());
    assert_eq!(found.len(), 2);
    for (found, score) in found.iter().zip(scores) {
        assert!((found - 1.0 / (1.0 + (-score).exp())).abs() < 1e-12, "{found} {score}");
    }
    let maps = [node("Sigmoid", &["picture"], "last", &[])];
    let found = imported(&maps, &constants, &["last"]).unwrap_err();
    assert!(found.starts_with("node `last` (Sigmoid): no counterpart"), "{found}");
}

/// Infinite numbers are bounds, and matter nowhere else if nothing reads them.
#[test]
fn infinite_numbers_are_bounds() {
    let constants = [
        tensor("zero", &[], vec![0.0]),
        tensor("unbounded", &[], vec![f32::INFINITY]),
        tensor("unread", &[2], vec![f32::NAN, 1.0]),
    ];
    let clip =
        [node("Clip", &["picture", "zero", "unbounded"], "clipped", &[]), node("Flatten", &["clipped"], "last", &[])];
    assert!(imported(&clip, &constants, &["last"]).is_ok());
    let none = [node("Clip", &["picture", "unbounded"], "clipped", &[]), node("Flatten", &["clipped"], "last", &[])];
    let found = imported(&none, &constants, &["last"]).unwrap_err();
    assert_eq!(found, "node `clipped` (Clip): clips to numbers beyond inf");
    let added = [node("Add", &["picture", "unbounded"], "sum", &[]), node("Flatten", &["sum"], "last", &[])];
    let found = imported(&added, &constants, &["last"]).unwrap_err();
    assert_eq!(found, "node `sum` (Add): reads the number inf of `unbounded`, which is not finite");
}
