//! Constructs that choose, mix and bend channels of maps.

use super::super::evaluator::tensor::{Kind, whole};
use super::builder::{Builder, float, int, ints};
use super::maps::{Construct, convolution, relu, size};

/// The constructs on channels, with their frequencies.
pub(super) const CHANNELS: [(&str, usize, Construct); 9] = [
    ("channels by their places", 4, places),
    ("channels with steps", 2, steps),
    ("shuffled channels", 3, shuffled),
    ("rows by their places", 1, rows),
    ("channels around maps", 2, around),
    ("slopes of channels", 3, slopes),
    ("sum over channels", 3, sum),
    ("largest over channels", 3, largest),
    ("constant over all pixels", 3, plane),
];

/// The axis of the channels, counted from either end.
fn axis(b: &mut Builder<'_>) -> i64 {
    b.dice.pick(&[1, 1, -3])
}

fn places(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (channels, ..) = size(b, v);
    let (least, most, axis) = (-whole(channels), whole(channels) - 1, axis(b));
    if b.dice.once_in(4) {
        let place = b.dice.between(least, most);
        let place = b.whole(Kind::Int64, place, &[]);
        let map = b.node("Gather", &[v, &place], vec![int("axis", axis)])?;
        return b.with_axes("Unsqueeze", &map, &[1], 13, Vec::new());
    }
    let listed: Vec<i64> = (0..=b.dice.below(4)).map(|_| b.dice.between(least, most)).collect();
    let listed = b.list(&listed);
    let chosen = b.node("Gather", &[v, &listed], vec![int("axis", axis)])?;
    if b.dice.once_in(2) { convolution(b, &chosen) } else { Some(chosen) }
}

/// Groups of channels, of which the maps are mixed with those of a copy.
fn shuffled(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (channels, height, width) = size(b, v);
    let other = if b.dice.once_in(2) { relu(b, v)? } else { v.to_owned() };
    let both = b.node("Concat", &[v, &other], vec![int("axis", 1)])?;
    let (first, second) = b.dice.pick(&[(2, channels), (channels, 2)]);
    let [first, second, all, height, width] = [first, second, 2 * channels, height, width].map(whole);
    let (apart, together) = (b.list(&[1, first, second, height, width]), b.list(&[1, all, height, width]));
    let parts = b.node("Reshape", &[&both, &apart], Vec::new())?;
    let turned = b.node("Transpose", &[&parts], vec![ints("perm", &[0, 2, 1, 3, 4])])?;
    b.node("Reshape", &[&turned, &together], Vec::new())
}

/// More channels, at times with pixels around all of them.
fn around(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (before, after) = (b.dice.between(0, 1), b.dice.between(0, 2));
    let rows = if b.dice.once_in(3) { b.dice.between(0, 1) } else { 0 };
    let pads = b.list(&[0, before, rows, 0, 0, after, 0, rows]);
    let value = b.dice.pick(&[0.0, 0.0, 1.5, -20.0]);
    let value = b.number(value, &[]);
    b.node("Pad", &[v, &pads, &value], Vec::new())
}

/// Rows in any order, which are read out.
fn rows(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (_, height, _) = size(b, v);
    let listed: Vec<i64> = (0..=b.dice.below(3)).map(|_| b.dice.between(-whole(height), whole(height) - 1)).collect();
    let listed = b.list(&listed);
    let chosen = b.node("Gather", &[v, &listed], vec![int("axis", 2)])?;
    let flat = b.node("Flatten", &[&chosen], Vec::new());
    b.read_out(flat)
}

fn steps(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (start, end, step) = b.dice.pick(&[(0, i64::MAX, 2), (-1, -99, -1), (1, 9, 2), (-1, -99, -2)]);
    let [start, end, step] = [start, end, step].map(|number| b.list(&[number]));
    let axis = axis(b);
    let axis = b.list(&[axis]);
    b.node("Slice", &[v, &start, &end, &axis, &step], Vec::new())
}

fn slopes(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (channels, ..) = size(b, v);
    if b.dice.once_in(3) {
        let alpha = b.dice.pick(&[0.75, 0.375, 1.5, -0.5]);
        return b.node("LeakyRelu", &[v], vec![float("alpha", alpha)]);
    }
    let numbers: Vec<f64> = (0..channels).map(|_| b.dice.pick(&[0.5, 0.25, -0.5, 0.0, 2.0, 0.75])).collect();
    let dims = if b.dice.once_in(2) { vec![channels, 1, 1] } else { vec![1, channels, 1, 1] };
    let slopes = b.real(&dims, &numbers);
    b.node("PRelu", &[v, &slopes], Vec::new())
}

/// A reduction over channels, whose axis is kept, made again, or read out without.
fn reduced(b: &mut Builder<'_>, v: &str, op: &str, since: i64) -> Option<String> {
    let (keep, axis) = (b.dice.once_in(2), axis(b));
    let made = b.with_axes(op, v, &[axis], since, vec![int("keepdims", i64::from(keep))])?;
    if keep {
        return Some(made);
    }
    if b.dice.below(4) > 0 {
        return b.with_axes("Unsqueeze", &made, &[1], 13, Vec::new());
    }
    let flat = b.node("Flatten", &[&made], Vec::new());
    b.read_out(flat)
}

fn sum(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (op, since) = b.dice.pick(&[("ReduceSum", 13), ("ReduceSum", 13), ("ReduceMean", 18)]);
    reduced(b, v, op, since)
}

fn largest(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let op = b.dice.pick(&["ReduceMax", "ReduceMin"]);
    reduced(b, v, op, 18)
}

/// A constant with all sizes of the maps, which is the same for all pixels of each, or of all.
fn plane(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let (channels, height, width) = size(b, v);
    let of_all = b.dice.once_in(3);
    let first = b.dice.pick(&[0.5, -2.0, 4.0]);
    let of_channels: Vec<f64> =
        (0..channels).map(|_| if of_all { first } else { b.dice.pick(&[0.5, -2.0, 4.0]) }).collect();
    let numbers: Vec<f64> = of_channels.iter().flat_map(|number| vec![*number; height * width]).collect();
    let constant = b.real(&[channels, height, width], &numbers);
    let op = if of_all { b.dice.pick(&["Add", "Mul", "Max"]) } else { b.dice.pick(&["Add", "Mul", "Sub"]) };
    let inputs: [&[&str]; 2] = [&[v, &constant], &[&constant, v]];
    let inputs = b.dice.pick(&inputs);
    b.node(op, inputs, Vec::new())
}
