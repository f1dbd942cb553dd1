//! Constructs on maps.

use super::super::evaluator::tensor::{Kind, whole};
use super::builder::{Builder, float, int, ints, text};
use super::message::code;

/// A construct on a value; `None` if it cannot be added.
pub(super) type Construct = fn(&mut Builder<'_>, &str) -> Option<String>;

/// The constructs on maps, with their frequencies.
pub(super) const MAPS: [(&str, usize, Construct); 23] = [
    ("convolution", 5, convolution),
    ("factor", 6, factor),
    ("quotient", 2, quotient),
    ("summand", 5, summand),
    ("negation", 3, negation),
    ("normalisation", 3, normalisation),
    ("identity", 3, identity),
    ("dropout", 2, dropout),
    ("relu", 5, relu),
    ("leaky relu", 2, leaky_relu),
    ("absolute value", 2, absolute),
    ("clip", 3, clip),
    ("bound", 4, bound),
    ("largest of maps", 3, several),
    ("sum of maps", 4, sum),
    ("threshold", 5, threshold),
    ("bits as whole numbers", 2, whole_bits),
    ("selection", 3, selection),
    ("sign", 1, sign),
    ("padding", 3, padding),
    ("pooling", 4, pooling),
    ("concatenation of maps", 2, concatenation),
    ("constant of higher rank", 1, higher_rank),
];

/// Weights with few digits.
pub(super) const WEIGHTS: [f64; 12] = [0.0, 1.0, 1.0, -1.0, 0.5, -0.5, 0.25, -0.25, 0.75, 2.0, -2.0, 1.5];
/// Factors with few digits.
pub(super) const FACTORS: [f64; 10] = [2.0, 0.5, -1.0, 0.25, -0.5, -2.0, 4.0, 1.0, 1.5, -0.25];
/// Summands with few digits.
pub(super) const SUMMANDS: [f64; 8] = [5.0, -5.0, 0.5, 12.0, -20.0, 0.0, 60.0, -1.5];

/// The channels, rows and columns of maps.
pub(super) fn size(b: &Builder<'_>, v: &str) -> (usize, usize, usize) {
    let dims = b.dims(v);
    (dims[1], dims[2], dims[3])
}

pub(super) fn convolution(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (channels, height, width) = size(b, v);
    let groups = if channels > 1 && b.dice.once_in(5) { channels } else { 1 };
    let outputs = groups * (1 + b.dice.below(if groups > 1 { 2 } else { 3 }));
    let (rows, columns) = ((1 + b.dice.below(3)).min(height), (1 + b.dice.below(3)).min(width));
    let inputs = channels / groups;
    let numbers: Vec<f64> = (0..outputs * inputs * rows * columns).map(|_| b.dice.pick(&WEIGHTS)).collect();
    let weights = b.real(&[outputs, inputs, rows, columns], &numbers);
    let mut attributes = around(b);
    if groups > 1 {
        attributes.push(int("group", whole(groups)));
    }
    if b.dice.once_in(2) {
        attributes.push(ints("kernel_shape", &[whole(rows), whole(columns)]));
    }
    // Runtimes do not support dilation if they choose the padding.
    if b.dice.once_in(6) && attributes.iter().all(|attribute| attribute.name != "auto_pad") {
        attributes.push(ints("dilations", &[b.dice.between(1, 2), 2]));
    }
    if b.dice.once_in(2) {
        let numbers: Vec<f64> = (0..outputs).map(|_| b.dice.pick(&SUMMANDS)).collect();
        let bias = b.real(&[outputs], &numbers);
        return b.node("Conv", &[v, &weights, &bias], attributes);
    }
    b.node("Conv", &[v, &weights], attributes)
}

/// Strides and padding.
fn around(b: &mut Builder<'_>) -> Vec<super::super::evaluator::proto::Attribute> {
    let mut attributes = Vec::new();
    match b.dice.below(4) {
        0 => attributes.push(text("auto_pad", b.dice.pick(&["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"]))),
        1 => {
            let pads: Vec<i64> = (0..4).map(|_| b.dice.between(0, 1)).collect();
            attributes.push(ints("pads", &pads));
        }
        _ => {}
    }
    if b.dice.once_in(3) {
        attributes.push(ints("strides", &[b.dice.between(1, 2), b.dice.between(1, 2)]));
    }
    attributes
}

/// A constant operand for maps: one number, or one for each channel.
fn beside(b: &mut Builder<'_>, v: &str, numbers: &[f64]) -> String {
    let (channels, ..) = size(b, v);
    if b.dice.once_in(3) {
        let each: Vec<f64> = (0..channels).map(|_| b.dice.pick(numbers)).collect();
        return if b.dice.once_in(2) { b.real(&[channels, 1, 1], &each) } else { b.real(&[1, channels, 1, 1], &each) };
    }
    let number = b.dice.pick(numbers);
    let dims = b.dice.pick::<&[usize]>(&[&[], &[], &[1], &[1, 1, 1], &[1, 1, 1, 1]]);
    b.number(number, dims)
}

fn factor(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let constant = beside(b, v, &FACTORS);
    if b.dice.once_in(2) {
        b.node("Mul", &[v, &constant], Vec::new())
    } else {
        b.node("Mul", &[&constant, v], Vec::new())
    }
}

fn quotient(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let constant = beside(b, v, &[2.0, 4.0, -2.0, 0.5]);
    b.node("Div", &[v, &constant], Vec::new())
}

fn summand(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let constant = beside(b, v, &SUMMANDS);
    let (op, is_swapped) = b.dice.pick(&[("Add", false), ("Add", true), ("Sub", false), ("Sub", true)]);
    if is_swapped { b.node(op, &[&constant, v], Vec::new()) } else { b.node(op, &[v, &constant], Vec::new()) }
}

fn negation(b: &mut Builder<'_>, v: &str) -> Option<String> {
    b.node("Neg", &[v], Vec::new())
}

fn normalisation(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (channels, ..) = size(b, v);
    let mut of = |numbers: &[f64]| {
        let numbers: Vec<f64> = (0..channels).map(|_| b.dice.pick(numbers)).collect();
        b.real(&[channels], &numbers)
    };
    let inputs = [of(&FACTORS), of(&SUMMANDS), of(&SUMMANDS), of(&[0.25, 3.25])];
    let [scale, bias, mean, variance] = inputs.each_ref().map(String::as_str);
    let mut attributes = vec![float("epsilon", 0.75)];
    if b.dice.once_in(2) {
        attributes.push(float("momentum", 0.5));
    }
    b.node("BatchNormalization", &[v, scale, bias, mean, variance], attributes)
}

fn identity(b: &mut Builder<'_>, v: &str) -> Option<String> {
    b.node("Identity", &[v], Vec::new())
}

/// Dropout in the notation of the operators' version, with or without its second output.
pub(super) fn dropout(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let outputs = 1 + b.dice.below(2);
    if b.opset < 12 {
        return b.add("Dropout", &[v], vec![float("ratio", 0.25)], outputs, true);
    }
    let ratio = b.real(&[], &[0.25]);
    let trains = b.whole(Kind::Bool, 0, &[]);
    let all: [&[&str]; 4] = [&[v], &[v, &ratio], &[v, &ratio, &trains], &[v, "", &trains]];
    let inputs = b.dice.pick(&all);
    b.add("Dropout", inputs, Vec::new(), outputs, true)
}

pub(super) fn relu(b: &mut Builder<'_>, v: &str) -> Option<String> {
    b.node("Relu", &[v], Vec::new())
}

fn leaky_relu(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let alpha = b.dice.pick(&[0.5, 0.25, 0.125, 1.0]);
    b.node("LeakyRelu", &[v], vec![float("alpha", alpha)])
}

fn absolute(b: &mut Builder<'_>, v: &str) -> Option<String> {
    b.node("Abs", &[v], Vec::new())
}

pub(super) fn clip(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (low, high) = (b.dice.pick(&[0.0, -4.0, -30.0]), b.dice.pick(&[6.0, 30.5, 0.0]));
    let (low, high) = (b.number(low, &[]), b.number(high, &[]));
    let all: [&[&str]; 6] = [&[v, &low], &[v, "", &high], &[v, &low, &high], &[v, &low, ""], &[v], &[v, "", ""]];
    let inputs = b.dice.pick(&all);
    b.node("Clip", inputs, Vec::new())
}

/// The maximum or minimum of a value and up to three constants, in any order.
pub(super) fn bound(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let op = b.dice.pick(&["Max", "Min"]);
    let count = b.dice.pick(&[1, 1, 1, 2, 3]);
    let mut inputs: Vec<String> = (0..count)
        .map(|_| {
            let at = b.occurring(v);
            let number = if b.dice.once_in(2) { at } else { b.dice.pick(&SUMMANDS) };
            let dims = b.dice.pick::<&[usize]>(&[&[], &[1], &[1, 1]]);
            b.number(number, dims)
        })
        .collect();
    inputs.insert(b.dice.below(count + 1), v.to_owned());
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    b.node(op, &inputs, Vec::new())
}

fn several(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let op = b.dice.pick(&["Max", "Min"]);
    let dims = b.dims(v);
    let mut inputs = vec![v.to_owned()];
    for _ in 0..b.dice.pick(&[1, 1, 2]) {
        inputs.extend(b.maps(|other| other == dims));
    }
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    b.node(op, &inputs, Vec::new())
}

fn sum(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let op = b.dice.pick(&["Add", "Add", "Sub"]);
    let dims = b.dims(v);
    let other = b.maps(|other| other == dims)?;
    b.node(op, &[v, &other], Vec::new())
}

/// Whether a value is above or below a number.
pub(super) fn condition(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let all = ["Greater", "Less", "GreaterOrEqual", "LessOrEqual"];
    let op = b.dice.pick(if b.opset < 12 { &all[..2] } else { &all });
    let at = b.occurring(v) + b.dice.pick(&[0.0, 0.0, 0.5]);
    let dims = b.dice.pick::<&[usize]>(&[&[], &[], &[1], &[1, 1]]);
    let constant = if b.dice.once_in(4) && b.is_maps(v) {
        let all = [at, at, b.occurring(v)];
        beside(b, v, &all)
    } else {
        b.number(at, dims)
    };
    let compared = if b.dice.once_in(2) {
        b.node(op, &[v, &constant], Vec::new())?
    } else {
        b.node(op, &[&constant, v], Vec::new())?
    };
    if b.dice.once_in(4) { b.node("Not", &[&compared], Vec::new()) } else { Some(compared) }
}

fn threshold(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let bits = condition(b, v)?;
    match b.dice.below(4) {
        0 => {
            let (yes, no) = (b.dice.pick(&[1.0, 2.5, -3.0]), b.dice.pick(&[0.0, -1.0, 4.0]));
            let dims = b.dice.pick::<&[usize]>(&[&[], &[1]]);
            let (yes, no) = (b.number(yes, dims), b.number(no, &[]));
            b.node("Where", &[&bits, &yes, &no], Vec::new())
        }
        1 => {
            let between = b.dice.pick(&[2, 6, 7, 11]);
            let between = b.node("Cast", &[&bits], vec![int("to", between)])?;
            b.node("Cast", &[&between], vec![int("to", 1)])
        }
        _ => b.node("Cast", &[&bits], vec![int("to", 1)]),
    }
}

/// Bits or levels as integers, with which nodes calculate.
fn whole_bits(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let bits = condition(b, v)?;
    let kind = b.dice.pick(&[Kind::Int32, Kind::Int64]);
    let to = vec![int("to", i64::from(code(kind)))];
    let mut numbers = if b.dice.once_in(2) {
        let (yes, no) = (b.number(2.5, &[]), b.number(-1.5, &[]));
        let levels = b.node("Where", &[&bits, &yes, &no], Vec::new())?;
        b.node("Cast", &[&levels], to)?
    } else {
        b.node("Cast", &[&bits], to)?
    };
    for _ in 0..b.dice.below(3) {
        let constant = b.dice.pick(&[2, 3, -2]);
        let constant = b.whole(kind, constant, &[]);
        let op = b.dice.pick(&["Add", "Sub", "Mul", "Div"]);
        numbers = b.node(op, &[&numbers, &constant], Vec::new())?;
    }
    b.node("Cast", &[&numbers], vec![int("to", 1)])
}

/// A value where it is above a number, and mostly that number elsewhere.
fn selection(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let op = b.dice.pick(&["Greater", "Less"]);
    let at = b.occurring(v);
    let other = if b.dice.once_in(12) { at + 1.0 } else { at };
    let (at, other) = (b.number(at, &[]), b.number(other, &[]));
    let bits = b.node(op, &[v, &at], Vec::new())?;
    if b.dice.once_in(2) {
        b.node("Where", &[&bits, v, &other], Vec::new())
    } else {
        b.node("Where", &[&bits, &other, v], Vec::new())
    }
}

fn sign(b: &mut Builder<'_>, v: &str) -> Option<String> {
    b.node("Sign", &[v], Vec::new())
}

/// Zeros or other numbers around maps, and a node that reads them.
fn padding(b: &mut Builder<'_>, v: &str) -> Option<String> {
    // The values are not below the zeros, so that their maximum can be taken.
    let v = &if b.dice.once_in(2) { relu(b, v)? } else { v.to_owned() };
    let mut pads = [b.dice.between(0, 1), b.dice.between(0, 2), b.dice.between(0, 1), b.dice.between(0, 1)];
    if b.dice.once_in(20) {
        pads[0] = -1;
    }
    let [top, left, bottom, right] = pads;
    let around = b.dice.pick(&[0.0, 0.0, 2.5, -4.0]);
    let value = b.number(around, &[]);
    let attributes = if b.dice.once_in(2) { vec![text("mode", "constant")] } else { Vec::new() };
    let padded = if b.opset >= 18 && b.dice.once_in(2) {
        let (pads, axes) = (b.list(&[top, left, bottom, right]), b.list(&[2, -1]));
        let value = if around == 0.0 && b.dice.once_in(2) { "" } else { &value };
        b.node("Pad", &[v, &pads, value, &axes], attributes)?
    } else {
        let pads = b.list(&[0, 0, top, left, 0, 0, bottom, right]);
        let inputs: [&[&str]; 2] = [&[v, &pads], &[v, &pads, &value]];
        let inputs = if around == 0.0 { b.dice.pick(&inputs) } else { inputs[1] };
        b.node("Pad", inputs, attributes)?
    };
    match b.dice.below(16) {
        0..9 => convolution(b, &padded),
        9..14 => pooling(b, &padded),
        14 => relu(b, &padded),
        _ => Some(padded),
    }
}

fn pooling(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let is_max = b.dice.once_in(2);
    let mut attributes = around(b);
    let is_plain = attributes.iter().all(|attribute| attribute.name == "strides");
    // Runtimes require a window to be larger than the padding.
    let small = if is_plain { 1 } else { 2 };
    let size = [b.dice.pick(&[small, 2, 2, 3]), b.dice.pick(&[2, 2, small, 4])];
    attributes.push(ints("kernel_shape", &size));
    if is_plain && b.dice.once_in(4) {
        attributes.push(int("ceil_mode", 1));
    } else if !is_max && b.dice.once_in(2) {
        attributes.push(int("count_include_pad", b.dice.between(0, 1)));
    }
    if is_max && is_plain && b.dice.once_in(6) {
        attributes.push(ints("dilations", &[2, 1]));
    }
    b.node(if is_max { "MaxPool" } else { "AveragePool" }, &[v], attributes)
}

fn concatenation(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (channels, height, width) = size(b, v);
    let other = b.maps(|other| other[2..] == [height, width] && other[1] + channels <= 6)?;
    let inputs: [&[&str]; 2] = [&[v, &other], &[&other, v]];
    let (inputs, axis) = (b.dice.pick(&inputs), b.dice.pick(&[1, 1, -3]));
    b.node("Concat", inputs, vec![int("axis", axis)])
}

/// A calculation that gives maps one more axis.
fn higher_rank(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (op, number) = b.dice.pick(&[("Add", 5.0), ("Mul", 0.5), ("Sub", 1.0)]);
    let constant = b.number(number, &[1, 1, 1, 1, 1]);
    let raised = b.node(op, &[v, &constant], Vec::new())?;
    if b.dice.once_in(2) {
        return b.with_axes("Squeeze", &raised, &[0], 13, Vec::new());
    }
    let read = match b.dice.below(3) {
        0 => b.node("Flatten", &[&raised], vec![int("axis", 2)]),
        1 => b.with_axes("ReduceSum", &raised, &[3, 4], 13, Vec::new()),
        _ => b.with_axes("ReduceSum", &raised, &[2], 13, vec![int("keepdims", 0)]),
    };
    b.read_out(read)
}
