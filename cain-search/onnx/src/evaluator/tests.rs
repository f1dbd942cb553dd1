//! Tests the evaluator with small models whose results are known.

use std::cell::Cell;

use super::call::{Call, Near};
use super::proto::{Attribute, Node};
use super::tensor::{Kind, Number, Tensor};

fn wholes(kind: Kind, numbers: &[i64]) -> Tensor {
    Tensor { kind, dims: vec![numbers.len()], numbers: numbers.iter().copied().map(Number::Whole).collect() }
}

fn reals(dims: &[usize], numbers: &[f64]) -> Tensor {
    Tensor::reals(dims, numbers).unwrap()
}

fn ints(name: &str, ints: &[i64]) -> Attribute {
    Attribute { name: name.to_owned(), ints: ints.to_vec(), ..Attribute::default() }
}

fn int(name: &str, i: i64) -> Attribute {
    Attribute { name: name.to_owned(), i, ..Attribute::default() }
}

/// The result of a node.
fn run(op: &str, opset: i64, inputs: &[Option<&Tensor>], attribute: Vec<Attribute>) -> Result<Tensor, String> {
    let node = Node { op_type: op.to_owned(), attribute, ..Node::default() };
    let near = Near { most: 0.0, is_found: Cell::new(false) };
    Call { node: &node, opset, inputs: inputs.to_vec(), near: &near }.outputs().map(|mut outputs| outputs.remove(0))
}

#[test]
fn whole_numbers_are_divided_towards_zero_and_wrap() {
    let (a, b) = (wholes(Kind::Int64, &[7, -7, 6]), wholes(Kind::Int64, &[2, 2, -3]));
    assert_eq!(run("Div", 14, &[Some(&a), Some(&b)], Vec::new()).unwrap(), wholes(Kind::Int64, &[3, -3, -2]));
    let (a, b) = (wholes(Kind::Uint8, &[0, 255]), wholes(Kind::Uint8, &[1, 0]));
    assert_eq!(run("Sub", 14, &[Some(&a), Some(&b)], Vec::new()).unwrap(), wholes(Kind::Uint8, &[255, 255]));
    assert!(run("Div", 14, &[Some(&a), Some(&b)], Vec::new()).is_err());
    assert!(run("Add", 14, &[Some(&a), Some(&reals(&[2], &[1.0, 2.0]))], Vec::new()).is_err());
}

#[test]
fn casts_cut_what_is_behind_the_point() {
    let numbers = reals(&[4], &[2.75, -2.75, 0.5, 300.0]);
    let to = |code: i64| run("Cast", 13, &[Some(&numbers)], vec![int("to", code)]).unwrap();
    assert_eq!(to(6), wholes(Kind::Int32, &[2, -2, 0, 300]));
    assert_eq!(to(9), wholes(Kind::Bool, &[1, 1, 1, 1]));
    assert_eq!(to(11).numbers, numbers.numbers);
}

/// What is less than the limit with the other sign comes first, as with a negative limit all numbers are less or more.
#[test]
fn numbers_shrink_by_negative_limits() {
    let float = |name: &str, f: f32| Attribute { name: name.to_owned(), f, ..Attribute::default() };
    let numbers = reals(&[5], &[-1.0, -0.25, 0.25, 0.5, 1.0]);
    let shrunk = run("Shrink", 13, &[Some(&numbers)], vec![float("lambd", -0.5), float("bias", 0.25)]).unwrap();
    assert_eq!(shrunk, reals(&[5], &[-0.75, 0.0, 0.5, 0.25, 0.75]));
}

#[test]
fn sums_without_axes_are_over_all_of_them() {
    let numbers = reals(&[1, 2], &[3.0, 4.0]);
    let none = wholes(Kind::Int64, &[]);
    for inputs in [vec![Some(&numbers)], vec![Some(&numbers), None], vec![Some(&numbers), Some(&none)]] {
        assert_eq!(run("ReduceSum", 13, &inputs, Vec::new()).unwrap(), reals(&[1, 1], &[7.0]));
        let noop = vec![int("noop_with_empty_axes", 1)];
        assert_eq!(run("ReduceSum", 13, &inputs, noop).unwrap(), numbers);
    }
    assert_eq!(run("ReduceSum", 11, &[Some(&numbers)], vec![ints("axes", &[1])]).unwrap(), reals(&[1, 1], &[7.0]));
}

#[test]
fn slices_may_be_empty_and_go_backwards() {
    let numbers = wholes(Kind::Int64, &[1, 2, 3, 4, 5]);
    let slice = |start: i64, end: i64, step: i64| {
        let [start, end, axis, step] = [start, end, 0, step].map(|number| wholes(Kind::Int64, &[number]));
        let inputs = [&numbers, &start, &end, &axis, &step].map(Some);
        run("Slice", 13, &inputs, Vec::new()).unwrap().wholes().unwrap()
    };
    assert_eq!(slice(1, 1, 1), [0; 0]);
    assert_eq!(slice(-2, i64::MAX, 1), [4, 5]);
    assert_eq!(slice(-1, i64::MIN + 1, -2), [5, 3, 1]);
    assert_eq!(slice(9, 0, -1), [5, 4, 3, 2]);
}

/// Means do not count anything beyond the padding.
#[test]
fn windows_at_the_border() {
    let maps = reals(&[1, 1, 1, 3], &[4.0, 8.0, 16.0]);
    let mean = |more: Vec<Attribute>| {
        let attributes = [vec![ints("kernel_shape", &[1, 2]), ints("strides", &[1, 2])], more].concat();
        run("AveragePool", 11, &[Some(&maps)], attributes).unwrap().numbers
    };
    let numbers = |numbers: &[f64]| numbers.iter().copied().map(Number::Real).collect::<Vec<_>>();
    assert_eq!(mean(Vec::new()), numbers(&[6.0]));
    assert_eq!(mean(vec![int("ceil_mode", 1)]), numbers(&[6.0, 16.0]));
    assert_eq!(mean(vec![ints("pads", &[0, 1, 0, 0])]), numbers(&[4.0, 12.0]));
    assert_eq!(mean(vec![ints("pads", &[0, 1, 0, 0]), int("count_include_pad", 1)]), numbers(&[2.0, 12.0]));
}

/// Constants of a higher rank pass their axes on to the results.
#[test]
fn arrays_are_spread_to_common_sizes() {
    let sum = run("Add", 13, &[Some(&reals(&[2], &[1.0, 2.0])), Some(&reals(&[1, 1, 1], &[3.0]))], Vec::new());
    assert_eq!(sum.unwrap(), reals(&[1, 1, 2], &[4.0, 5.0]));
    assert!(run("Add", 13, &[Some(&reals(&[2], &[1.0, 2.0])), Some(&reals(&[3], &[0.0; 3]))], Vec::new()).is_err());
}

/// Since opset 21, an attribute may tell the type of the integers.
#[test]
fn numbers_are_quantised_to_the_type_that_is_named() {
    let (numbers, scale) = (reals(&[3], &[-1.0, 0.75, 200.0]), reals(&[], &[0.5]));
    let run = |opset: i64, code: i64| {
        run("QuantizeLinear", opset, &[Some(&numbers), Some(&scale)], vec![int("output_dtype", code)])
    };
    assert_eq!(run(21, 3).unwrap(), wholes(Kind::Int8, &[-2, 2, 127]));
    assert_eq!(run(21, 2).unwrap(), wholes(Kind::Uint8, &[0, 2, 255]));
    assert!(run(21, 7).is_err());
}
