//! Maps that are padded with numbers which are less than all of theirs, before the largest number of windows is taken, and those
//! whose channels come last.

use super::super::proto::{Node, Tensor};
use super::{assert_near, imported, imported_sizes, integers, node, outcome, picture, problem, tensor};

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

/// The maps of two kernels behind a padding, and what they are if the padding stands where the channels come last.
#[test]
fn pads_between_changes_of_axes_are_those_of_maps() {
    let constants = |pads: &[i64]| {
        let weights = |count: u8| (0..count).map(|place| f32::from(place % 7) / 4.0 - 0.5).collect::<Vec<f32>>();
        [
            tensor("edges", &[2, 1, 3, 3], weights(18)),
            tensor("others", &[1, 2, 2, 2], weights(8)),
            integers("pads", pads),
            tensor("value", &[], vec![2.5]),
            integers("one", &[1]),
        ]
    };
    let last = |from: &str| node("Conv", &[from, "edges"], "last", &[]);
    let turned = |from: &str, to: &str, order: &[i64]| node("Transpose", &[from], to, &[("perm", order)]);
    let pad = |from: &str, to: &str| node("Pad", &[from, "pads", "value"], to, &[]);
    let compare = |sizes: &[i64], pads: &[i64], nodes: &[Node], wanted: &[i64], plain: &[Node]| {
        let found = imported_sizes(sizes, nodes, &constants(pads), &["last"]).unwrap();
        let wanted = imported(plain, &constants(wanted), &["last"]).unwrap();
        assert_near(&outcome(&found, &picture()), &outcome(&wanted, &picture()), 1e-12);
    };
    let plain = [pad("picture", "around"), last("around")];
    let around = [0, 0, 1, 2, 0, 0, 0, 1];
    let first = [pad("picture", "around"), turned("around", "maps", &[0, 3, 1, 2]), last("maps")];
    compare(&[1, 6, 6, 1], &[0, 1, 2, 0, 0, 0, 1, 0], &first, &around, &plain);
    let first = [pad("picture", "around"), node("Unsqueeze", &["around", "one"], "maps", &[]), last("maps")];
    compare(&[1, 6, 6], &[0, 1, 2, 0, 0, 1], &first, &around, &plain);
    let middle = |pads: &[&[i64]; 2]| {
        let before = [node("Conv", &["picture", "edges"], "two", &[]), node("Abs", &["two"], "sizes", &[])];
        let end = || node("Conv", &["end", "others"], "last", &[]);
        let rest = [
            turned("sizes", "pixels", &[0, 2, 3, 1]),
            node("Neg", &["pixels"], "negative", &[]),
            pad("negative", "around"),
            turned("around", "end", &[0, 3, 1, 2]),
            end(),
        ];
        let plain = [node("Neg", &["sizes"], "negative", &[]), pad("negative", "end"), end()];
        let [nodes, plain] = [&rest[..], &plain[..]].map(|rest| [&before[..], rest].concat());
        compare(&[1, 1, 6, 6], pads[0], &nodes, pads[1], &plain);
    };
    middle(&[&[0, 1, 2, 0, 0, 0, 1, 0], &around]);
    // A row is cut off.
    middle(&[&[0, -1, 2, 0, 0, 0, 0, 0], &[0, 0, -1, 2, 0, 0, 0, 0]]);
}

#[test]
fn pads_of_channels_that_come_last_make_more_maps() {
    let weights: Vec<f32> = (0..12_u8).map(|place| f32::from(place % 5) - 2.0).collect();
    let constants = |pads: &[i64]| [integers("pads", pads), tensor("mixed", &[1, 3, 2, 2], weights.clone())];
    let mixed = node("Conv", &["maps", "mixed"], "last", &[]);
    let nodes = [
        node("Pad", &["picture", "pads"], "around", &[]),
        node("Transpose", &["around"], "maps", &[("perm", &[0, 3, 1, 2])]),
        mixed.clone(),
    ];
    let found = imported_sizes(&[1, 6, 6, 1], &nodes, &constants(&[0, 1, 0, 1, 0, 0, 0, 1]), &["last"]).unwrap();
    let plain = [node("Pad", &["picture", "pads"], "maps", &[]), mixed];
    let wanted = imported(&plain, &constants(&[0, 1, 1, 0, 0, 1, 0, 0]), &["last"]).unwrap();
    assert_near(&outcome(&found, &picture()), &outcome(&wanted, &picture()), 1e-12);
}
