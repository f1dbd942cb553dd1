//! Checks that a graph computes the same before and after each simplification.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use cain_network::{Padding, Reach};

use super::super::evaluate::evaluate;
use super::super::external::with_external;
use super::super::graph::{Graph, Node};
use super::super::index::{ravel, unravel};
use super::super::model::Model;
use super::super::op::{Convolution, Op};
use super::super::picture::Picture;
use super::super::tensor::Tensor;
use super::super::{passes, read as reading};

/// The outputs of a graph for a picture.
fn outputs(graph: &Graph, pixels: &[f64]) -> Vec<Vec<f64>> {
    let mut values: Vec<Rc<Tensor>> = Vec::new();
    for node in &graph.nodes {
        let inputs: Vec<Rc<Tensor>> = node.inputs.iter().map(|input| Rc::clone(&values[*input])).collect();
        let value = match evaluate(&node.op, &node.fact, &inputs) {
            Some(value) => value.unwrap(),
            None => on_pictures(node, &inputs, pixels),
        };
        assert_eq!(value.dims, node.fact.dims, "{node:?}");
        values.push(Rc::new(value));
    }
    graph.outputs.iter().map(|output| values[*output].values.clone()).collect()
}

/// Evaluates nodes that work only on maps or on numbers of the picture.
fn on_pictures(node: &Node, inputs: &[Rc<Tensor>], pixels: &[f64]) -> Tensor {
    let values = match &*node.op {
        Op::Image { scale, shift, .. } => pixels.iter().map(|pixel| pixel * scale + shift).collect(),
        Op::Constant(tensor) => return (**tensor).clone(),
        Op::Sign { at } => {
            let of_channel = node.fact.dims[2] * node.fact.dims[3];
            let sign = |(place, value): (usize, &f64)| {
                let at = at[place / of_channel % at.len()];
                f64::from(u8::from(*value > at)) - f64::from(u8::from(*value < at))
            };
            inputs[0].values.iter().enumerate().map(sign).collect()
        }
        Op::Convolution(convolution) => convolve(convolution, &node.fact.dims, &inputs[0]),
        Op::MaxPool(reach) => {
            let most = |values: Vec<Option<f64>>| values.into_iter().flatten().fold(f64::NEG_INFINITY, f64::max);
            each_window(&node.fact.dims, reach, &inputs[0], most)
        }
        Op::MeanPool { reach, count_padding } => each_window(&node.fact.dims, reach, &inputs[0], |values| {
            let inside = values.iter().flatten().count();
            let count = if *count_padding { values.len() } else { inside };
            values.into_iter().flatten().sum::<f64>() / super::super::axes::number(count)
        }),
        Op::Pad(padding) => {
            let reach = Reach { size: (1, 1), stride: (1, 1), dilation: (1, 1), padding: *padding };
            each_window(&node.fact.dims, &reach, &inputs[0], |values| values[0].unwrap_or(0.0))
        }
        Op::Surrounded { padding, value } => {
            let reach = Reach { size: (1, 1), stride: (1, 1), dilation: (1, 1), padding: *padding };
            each_window(&node.fact.dims, &reach, &inputs[0], |values| values[0].unwrap_or(*value))
        }
        Op::Around { sides, value } => around(sides, *value, &node.fact.dims, &inputs[0]),
        Op::Dense(dense) => {
            let sum = |row: &[f64], output: usize| {
                let products = row.iter().enumerate();
                products.map(|(input, value)| value * dense.weight(input, output)).sum::<f64>() + dense.bias[output]
            };
            let (size, outputs) = dense.sizes();
            inputs[0].values.chunks(size).flat_map(|row| (0..outputs).map(move |output| sum(row, output))).collect()
        }
        // There is a single list of numbers.
        Op::Softmax { .. } => {
            let powers: Vec<f64> = inputs[0].values.iter().map(|value| value.exp()).collect();
            powers.iter().map(|power| power / powers.iter().sum::<f64>()).collect()
        }
        Op::ArgMax { .. } => {
            let most = inputs[0].values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let place = inputs[0].values.iter().position(|value| *value == most);
            vec![super::super::axes::number(place.unwrap())]
        }
        op => panic!("{op:?}"),
    };
    Tensor { kind: node.fact.kind, dims: node.fact.dims.clone(), values }
}

/// An array with a number around it.
fn around(sides: &[(usize, usize)], value: f64, dims: &[usize], array: &Tensor) -> Vec<f64> {
    let number = |place: usize| {
        let within = unravel(place, dims).into_iter().zip(sides).zip(&array.dims);
        let index: Option<Vec<usize>> = within
            .map(|((place, (before, _)), size)| place.checked_sub(*before).filter(|place| place < size))
            .collect();
        index.map_or(value, |index| array.values[ravel(&index, &array.dims)])
    };
    (0..dims.iter().product()).map(number).collect()
}

/// A value of maps; `None` in the padding.
fn at(maps: &Tensor, channel: usize, row: usize, column: usize, padding: &Padding) -> Option<f64> {
    let (height, width) = (maps.dims[2], maps.dims[3]);
    let (row, column) = (row.checked_sub(padding.top)?, column.checked_sub(padding.left)?);
    (row < height && column < width).then(|| maps.values[(channel * height + row) * width + column])
}

fn each_window(dims: &[usize], reach: &Reach, maps: &Tensor, of: impl Fn(Vec<Option<f64>>) -> f64) -> Vec<f64> {
    let mut made = Vec::new();
    for place in 0..dims.iter().product() {
        let (channel, row, column) = (place / dims[3] / dims[2], place / dims[3] % dims[2], place % dims[3]);
        let pixel = |tap: usize| {
            let (y, x) = (tap / reach.size.1 * reach.dilation.0, tap % reach.size.1 * reach.dilation.1);
            at(maps, channel, row * reach.stride.0 + y, column * reach.stride.1 + x, &reach.padding)
        };
        made.push(of((0..reach.size.0 * reach.size.1).map(pixel).collect()));
    }
    made
}

fn convolve(convolution: &Convolution, dims: &[usize], maps: &Tensor) -> Vec<f64> {
    let Reach { size, .. } = convolution.reach;
    let mut sums = vec![0.0; dims.iter().product()];
    for channel in 0..maps.dims[1] {
        let map = maps.dims[2] * maps.dims[3];
        let values = maps.values[channel * map..(channel + 1) * map].to_vec();
        let one = Tensor { kind: maps.kind, dims: vec![1, 1, maps.dims[2], maps.dims[3]], values };
        for output in 0..dims[1] {
            let weight = |tap: usize| {
                convolution.weight(output, channel, tap / size.1, tap % size.1).unwrap_or(0.0)
                    * convolution.scale[output]
            };
            let area = dims[2] * dims[3];
            let sum = |values: Vec<Option<f64>>| {
                values.into_iter().enumerate().map(|(tap, value)| value.unwrap_or(0.0) * weight(tap)).sum()
            };
            let products = each_window(&[1, 1, dims[2], dims[3]], &convolution.reach, &one, sum);
            let bias = if channel == 0 { convolution.bias[output] } else { 0.0 };
            for (sum, product) in sums[output * area..(output + 1) * area].iter_mut().zip(products) {
                *sum += product + bias;
            }
        }
    }
    sums
}

/// Pictures whose numbers are different from all thresholds of the models.
fn pictures(pixels: usize) -> Vec<Vec<f64>> {
    let mut state = 1_u32;
    let mut pixel = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24) * 120.0 - 60.0
    };
    (0..3).map(|_| (0..pixels).map(|_| pixel()).collect()).collect()
}

/// A model with its picture; `None` for those that are refused, as the file beside them tells.
fn read(path: &Path) -> Option<(Model, Picture)> {
    let mut beside = |name: &str| fs::read(path.with_file_name(name)).map_err(|error| error.to_string());
    let model = with_external(&fs::read(path).unwrap(), &mut beside).and_then(|bytes| Model::read(&bytes));
    let read = model.and_then(|model| Picture::of(&model.input).map(|picture| (model, picture)));
    assert!(read.is_ok() || is_refused(path), "{}: {read:?}", path.display());
    read.ok()
}

fn is_refused(path: &Path) -> bool {
    fs::read_to_string(path.with_extension("json")).is_ok_and(|expected| expected.contains("\"refused\""))
}

#[test]
fn simplifications_change_no_number() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["../cli/tests/onnx", "../cli/tests/onnx/operators", "../cli/tests/onnx/exporters", "../../examples/training"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let mut done = BTreeSet::new();
    for path in files.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "onnx")) {
        let Some((model, picture)) = read(&path) else { continue };
        let Picture { height, width, .. } = picture;
        // Pictures of the size for the robot take long.
        if height * width > 1000 {
            continue;
        }
        let pictures = pictures(height * width);
        let all = |graph: &Graph| pictures.iter().map(|picture| outputs(graph, picture)).collect::<Vec<_>>();
        let Ok(graph) = reading::graph(&model, &picture, model.input.kind.bounds()) else {
            assert!(is_refused(&path), "{}", path.display());
            continue;
        };
        let wanted = all(&graph).concat().concat();
        passes::simplified(graph, Some((-60.0, 60.0)), &mut |pass, _, after| {
            let found = all(after).concat().concat();
            let scale = wanted.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
            // Casts to half precision are left out.
            let tolerance = if path.ends_with("half_precision.onnx") { 1e-3 } else { 1e-4 };
            let is_near = |(found, wanted): (&f64, &f64)| (found - wanted).abs() <= tolerance * scale;
            assert_eq!(found.len(), wanted.len(), "{pass}: {}", path.display());
            assert!(found.iter().zip(&wanted).all(is_near), "{pass}: {}: {found:?}\n{wanted:?}", path.display());
            done.insert(pass.to_owned());
        });
    }
    // Each simplification was applied at least once.
    assert_eq!(done, passes::names().map(str::to_owned).collect());
}
