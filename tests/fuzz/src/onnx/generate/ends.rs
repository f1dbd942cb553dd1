//! Constructs at the ends of models.

use super::super::evaluator::tensor::Kind;
use super::builder::{Builder, int};
use super::maps::{Construct, FACTORS, SUMMANDS};
use super::numbers::row;

/// The ends of models, with their frequencies.
pub(super) const ENDS: [(&str, usize, Construct); 4] = [
    ("softmax", 2, softmax),
    ("argmax", 4, argmax),
    ("argmax and whole numbers", 1, argmax_and_whole_numbers),
    ("normalisation of numbers", 1, normalisation),
];

fn softmax(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let attributes = if b.dice.once_in(3) { Vec::new() } else { vec![int("axis", b.dice.pick(&[1, -1]))] };
    b.inexact("Softmax", &[v], attributes)
}

fn argmax(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let mut attributes = vec![int("axis", b.dice.pick(&[1, -1]))];
    if b.dice.once_in(2) {
        attributes.push(int("keepdims", b.dice.between(0, 1)));
    }
    if b.opset >= 12 && b.dice.once_in(8) {
        attributes.push(int("select_last_index", b.dice.between(0, 1)));
    }
    let place = b.node("ArgMax", &[v], attributes)?;
    let to = b.dice.pick(&[1, 6, 7]);
    if b.dice.once_in(4) { b.node("Cast", &[&place], vec![int("to", to)]) } else { Some(place) }
}

/// The index of the largest number, as an integer with which nodes calculate.
fn argmax_and_whole_numbers(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let place = b.node("ArgMax", &[v], vec![int("axis", 1)])?;
    let constant = b.dice.pick(&[2, 3, -1]);
    let constant = b.whole(Kind::Int64, constant, &[]);
    let op = b.dice.pick(&["Add", "Sub", "Mul", "Div"]);
    b.node(op, &[&place, &constant], Vec::new())
}

/// A normalisation without attributes.
fn normalisation(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let count = row(b, v)?;
    let mut of = |numbers: &[f64]| {
        let numbers: Vec<f64> = (0..count).map(|_| b.dice.pick(numbers)).collect();
        b.real(&[count], &numbers)
    };
    let inputs = [of(&FACTORS), of(&SUMMANDS), of(&SUMMANDS), of(&[1.0, 4.0])];
    let [scale, bias, mean, variance] = inputs.each_ref().map(String::as_str);
    b.inexact("BatchNormalization", &[v, scale, bias, mean, variance], Vec::new())
}
