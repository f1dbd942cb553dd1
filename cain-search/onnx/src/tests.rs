//! Tests with small models that are put together here: models that are refused, and simplifications that must change no
//! number.

mod alike;
mod batch;
mod check;
mod compared;
mod ends;
mod factors;
mod named;
mod numbers;
mod overloads;
mod padded;
mod passes;
mod refused;
mod rounding;
mod shrunk;
mod sparse;
mod together;
mod wire;

use super::wire::Message as _;
use super::{Choices, Imported, proto, read};

/// A node with integer attributes.
pub(crate) fn node(op: &str, inputs: &[&str], output: &str, attributes: &[(&str, &[i64])]) -> proto::Node {
    let attribute = |(name, ints): &(&str, &[i64])| proto::Attribute {
        name: (*name).to_owned(),
        i: ints.first().copied().unwrap_or_default(),
        ints: ints.to_vec(),
        ..proto::Attribute::default()
    };
    proto::Node {
        input: inputs.iter().map(|&input| input.to_owned()).collect(),
        output: vec![output.to_owned()],
        name: output.to_owned(),
        op_type: op.to_owned(),
        attribute: attributes.iter().map(attribute).collect(),
        ..proto::Node::default()
    }
}

pub(crate) fn tensor(name: &str, dims: &[i64], values: Vec<f32>) -> proto::Tensor {
    proto::Tensor {
        dims: dims.to_vec(),
        data_type: 1,
        float_data: values,
        name: name.to_owned(),
        ..proto::Tensor::default()
    }
}

pub(crate) fn info(name: &str, sizes: &[i64]) -> Vec<u8> {
    let dim = sizes.iter().map(|size| proto::Dimension { dim_value: Some(*size) }).collect();
    let tensor_type = Some(proto::TensorType { elem_type: 1, shape: Some(proto::TensorShape { dim }) });
    let info = proto::ValueInfo { name: name.to_owned(), r#type: Some(proto::Type { tensor_type }) };
    info.encode_to_vec()
}

pub(crate) fn integers(name: &str, values: &[i64]) -> proto::Tensor {
    proto::Tensor {
        dims: vec![values.len().try_into().unwrap()],
        data_type: 7,
        int64_data: values.to_vec(),
        name: name.to_owned(),
        ..proto::Tensor::default()
    }
}

/// The error for a model of pictures of 6×6 pixels that ends in `last`.
fn problem(nodes: &[proto::Node], constants: &[proto::Tensor]) -> String {
    imported(nodes, constants, &["last"]).unwrap_err()
}

/// The result of importing a model for pictures of 6×6 pixels.
fn imported(nodes: &[proto::Node], constants: &[proto::Tensor], outputs: &[&str]) -> Result<Imported, String> {
    imported_batch(1, nodes, constants, outputs)
}

/// The result of importing a model for batches of pictures of 6×6 pixels.
fn imported_batch(
    pictures: i64,
    nodes: &[proto::Node],
    constants: &[proto::Tensor],
    outputs: &[&str],
) -> Result<Imported, String> {
    imported_sizes(&[pictures, 1, 6, 6], nodes, constants, outputs)
}

/// The result of importing a model whose input has these sizes.
fn imported_sizes(
    sizes: &[i64],
    nodes: &[proto::Node],
    constants: &[proto::Tensor],
    outputs: &[&str],
) -> Result<Imported, String> {
    let choices = Choices { levels: (-60.0, 60.0), range: Some((-60.0, 60.0)), binarise: None, depth: None };
    read(&model(sizes, nodes, constants, outputs, &[]), "n", choices)
}

/// The result of importing a model for pictures of 6×6 pixels, for this range and with weights rounded to this depth.
fn rounded(
    (range, depth): ((f64, f64), u32),
    nodes: &[proto::Node],
    constants: &[proto::Tensor],
) -> Result<Imported, String> {
    let choices = Choices { levels: (-60.0, 60.0), range: Some(range), binarise: None, depth: Some(depth) };
    read(&model(&[1, 1, 6, 6], nodes, constants, &["last"], &[]), "n", choices)
}

/// A model whose input has these sizes.
fn model(
    sizes: &[i64],
    nodes: &[proto::Node],
    constants: &[proto::Tensor],
    outputs: &[&str],
    functions: &[proto::Function],
) -> Vec<u8> {
    let graph = proto::Graph {
        node: nodes.iter().map(proto::Node::encode_to_vec).collect(),
        initializer: constants.iter().map(proto::Tensor::encode_to_vec).collect(),
        input: vec![info("picture", sizes)],
        output: outputs.iter().map(|output| info(output, &[])).collect(),
        ..proto::Graph::default()
    };
    let opset_import = vec![proto::OperatorSet { domain: String::new(), version: 17 }];
    let functions = functions.iter().map(proto::Function::encode_to_vec).collect();
    proto::Model { graph: Some(graph), opset_import, functions }.encode_to_vec()
}

/// A picture of 6×6 pixels.
fn picture() -> Vec<u8> {
    (0..36).map(|pixel: u8| pixel.wrapping_mul(89).wrapping_add(17)).collect()
}

/// The numbers of the only output for a picture.
fn outcome(imported: &Imported, picture: &[u8]) -> Vec<f64> {
    let values = imported.network.evaluate(picture).unwrap();
    values.last().unwrap().numbers().to_vec()
}

/// Compares numbers up to a share of the largest.
fn assert_near(found: &[f64], wanted: &[f64], share: f64) {
    let most = wanted.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    let is_near = |(found, wanted): (&f64, &f64)| (found - wanted).abs() <= share * most;
    assert!(most > 0.0 && found.len() == wanted.len(), "{found:?}\n{wanted:?}");
    assert!(found.iter().zip(wanted).all(is_near), "{found:?}\n{wanted:?}");
}

/// A matrix product becomes a layer only where it is needed, after the layers of other outputs.
#[test]
fn the_first_output_is_the_first_head() {
    let nodes = [
        node("Relu", &["picture"], "positive", &[]),
        node("Flatten", &["positive"], "flat", &[]),
        node("MatMul", &["flat", "three"], "product", &[]),
        node("Add", &["product", "bias"], "first", &[]),
        node("Gemm", &["flat", "two"], "second", &[]),
    ];
    let constants = [
        tensor("three", &[36, 3], vec![0.5; 108]),
        tensor("bias", &[3], vec![1.0; 3]),
        tensor("two", &[36, 2], vec![0.25; 72]),
    ];
    for (outputs, expected) in [(["first", "second"], [3, 2]), (["second", "first"], [2, 3])] {
        let network = imported(&nodes, &constants, &outputs).unwrap().network;
        let shapes = network.shapes().unwrap();
        assert_eq!(network.heads().into_iter().map(|head| shapes[head].values()).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn slices_that_are_no_windows_are_refused() {
    let slice = [node("Slice", &["picture", "starts", "ends", "axes", "steps"], "last", &[])];
    let of = |start: i64, end: i64, step: i64| {
        [("starts", start), ("ends", end), ("axes", 2), ("steps", step)].map(|(name, value)| integers(name, &[value]))
    };
    for ((start, end, step), expected) in [
        ((-1, i64::MIN, -1), "takes rows or columns backwards; expected a window, or every so many-th of one"),
        ((0, 6, 0), "the step of the slice is 0"),
        ((6, 2, 1), "the slice is empty"),
        ((2, 6, i64::MIN), "the slice is empty"),
    ] {
        assert_eq!(problem(&slice, &of(start, end, step)), format!("node `last` (Slice): {expected}"));
    }
    let of_batch =
        [("starts", 1), ("ends", 9), ("axes", 0), ("steps", 1)].map(|(name, value)| integers(name, &[value]));
    assert_eq!(problem(&slice, &of_batch), "node `last` (Slice): the slice is empty");
    let twice = [("starts", [0, 0]), ("ends", [4, 2]), ("axes", [2, -2]), ("steps", [1, 1])];
    let twice = twice.map(|(name, values)| integers(name, &values));
    assert_eq!(problem(&slice, &twice), "node `last` (Slice): slices axis 2 twice");
}

/// Numbers of the picture that ONNX would round, wrap around or reject.
#[test]
fn whole_numbers_that_are_not_exact_are_refused() {
    let bytes =
        proto::Tensor { data_type: 2, int32_data: vec![200], name: "byte".to_owned(), ..proto::Tensor::default() };
    let constants = [
        tensor("five", &[], vec![5.0]),
        tensor("many", &[1, 1, 1, 6], (0_u8..6).map(f32::from).collect()),
        tensor("none", &[], vec![0.0]),
        integers("two", &[2]),
        integers("greatest", &[i64::MAX]),
        proto::Tensor { dims: vec![1], ..bytes },
    ];
    let bits = || node("Greater", &["picture", "five"], "bits", &[]);
    let cast = |from: &str, to: i64, output: &str| node("Cast", &[from], output, &[("to", &[to])]);
    for (nodes, expected) in [
        (
            vec![cast("picture", 7, "last")],
            "node `last` (Cast): casts the picture to int64, which rounds its numbers unless they are whole",
        ),
        (
            vec![
                bits(),
                cast("bits", 7, "whole"),
                node("Relu", &["picture"], "positive", &[]),
                node("Greater", &["positive", "five"], "others", &[]),
                cast("others", 7, "other"),
                node("Add", &["whole", "other"], "sum", &[]),
                node("Div", &["sum", "two"], "last", &[]),
            ],
            "node `last` (Div): divides whole numbers, which rounds them; cast them to float first",
        ),
        (
            vec![
                bits(),
                cast("bits", 2, "small"),
                node("Mul", &["small", "byte"], "large", &[]),
                node("MaxPool", &["large"], "largest", &[("kernel_shape", &[2, 2])]),
                node("Add", &["largest", "largest"], "last", &[]),
            ],
            "node `last` (Add): calculates with numbers of the type uint8 that may leave it",
        ),
        (
            vec![bits(), cast("bits", 7, "whole"), node("Add", &["whole", "greatest"], "last", &[])],
            "node `last` (Add): calculates with numbers of the type int64 that may leave it",
        ),
        (
            vec![node("Add", &["picture", "two"], "last", &[])],
            "node `last` (Add): combines numbers of the types float and int64",
        ),
        (
            vec![bits(), node("Relu", &["bits"], "last", &[])],
            "node `last` (Relu): calculates with a condition; add a cast",
        ),
        (vec![node("Div", &["picture", "none"], "last", &[])], "node `last` (Div): divides by zero"),
        (vec![node("Div", &["five", "none"], "last", &[])], "node `last` (Div): a constant becomes inf"),
        (
            vec![
                node("Add", &["picture", "many"], "sum", &[]),
                node("MaxPool", &["sum"], "last", &[("kernel_shape", &[2, 2])]),
            ],
            "node `sum` (Add): a constant of the sizes [1, 1, 1, 6] for 1 maps",
        ),
        (
            vec![node("Relu", &["picture"], "last", &[]), node("Abs", &["picture"], "last", &[])],
            "node `last` (Abs): `last` is made twice",
        ),
    ] {
        let found = problem(&nodes, &constants);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

/// Outputs that other nodes read, that occur twice or that are maps have heads of their own, in their order.
#[test]
fn each_output_has_a_head() {
    let nodes = [
        node("Relu", &["picture"], "positive", &[]),
        node("Abs", &["positive"], "maps", &[]),
        node("Flatten", &["maps"], "flat", &[]),
        node("Identity", &["flat"], "same", &[]),
        node("Softmax", &["flat"], "chances", &[]),
    ];
    let outputs = ["chances", "flat", "maps", "same", "positive"];
    let network = imported(&nodes, &[], &outputs).unwrap().network;
    let picture: Vec<u8> = (0..36).map(|pixel| pixel * 7).collect();
    let values = network.evaluate(&picture).unwrap();
    let heads: Vec<_> = network.heads().into_iter().map(|head| values[head].numbers()).collect();
    assert_eq!(heads.len(), outputs.len());
    let positive: Vec<f64> = picture.iter().map(|pixel| (f64::from(*pixel) / 255.0 * 120.0 - 60.0).max(0.0)).collect();
    assert!((heads[0].iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let network = imported(&nodes[..4], &[], &["flat", "same"]).unwrap().network;
    assert_eq!(network.heads().len(), 2);
    let is_near = |(found, wanted): (&f64, &f64)| (found - wanted).abs() < 1e-9;
    assert!(heads[1..].iter().all(|head| head.len() == 36 && head.iter().zip(&positive).all(is_near)));
}
