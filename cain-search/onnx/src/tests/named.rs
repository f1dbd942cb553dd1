//! All that is wrong with a model is named at once.

use super::{imported_sizes, integers, node, problem, tensor};
use crate::proto::{Attribute, Tensor};

/// Each line of a message has a part of its own.
fn named(found: &str, all: &[&str]) {
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), all.len(), "{found}");
    assert!(lines.iter().zip(all).all(|(line, part)| line.contains(part)), "{found}");
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
    named(&problem(&nodes, &[]), &["`first` (Gelu)", "`second` (Round)", "`third` (LayerNorm", "`last` (Floor)"]);
    let rounded = [node("Round", &["picture"], "first", &[]), node("Floor", &["first"], "last", &[])];
    named(&problem(&rounded, &[]), &["`first` (Round)", "`last` (Floor)"]);
    let read = imported_sizes(&[1, 3, 6, 6], &nodes, &[], &["last"]).unwrap_err();
    named(&read, &["expected pictures of one channel", "`first` (Gelu)", "`third` (LayerNormalization)"]);
}

/// Also what has a counterpart in another form.
#[test]
fn forms_without_a_counterpart_are_named_behind_others() {
    let mut reflected = node("Pad", &["first", "pads"], "second", &[]);
    let mode = Attribute { name: "mode".to_owned(), s: b"reflect".to_vec(), ..Attribute::default() };
    reflected.attribute.push(mode);
    let training = node("BatchNormalization", &["second"], "third", &[("training_mode", &[1])]);
    let quantised = node("QuantizeLinear", &["third", "scale", "zero"], "last", &[]);
    let nodes = [node("Gelu", &["picture"], "first", &[]), reflected, training, quantised];
    let constants = [
        integers("pads", &[0, 0, 1, 1, 0, 0, 1, 1]),
        tensor("scale", &[], vec![0.5]),
        Tensor { data_type: 2, int32_data: vec![0], name: "zero".to_owned(), ..Tensor::default() },
    ];
    let all = ["`first` (Gelu)", "`second` (Pad)", "`third` (BatchNorm", "`last` (QuantizeLinear): rounds"];
    named(&problem(&nodes, &constants), &all);
}

/// Each node that rounds numbers of the picture is named, as all activations of a quantised model are rounded.
#[test]
fn all_nodes_that_quantise_are_named() {
    let both = |from: &str, integers: &str, to: &str| {
        let node = |op: &str, from: &str, to: &str| node(op, &[from, "scale", "zero"], to, &[]);
        [node("QuantizeLinear", from, integers), node("DequantizeLinear", integers, to)]
    };
    let rectified = [node("Relu", &["first"], "positive", &[])];
    let nodes = [&both("picture", "grey", "first")[..], &rectified, &both("positive", "whole", "last")].concat();
    let zero = Tensor { data_type: 2, int32_data: vec![0], name: "zero".to_owned(), ..Tensor::default() };
    let found = problem(&nodes, &[tensor("scale", &[], vec![0.5]), zero]);
    let lines: Vec<&str> = found.lines().collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.contains("rounds numbers of the picture")), "{found}");
    assert!(lines[0].starts_with("node `grey` (Q") && lines[1].starts_with("node `whole` (Q"), "{found}");
}

/// What older exporters write for a normalisation has the advice of it.
#[test]
fn parts_of_normalisations_have_their_advice() {
    let nodes = [
        node("ReduceMean", &["picture"], "mean", &[("axes", &[1, 2, 3])]),
        node("Sub", &["picture", "mean"], "distances", &[]),
        node("Pow", &["distances", "two"], "squares", &[]),
        node("ReduceMean", &["squares"], "variance", &[("axes", &[1, 2, 3])]),
        node("Add", &["variance", "little"], "sum", &[]),
        node("Sqrt", &["sum"], "deviation", &[]),
        node("Div", &["distances", "deviation"], "normal", &[]),
        node("Pow", &["normal", "two"], "last", &[]),
    ];
    let found = problem(&nodes, &[tensor("two", &[], vec![2.0]), tensor("little", &[], vec![1e-5])]);
    let lines: Vec<&str> = found.lines().collect();
    let told =
        |line: &str| line.contains("it is a part of a normalisation such as `LayerNorm`; train with `BatchNorm2d`");
    assert!(lines.len() == 3 && told(lines[0]) && told(lines[1]) && !told(lines[2]), "{found}");
    assert!(lines[0].starts_with("node `squares`") && lines[1].starts_with("node `deviation`"), "{found}");
}
