//! Constructs on bits, and with integers that stand for numbers.

use super::super::evaluator::tensor::{Kind, Number, Tensor};
use super::builder::{Builder, int};
use super::maps::{Construct, condition, size};
use super::message::code;

/// The constructs on bits and integers, with their frequencies.
pub(super) const BITS: [(&str, usize, Construct); 4] = [
    ("bits that differ", 3, differ),
    ("product of bits", 3, product),
    ("quantised weights", 4, weights),
    ("levels that are rounded", 2, levels),
];

/// A condition on other maps of the same sizes.
fn other(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let dims = b.dims(v);
    let other = b.maps(|other| other == dims)?;
    condition(b, &other)
}

fn differ(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let bits = [condition(b, v)?, other(b, v)?];
    let op = b.dice.pick(&["Xor", "Xor", "Equal"]);
    let differ = b.node(op, &[&bits[0], &bits[1]], Vec::new())?;
    if b.dice.once_in(3) {
        let (yes, no) = (b.number(2.5, &[]), b.number(-1.0, &[]));
        return b.node("Where", &[&differ, &yes, &no], Vec::new());
    }
    b.node("Cast", &[&differ], vec![int("to", 1)])
}

fn product(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let bits = [condition(b, v)?, other(b, v)?];
    let kind = b.dice.pick(&[Kind::Single, Kind::Single, Kind::Int32, Kind::Int64]);
    let to = || vec![int("to", i64::from(code(kind)))];
    let [first, second] = bits.map(|bits| b.node("Cast", &[&bits], to()));
    let product = b.node("Mul", &[&first?, &second?], Vec::new())?;
    if kind == Kind::Single { Some(product) } else { b.node("Cast", &[&product], vec![int("to", 1)]) }
}

/// Integers of a type.
fn integers(b: &mut Builder<'_>, kind: Kind, dims: &[usize], numbers: &[i64]) -> String {
    let numbers = numbers.iter().copied().map(Number::Whole).collect();
    b.constant(&Tensor { kind, dims: dims.to_vec(), numbers })
}

/// A convolution whose weights are integers times a factor, one for all or one for each output.
fn weights(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (channels, height, width) = size(b, v);
    let (outputs, rows, columns) = (1 + b.dice.below(3), (1 + b.dice.below(2)).min(height), 2.min(width));
    let kind = b.dice.pick(&[Kind::Int8, Kind::Uint8]);
    let middle = if kind == Kind::Int8 { 0 } else { 100 };
    let count = outputs * channels * rows * columns;
    let numbers: Vec<i64> = (0..count).map(|_| middle + b.dice.between(-5, 4)).collect();
    let kernels = integers(b, kind, &[outputs, channels, rows, columns], &numbers);
    let of_each = b.opset >= 13 && b.dice.once_in(2);
    let (dims, factors) = if of_each { (vec![outputs], outputs) } else { (Vec::new(), 1) };
    let numbers: Vec<f64> = (0..factors).map(|_| b.dice.pick(&[0.25, 0.5, 0.125])).collect();
    let scale = b.real(&dims, &numbers);
    let numbers: Vec<i64> = (0..factors).map(|_| middle + b.dice.between(-1, 1)).collect();
    let zero = integers(b, kind, &dims, &numbers);
    let axis = if of_each { vec![int("axis", 0)] } else { Vec::new() };
    // Without integers for 0, these are 0.
    let inputs: [&[&str]; 2] = [&[&kernels, &scale, &zero], &[&kernels, &scale]];
    let inputs = if middle == 0 { b.dice.pick(&inputs) } else { inputs[0] };
    let mut kernels = b.node("DequantizeLinear", inputs, axis.clone())?;
    if b.dice.once_in(3) {
        // As training with quantisation leaves it.
        let integers = b.node("QuantizeLinear", &[&kernels, &scale, &zero], axis.clone())?;
        kernels = b.node("DequantizeLinear", &[&integers, &scale, &zero], axis)?;
    }
    b.node("Conv", &[v, &kernels], Vec::new())
}

/// Two levels that are rounded to multiples of a factor.
fn levels(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let bits = condition(b, v)?;
    let (yes, no) = (b.dice.pick(&[2.5, 40.0, 7.25]), b.dice.pick(&[0.0, -1.75, 0.5]));
    let (yes, no) = (b.number(yes, &[]), b.number(no, &[]));
    let levels = b.node("Where", &[&bits, &yes, &no], Vec::new())?;
    let scale = b.dice.pick(&[0.5, 0.25, 1.0]);
    let (scale, zero) = (b.real(&[], &[scale]), integers(b, Kind::Uint8, &[], &[3]));
    let rounded = b.node("QuantizeLinear", &[&levels, &scale, &zero], Vec::new())?;
    b.node("DequantizeLinear", &[&rounded, &scale, &zero], Vec::new())
}
