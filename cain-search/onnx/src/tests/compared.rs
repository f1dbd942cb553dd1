//! Maps that are compared with each other, after functions that grow, and with a number for each channel.

use super::super::proto::Node;
use super::{assert_near, imported, node, outcome, picture, problem, tensor};

/// The numbers of the picture.
fn numbers() -> Vec<f64> {
    picture().into_iter().map(|pixel| f64::from(pixel) / 255.0 * 120.0 - 60.0).collect()
}

fn cast() -> Node {
    node("Cast", &["bits"], "last", &[("to", &[1])])
}

#[test]
fn two_maps_are_compared_by_their_difference() {
    let half = [tensor("half", &[1, 1, 1, 1], vec![0.5])];
    for (op, of) in [
        ("Greater", (|a, b| a > b) as fn(f64, f64) -> bool),
        ("Less", |a, b| a < b),
        ("GreaterOrEqual", |a, b| a >= b),
        ("LessOrEqual", |a, b| a <= b),
    ] {
        let nodes = [
            node("Abs", &["picture"], "size", &[]),
            node("Conv", &["size", "half"], "less", &[]),
            node(op, &["picture", "less"], "bits", &[]),
            cast(),
        ];
        let wanted: Vec<f64> =
            numbers().iter().map(|number| f64::from(u8::from(of(*number, number.abs() / 2.0)))).collect();
        assert_near(&outcome(&imported(&nodes, &half, &["last"]).unwrap(), &picture()), &wanted, 0.0);
    }
}

#[test]
fn functions_that_grow_change_thresholds_only() {
    for (op, at, threshold) in [("Sigmoid", 0.75, 3.0_f64.ln()), ("Tanh", -0.5, -0.549_306)] {
        let nodes = [node(op, &["picture"], "grows", &[]), node("Greater", &["grows", "at"], "bits", &[]), cast()];
        let wanted: Vec<f64> = numbers().iter().map(|number| f64::from(u8::from(*number > threshold))).collect();
        let imported = imported(&nodes, &[tensor("at", &[], vec![at])], &["last"]).unwrap();
        assert_near(&outcome(&imported, &picture()), &wanted, 0.0);
    }
    let nodes = [node("Sigmoid", &["picture"], "grows", &[]), node("Greater", &["grows", "at"], "bits", &[]), cast()];
    let found = problem(&nodes, &[tensor("at", &[], vec![1.5])]);
    assert!(found.starts_with("node `grows` (Sigmoid): no counterpart"), "{found}");
}

#[test]
fn each_channel_has_a_bound() {
    let constants = [tensor("one", &[2, 1, 1, 1], vec![1.0, -1.0]), tensor("at", &[1, 2, 1, 1], vec![12.5, -20.0])];
    for (op, of) in [("Max", f64::max as fn(f64, f64) -> f64), ("Min", f64::min)] {
        let nodes = [node("Conv", &["picture", "one"], "maps", &[]), node(op, &["at", "maps"], "last", &[])];
        let wanted = numbers().into_iter().map(|number| of(number, 12.5));
        let wanted: Vec<f64> = wanted.chain(numbers().into_iter().map(|number| of(-number, -20.0))).collect();
        let imported = imported(&nodes, &constants, &["last"]).unwrap();
        assert_near(&outcome(&imported, &picture()), &wanted, 1e-9);
    }
}
