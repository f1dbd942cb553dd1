//! Constructs for reading out maps, and on numbers.

use super::super::evaluator::proto::Attribute;
use super::super::evaluator::tensor::{Kind, Number, Tensor, whole};
use super::builder::{Builder, float, int, ints};
use super::maps::{Construct, FACTORS, SUMMANDS, WEIGHTS, bound, clip, dropout, relu};

/// The ways to read out maps, with their frequencies.
pub(super) const READ_OUTS: [(&str, usize, Construct); 7] = [
    ("flatten", 3, flatten),
    ("reshape", 3, reshape),
    ("global mean", 2, global_mean),
    ("sums", 5, sums),
    ("sums of a part", 4, sums_of_a_part),
    ("part", 2, part),
    ("transposition of maps", 1, transposition_of_maps),
];

/// The constructs on numbers, with their frequencies.
pub(super) const NUMBERS: [(&str, usize, Construct); 16] = [
    ("dense", 5, dense),
    ("product", 3, product),
    ("factor of numbers", 2, factor),
    ("summand of numbers", 2, summand),
    ("rectified numbers", 3, relu),
    ("clipped numbers", 1, clip),
    ("bound of numbers", 1, bound),
    ("dropout of numbers", 1, dropout),
    ("concatenation of numbers", 2, concatenation),
    ("sum of numbers", 2, sum),
    ("slice of numbers", 2, slice),
    ("sums of numbers", 2, sums_of_numbers),
    ("other sizes", 2, other_sizes),
    ("numbers by their places", 2, places),
    ("largest of numbers", 1, largest),
    ("slopes of numbers", 1, slopes),
];

impl Builder<'_> {
    /// A node whose axes are an attribute before a version of the operators, and then an input.
    pub(super) fn with_axes(
        &mut self,
        op: &str,
        v: &str,
        axes: &[i64],
        since: i64,
        mut attributes: Vec<Attribute>,
    ) -> Option<String> {
        if self.opset < since {
            attributes.push(ints("axes", axes));
            return self.node(op, &[v], attributes);
        }
        let axes = self.list(axes);
        self.node(op, &[v, &axes], attributes)
    }

    /// Sums or means; without `axes`, over all axes.
    fn reduction(&mut self, v: &str, axes: Option<&[i64]>, keep: bool) -> Option<String> {
        let op = self.dice.pick(&["ReduceSum", "ReduceSum", "ReduceMean"]);
        let since = if op == "ReduceSum" { 13 } else { 18 };
        let mut attributes = vec![int("keepdims", i64::from(keep))];
        if self.opset >= since && self.dice.once_in(8) {
            attributes.push(int("noop_with_empty_axes", self.dice.between(0, 1)));
        }
        match axes {
            Some(axes) => self.with_axes(op, v, axes, since, attributes),
            None if self.opset >= since && self.dice.once_in(2) => {
                let none = self.list(&[]);
                self.constructs.insert("empty axes");
                self.node(op, &[v, &none], attributes)
            }
            None => self.node(op, &[v], attributes),
        }
    }

    /// A slice along some axes; at times with steps, or with omitted axes.
    fn slice(&mut self, v: &str, axes: &[i64], starts: &[i64], ends: &[i64]) -> Option<String> {
        let (starts, ends, listed) = (self.list(starts), self.list(ends), self.list(axes));
        if self.dice.once_in(4) {
            let steps = self.list(&vec![1; axes.len()]);
            return self.node("Slice", &[v, &starts, &ends, &listed, &steps], Vec::new());
        }
        self.node("Slice", &[v, &starts, &ends, &listed], Vec::new())
    }
}

fn flatten(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let attributes = if b.dice.once_in(2) { Vec::new() } else { vec![int("axis", b.dice.pick(&[1, 1, -3]))] };
    let flat = b.node("Flatten", &[v], attributes);
    b.read_out(flat)
}

fn reshape(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let channels = whole(b.dims(v)[1]);
    let sizes = match b.dice.below(5) {
        0 | 1 => b.sizes_of_rows(v)?,
        2 => b.list(&[0, -1]),
        3 => b.list(&[-1, channels, 1]),
        _ => b.list(&[1, -1]),
    };
    let flat = b.node("Reshape", &[v, &sizes], Vec::new());
    b.read_out(flat)
}

fn global_mean(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let means = b.node("GlobalAveragePool", &[v], Vec::new());
    let means = b.read_out(means)?;
    match b.dice.below(3) {
        0 => b.with_axes("Squeeze", &means, &[2, -1], 13, Vec::new()),
        1 => Some(means),
        _ => flatten(b, &means),
    }
}

fn sums(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let keep = b.dice.once_in(2);
    let all: [Option<&[i64]>; 7] =
        [Some(&[2, 3]), Some(&[-1, -2]), Some(&[1, 2, 3]), Some(&[3]), Some(&[2]), Some(&[0, 2, 3]), None];
    let axes = b.dice.pick(&all);
    let sums = b.reduction(v, axes, keep);
    b.read_out(sums)
}

/// A window of maps: a range of rows and columns.
fn window(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let dims = b.dims(v);
    let (height, width) = (dims[2], dims[3]);
    let (top, left) = (whole(b.dice.below(height)), whole(b.dice.below(width)));
    let (bottom, right) = (top + b.dice.between(1, 3), b.dice.pick(&[left + 1, whole(width), i64::MAX]));
    if b.dice.once_in(5) {
        // This takes the upper or the lower half.
        let (zero, half) = (b.list(&[0]), b.half_of_size(v, 2)?);
        let (far, rows) = (b.list(&[i64::MAX]), b.list(&[2]));
        let inputs: [&[&str]; 2] = [&[v, &zero, &half, &rows], &[v, &half, &far, &rows]];
        let inputs = b.dice.pick(&inputs);
        return b.node("Slice", inputs, Vec::new());
    }
    match b.dice.below(8) {
        0 => b.slice(v, &[0, 2], &[0, top], &[1, bottom]),
        1 => {
            b.constructs.insert("slice of channels");
            b.slice(v, &[1, 3], &[0, left], &[1, right])
        }
        2 => b.slice(v, &[-2, -1], &[top - whole(height), left], &[bottom, right]),
        // This window is empty.
        3 if b.dice.once_in(6) => b.slice(v, &[0, 2], &[1, top], &[1, bottom]),
        _ => {
            let rows = b.slice(v, &[2], &[top], &[bottom])?;
            b.slice(&rows, &[3], &[left], &[right])
        }
    }
}

fn sums_of_a_part(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let part = window(b, v)?;
    let keep = b.dice.once_in(2);
    let all: [&[i64]; 3] = [&[2, 3], &[-2, -1], &[3]];
    let axes = b.dice.pick(&all);
    let sums = b.reduction(&part, Some(axes), keep);
    b.read_out(sums)
}

fn part(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let part = window(b, v)?;
    flatten(b, &part)
}

fn transposition_of_maps(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let order: &[i64] = b.dice.pick::<&[i64]>(&[&[0, 2, 3, 1], &[0, 1, 3, 2], &[0, 3, 2, 1]]);
    let turned = b.node("Transpose", &[v], vec![ints("perm", order)]);
    let turned = b.read_out(turned)?;
    flatten(b, &turned)
}

/// The number of numbers, if they are a row.
pub(super) fn row(b: &Builder<'_>, v: &str) -> Option<usize> {
    match *b.dims(v).as_slice() {
        [1, count] if count > 0 => Some(count),
        _ => None,
    }
}

fn weights(b: &mut Builder<'_>, count: usize) -> Vec<f64> {
    (0..count).map(|_| b.dice.pick(&WEIGHTS)).collect()
}

fn dense(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let inputs = row(b, v)?;
    let outputs = 1 + b.dice.below(4);
    let is_turned = b.dice.once_in(2);
    let numbers = weights(b, inputs * outputs);
    let dims = if is_turned { [outputs, inputs] } else { [inputs, outputs] };
    let matrix = b.real(&dims, &numbers);
    let mut attributes = Vec::new();
    if is_turned || b.dice.once_in(2) {
        attributes.push(int("transB", i64::from(is_turned)));
    }
    if b.dice.once_in(3) {
        attributes.push(float("alpha", b.dice.pick(&[0.5, 2.0, -1.0])));
        attributes.push(float("beta", b.dice.pick(&[0.5, 2.0, 0.0])));
    }
    let mut v = v.to_owned();
    if inputs < 30 && b.dice.once_in(8) {
        v = b.node("Transpose", &[&v], Vec::new())?;
        attributes.push(int("transA", 1));
    }
    if b.dice.once_in(3) {
        return b.node("Gemm", &[&v, &matrix], attributes);
    }
    let (dims, count): (&[usize], usize) = b.dice.pick(&[(&[0], outputs), (&[1, 0], outputs), (&[1], 1), (&[], 1)]);
    let dims: Vec<usize> = dims.iter().map(|size| if *size == 0 { outputs } else { *size }).collect();
    let numbers = weights(b, count);
    let bias = b.real(&dims, &numbers);
    b.node("Gemm", &[&v, &matrix, &bias], attributes)
}

fn product(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let v = &if row(b, v).is_some() || b.dice.once_in(4) { v.to_owned() } else { flatten(b, v)? };
    let inputs = *b.dims(v).last()?;
    let outputs = 1 + b.dice.below(4);
    let numbers = weights(b, inputs * outputs);
    let dims = b.dice.pick::<&[usize]>(&[&[], &[], &[1], &[1, 1]]);
    let matrix = b.real(&[dims, &[inputs, outputs]].concat(), &numbers);
    let product = b.node("MatMul", &[v, &matrix], Vec::new())?;
    if b.dice.once_in(2) {
        return Some(product);
    }
    let numbers = weights(b, outputs);
    let bias = b.real(&[outputs], &numbers);
    b.node("Add", &[&product, &bias], Vec::new())
}

/// A constant operand for numbers: one for all or one for each; at times of a higher rank.
fn beside(b: &mut Builder<'_>, v: &str, numbers: &[f64]) -> String {
    let dims = b.dims(v);
    match b.dice.below(8) {
        0..3 => {
            let each: Vec<f64> = (0..dims.iter().product()).map(|_| b.dice.pick(numbers)).collect();
            b.real(&dims, &each)
        }
        3 => {
            let number = b.dice.pick(numbers);
            b.number(number, &vec![1; dims.len() + 1])
        }
        _ => {
            let number = b.dice.pick(numbers);
            b.number(number, &[])
        }
    }
}

fn factor(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let constant = beside(b, v, &FACTORS);
    let op = b.dice.pick(&["Mul", "Mul", "Div"]);
    b.node(op, &[v, &constant], Vec::new())
}

fn summand(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let constant = beside(b, v, &SUMMANDS);
    let (op, is_swapped) = b.dice.pick(&[("Add", false), ("Sub", false), ("Sub", true)]);
    if is_swapped { b.node(op, &[&constant, v], Vec::new()) } else { b.node(op, &[v, &constant], Vec::new()) }
}

fn concatenation(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let dims = b.dims(v);
    let axis = dims.len().checked_sub(1)?;
    let other = b.numbers(|other| other.len() == dims.len() && other[..axis] == dims[..axis])?;
    let axis = if b.dice.once_in(2) { whole(axis) } else { -1 };
    b.node("Concat", &[v, &other], vec![int("axis", axis)])
}

fn sum(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let op = b.dice.pick(&["Add", "Sub"]);
    let dims = b.dims(v);
    let other = b.numbers(|other| other == dims)?;
    b.node(op, &[v, &other], Vec::new())
}

fn slice(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let dims = b.dims(v);
    let axis = b.dice.below(dims.len());
    let length = whole(*dims.get(axis)?);
    let (start, end) = (b.dice.between(-length, 0), b.dice.pick(&[length, i64::MAX, -1]));
    let axes = b.list(&[whole(axis)]);
    if b.dice.once_in(3) {
        // The slice goes backwards, or takes every second number.
        let (step, start, end) = b.dice.pick(&[(-1, -1, i64::MIN + 1), (2, 0, i64::MAX), (-2, length, -length - 1)]);
        let (starts, ends, steps) = (b.list(&[start]), b.list(&[end]), b.list(&[step]));
        return b.node("Slice", &[v, &starts, &ends, &axes, &steps], Vec::new());
    }
    let (starts, ends) = (b.list(&[start]), b.list(&[end]));
    b.node("Slice", &[v, &starts, &ends, &axes], Vec::new())
}

fn places(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let dims = b.dims(v);
    let last = dims.len().checked_sub(1)?;
    let size = whole(dims[last]);
    let listed: Vec<i64> = (0..4).map(|_| b.dice.between(-size, size - 1)).collect();
    let sizes = b.dice.pick::<&[usize]>(&[&[4], &[4], &[2, 2]]);
    let numbers = listed.into_iter().map(Number::Whole).collect();
    let places = b.constant(&Tensor { kind: Kind::Int64, dims: sizes.to_vec(), numbers });
    let axis = if b.dice.once_in(2) { whole(last) } else { -1 };
    b.node("Gather", &[v, &places], vec![int("axis", axis)])
}

fn largest(b: &mut Builder<'_>, v: &str) -> Option<String> {
    row(b, v).filter(|count| *count <= 40)?;
    let op = b.dice.pick(&["ReduceMax", "ReduceMin"]);
    let (axis, keep) = (b.dice.pick(&[1, -1]), b.dice.between(0, 1));
    b.with_axes(op, v, &[axis], 18, vec![int("keepdims", keep)])
}

fn slopes(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let count = row(b, v)?;
    let numbers: Vec<f64> = (0..count).map(|_| b.dice.pick(&[0.5, 0.25, -0.5, 2.0])).collect();
    let slopes = b.real(&[count], &numbers);
    b.node("PRelu", &[v, &slopes], Vec::new())
}

fn sums_of_numbers(b: &mut Builder<'_>, v: &str) -> Option<String> {
    let keep = b.dice.once_in(2);
    let all: [Option<&[i64]>; 4] = [Some(&[-1]), Some(&[1]), Some(&[0]), None];
    let axes = b.dice.pick(&all);
    b.reduction(v, axes, keep)
}

fn other_sizes(b: &mut Builder<'_>, v: &str) -> Option<String> {
    match b.dice.below(5) {
        0 => {
            let raised = b.with_axes("Unsqueeze", v, &[0], 13, Vec::new())?;
            b.with_axes("Squeeze", &raised, &[0], 13, Vec::new())
        }
        1 => {
            let attributes = if b.dice.once_in(2) { Vec::new() } else { vec![int("axis", b.dice.between(0, 1))] };
            b.node("Flatten", &[v], attributes)
        }
        2 => b.node("Transpose", &[v], Vec::new()),
        3 => b.node("Squeeze", &[v], Vec::new()),
        _ => {
            let sizes = b.list(&[-1]);
            let list = b.node("Reshape", &[v, &sizes], Vec::new())?;
            let sizes = b.list(&[1, -1]);
            b.node("Reshape", &[&list, &sizes], Vec::new())
        }
    }
}
