//! Maps that are padded with numbers which are less than all of theirs, before the largest number of windows is taken.

use super::super::proto::{Node, Tensor};
use super::{assert_near, imported, integers, node, outcome, picture, problem, tensor};

/// The picture, shifted and padded by 1 with a number, and the largest numbers of its windows of 2×2 pixels.
fn padded(value: f32) -> (Vec<Node>, Vec<Tensor>) {
    let nodes = vec![
        node("Sub", &["picture", "five"], "shifted", &[]),
        node("Pad", &["shifted", "pads", "value"], "around", &[]),
        node("MaxPool", &["around"], "last", &[("kernel_shape", &[2, 2]), ("strides", &[2, 2])]),
    ];
    let pads = integers("pads", &[0, 0, 1, 1, 0, 0, 1, 1]);
    (nodes, vec![pads, tensor("value", &[], vec![value]), tensor("five", &[], vec![5.0])])
}

#[test]
fn pooling_leaves_out_what_is_less_than_all_maps() {
    let number = |row: usize, column: usize| f64::from(picture()[row * 6 + column]) / 255.0 * 120.0 - 65.0;
    let places = |place: usize| (2 * place).saturating_sub(1)..(2 * place + 1).min(6);
    let most = |row: usize, column: usize| {
        let pixels = places(row).flat_map(|row| places(column).map(move |column| (row, column)));
        pixels.fold(f64::NEG_INFINITY, |most, (row, column)| most.max(number(row, column)))
    };
    let wanted: Vec<f64> = (0..4).flat_map(|row| (0..4).map(move |column| most(row, column))).collect();
    for value in [f32::NEG_INFINITY, f32::MIN, -1e30, -1e9, -1e5, -66.0] {
        let (nodes, constants) = padded(value);
        let imported = imported(&nodes, &constants, &["last"]).unwrap();
        assert_near(&outcome(&imported, &picture()), &wanted, 1e-12);
        let told = imported.remarks.iter().any(|remark| remark == "node `around` (Pad): part of the layer behind it");
        assert!(told, "{value}: {:?}", imported.remarks);
    }
}

#[test]
fn infinite_numbers_around_maps_are_refused_elsewhere() {
    let (mut nodes, mut constants) = padded(f32::NEG_INFINITY);
    // Nothing but padding is in the first window.
    constants[0] = integers("pads", &[0, 0, 2, 2, 0, 0, 2, 2]);
    let expected = "node `around` (Pad): pads with -inf, which only a `MaxPool` behind it can leave out";
    let found = problem(&nodes, &constants);
    assert!(found.starts_with(expected), "{found}");
    nodes[2] = node("Relu", &["around"], "last", &[]);
    let found = problem(&nodes, &constants);
    assert!(found.starts_with(expected), "{found}");
    let (nodes, constants) = padded(f32::INFINITY);
    assert!(problem(&nodes, &constants).starts_with("node `around` (Pad): pads with inf; expected a finite number"));
}
