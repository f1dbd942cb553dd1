//! Sizes, axes, and calculations with constants alone.

use super::forms::{ravel, unravel};
use super::model::Node;
use super::tensor::{MOST, Tensor};

/// A count as a number; counts here are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn number(count: usize) -> f64 {
    count as f64
}

/// An axis that may be counted from the end.
pub(super) fn axis(axis: i64, rank: usize) -> Result<usize, String> {
    let rank_signed = i64::try_from(rank).unwrap_or(i64::MAX);
    let counted = if axis < 0 { axis.saturating_add(rank_signed) } else { axis };
    let found = usize::try_from(counted).ok().filter(|axis| *axis < rank);
    found.ok_or_else(|| format!("axis {axis} of {rank} sizes"))
}

/// A number for each channel, from a constant that is broadcast to maps.
pub(super) fn channels(constant: &Tensor, channels: usize) -> Result<Vec<f64>, String> {
    let sizes: Vec<usize> = constant.dims.iter().copied().filter(|size| *size != 1).collect();
    let is_of_channels = || {
        let from_end = constant.dims.iter().rev().position(|size| *size == channels);
        from_end == Some(2) || (channels == 1 && sizes.is_empty())
    };
    match constant.values.as_slice() {
        [all] => Ok(vec![*all; channels]),
        values if values.len() == channels && sizes.len() == 1 && is_of_channels() => Ok(values.to_vec()),
        _ => Err(format!(
            "a constant of the sizes {:?} for {channels} maps; expected one number, or one for each channel",
            constant.dims
        )),
    }
}

/// A part of an axis.
pub(super) struct Slice {
    pub(super) axis: usize,
    pub(super) start: usize,
    /// Negative ones go backwards.
    pub(super) step: isize,
    pub(super) count: usize,
}

impl Slice {
    /// The part from `start` up to `end` of an axis of that size, counted from the end where they are negative.
    fn of(axis: usize, size: usize, (start, end): (i64, i64), step: i64) -> Result<Self, String> {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        // Backwards, the first that can be taken is the last one, and the end is in front of the first.
        let (least, most) = if step < 0 { (-1, size - 1) } else { (0, size) };
        let place = |place: i64| if place < 0 { place.saturating_add(size) } else { place };
        let (start, end) = (place(start).clamp(0, most.max(0)), place(end).clamp(least, most));
        let (from, to) = if step < 0 { (end, start) } else { (start, end) };
        let length = if size == 0 { 0 } else { usize::try_from(to - from).unwrap_or(0) };
        let step = isize::try_from(step).ok().filter(|step| *step != 0).ok_or("the step of the slice is 0")?;
        Ok(Self { axis, start: usize::try_from(start).unwrap_or(0), step, count: length.div_ceil(step.unsigned_abs()) })
    }

    /// The place along the axis of one of those that are taken.
    pub(super) fn place(&self, taken: usize) -> usize {
        self.start.saturating_add_signed(self.step.saturating_mul(taken.cast_signed()))
    }
}

/// What a slice takes of which axes: its starts, ends, axes and steps.
pub(super) fn slices(node: &Node, inputs: [Option<Tensor>; 4], dims: &[usize]) -> Result<Vec<Slice>, String> {
    let [starts, ends, axes, steps] = inputs.map(|input| input.map(|tensor| tensor.integers()));
    let attribute = |name: &str| node.ints(name).map(<[i64]>::to_vec);
    let starts = starts.or_else(|| attribute("starts")).ok_or("the starts of the slice are missing")?;
    let ends = ends.or_else(|| attribute("ends")).ok_or("the ends of the slice are missing")?;
    let all = || (0..starts.len()).map(|axis| i64::try_from(axis).unwrap_or(i64::MAX)).collect();
    let axes: Vec<i64> = axes.or_else(|| attribute("axes")).unwrap_or_else(all);
    let steps = steps.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), axes.len(), steps.len()] != [starts.len(); 3] {
        return Err("starts, ends, axes and steps of the slice differ in number".to_owned());
    }
    let mut slices = Vec::new();
    for (((start, end), axis), step) in starts.into_iter().zip(ends).zip(axes).zip(steps) {
        let axis = self::axis(axis, dims.len())?;
        let size = dims.get(axis).copied().unwrap_or(0);
        slices.push(Slice::of(axis, size, (start, end), step)?);
    }
    Ok(slices)
}

/// The sizes that a node `Shape` gives, from opset 15 on a part of them.
pub(super) fn shape(node: &Node, dims: &[usize]) -> Tensor {
    let rank = i64::try_from(dims.len()).unwrap_or(i64::MAX);
    let place = |name: &str, default: i64| {
        let place = node.int(name, default);
        let place = if place < 0 { place.saturating_add(rank) } else { place };
        usize::try_from(place.clamp(0, rank)).unwrap_or(0)
    };
    let (start, end) = (place("start", 0), place("end", rank));
    Tensor::list(dims.iter().take(end).skip(start).copied().map(number).collect())
}

/// The sizes after a node that changes only them; `shape` is its second input.
pub(super) fn reshaped(node: &Node, dims: &[usize], shape: Option<Vec<i64>>) -> Result<Vec<usize>, String> {
    let rank = dims.len();
    match node.op.as_str() {
        "Flatten" => {
            let axis = node.int("axis", 1);
            let axis = if i64::try_from(rank).is_ok_and(|rank| axis == rank) { rank } else { self::axis(axis, rank)? };
            let (before, after) = dims.split_at(axis);
            Ok(vec![before.iter().product(), after.iter().product()])
        }
        "Reshape" => {
            let shape = shape.ok_or("the new sizes are missing")?;
            let kept = |(i, size): (usize, &i64)| match *size {
                0 if node.int("allowzero", 0) == 0 => dims.get(i).copied(),
                size => usize::try_from(size).ok(),
            };
            let sizes: Vec<Option<usize>> = shape.iter().enumerate().map(kept).collect();
            let known = sizes.iter().flatten().try_fold(1_usize, |known, size| known.checked_mul(*size));
            let total: usize = dims.iter().product();
            let rest = known.filter(|known| *known > 0).and_then(|known| total.checked_div(known)).unwrap_or(0);
            if shape.iter().filter(|size| **size == -1).count() > 1 || shape.iter().any(|size| *size < -1) {
                return Err(format!("the new sizes {shape:?} are not possible"));
            }
            Ok(sizes.into_iter().map(|size| size.unwrap_or(rest)).collect())
        }
        op => {
            let axes = shape.or_else(|| node.ints("axes").map(<[i64]>::to_vec));
            if op == "Squeeze" {
                let axes = match axes {
                    Some(axes) => axes.into_iter().map(|axis| self::axis(axis, rank)).collect::<Result<Vec<_>, _>>()?,
                    None => (0..rank).filter(|axis| dims.get(*axis) == Some(&1)).collect(),
                };
                let kept = dims.iter().enumerate().filter(|(axis, _)| !axes.contains(axis));
                return Ok(kept.map(|(_, size)| *size).collect());
            }
            let axes = axes.ok_or("the axes are missing")?;
            let rank = rank + axes.len();
            let axes: Vec<usize> = axes.into_iter().map(|axis| self::axis(axis, rank)).collect::<Result<_, _>>()?;
            let mut rest = dims.iter();
            Ok((0..rank).map(|axis| if axes.contains(&axis) { 1 } else { rest.next().copied().unwrap_or(1) }).collect())
        }
    }
}

/// A matrix with rows and columns exchanged.
pub(super) fn transposed(matrix: &Tensor) -> Result<Tensor, String> {
    let [rows, columns] = *matrix.dims.as_slice() else {
        return Err(format!("exchanges the sizes {:?}; expected a matrix", matrix.dims));
    };
    let column = |column: usize| matrix.values.iter().skip(column).step_by(columns.max(1)).copied();
    Ok(Tensor { dims: vec![columns, rows], values: (0..columns).flat_map(column).collect() })
}

/// Which axis becomes each axis of a transposition.
pub(super) fn permutation(node: &Node, rank: usize) -> Result<Vec<usize>, String> {
    let Some(order) = node.ints("perm") else { return Ok((0..rank).rev().collect()) };
    let order: Vec<usize> = order.iter().map(|&axis| self::axis(axis, rank)).collect::<Result<_, _>>()?;
    if order.len() == rank && (0..rank).all(|axis| order.contains(&axis)) {
        return Ok(order);
    }
    Err(format!("the order of axes {order:?} is not possible for {rank} sizes"))
}

/// The places of a transposed array's elements in the array, and its sizes.
pub(super) fn reordered(dims: &[usize], order: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let sizes: Vec<usize> = order.iter().filter_map(|axis| dims.get(*axis).copied()).collect();
    let place = |place: usize| {
        let mut from = vec![0; dims.len()];
        for (axis, index) in order.iter().zip(unravel(place, &sizes)) {
            if let Some(from) = from.get_mut(*axis) {
                *from = index;
            }
        }
        ravel(&from, dims)
    };
    ((0..sizes.iter().product()).map(place).collect(), sizes)
}

/// The places of a slice's elements in the array, and its sizes.
pub(super) fn sliced(dims: &[usize], slice: &Slice) -> (Vec<usize>, Vec<usize>) {
    let mut sizes = dims.to_vec();
    if let Some(size) = sizes.get_mut(slice.axis) {
        *size = slice.count;
    }
    let place = |place: usize| {
        let mut from = unravel(place, &sizes);
        if let Some(along) = from.get_mut(slice.axis) {
            *along = slice.place(*along);
        }
        ravel(&from, dims)
    };
    ((0..sizes.iter().product()).map(place).collect(), sizes)
}

/// Elements of an array in another order.
fn taken(tensor: &Tensor, (places, dims): (Vec<usize>, Vec<usize>)) -> Tensor {
    Tensor { dims, values: places.into_iter().filter_map(|place| tensor.values.get(place).copied()).collect() }
}

/// One value as often as sizes say.
fn filled(node: &Node, sizes: &Tensor) -> Result<Tensor, String> {
    let value = if node.has("value") { node.constant()?.values.first().copied().unwrap_or(0.0) } else { 0.0 };
    let dims: Option<Vec<usize>> = sizes.integers().into_iter().map(|size| usize::try_from(size).ok()).collect();
    let count = |dims: &Vec<usize>| dims.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    let dims = dims.filter(|dims| count(dims).is_some_and(|count| count <= MOST));
    let dims = dims.ok_or_else(|| format!("the sizes {:?} are not possible", sizes.values))?;
    Ok(Tensor { values: vec![value; dims.iter().product()], dims })
}

/// What a node makes of constants; `None` if it is not one that calculates with them.
pub(super) fn compute(node: &Node, inputs: &[Option<Tensor>]) -> Option<Result<Tensor, String>> {
    let at = |input: usize| inputs.get(input).and_then(Option::as_ref);
    let first = at(0)?;
    let both = |of: fn(f64, f64) -> f64| Some(first.combine(at(1)?, of));
    let one = |of: fn(f64) -> f64| Some(Ok(first.map(of)));
    match node.op.as_str() {
        // Whole numbers remain whole here; types make no difference otherwise.
        "Identity" | "Dropout" | "Cast" => Some(Ok(first.clone())),
        "Add" => both(|a, b| a + b),
        "Sub" => both(|a, b| a - b),
        "Mul" => both(|a, b| a * b),
        "Div" => both(|a, b| a / b).map(finite),
        "Greater" => both(|a, b| f64::from(u8::from(a > b))),
        "GreaterOrEqual" => both(|a, b| f64::from(u8::from(a >= b))),
        "Max" => both(f64::max),
        "Min" => both(f64::min),
        "Abs" => one(f64::abs),
        "Neg" => one(|value| -value),
        "Sign" => one(|value| if value == 0.0 { 0.0 } else { value.signum() }),
        "Round" => one(f64::round_ties_even),
        "Floor" => one(f64::floor),
        "Ceil" => one(f64::ceil),
        "Relu" => one(|value| value.max(0.0)),
        "Sqrt" => Some(finite(Ok(first.map(f64::sqrt)))),
        "Clip" => {
            let bound = |input: usize, default: f64| at(input).and_then(Tensor::single).unwrap_or(default);
            let (low, high) = (bound(1, f64::NEG_INFINITY), bound(2, f64::INFINITY));
            Some(Ok(first.map(|value| value.max(low).min(high))))
        }
        "Shape" => Some(Ok(shape(node, &first.dims))),
        "Transpose" => {
            let order = permutation(node, first.dims.len());
            Some(order.map(|order| taken(first, reordered(&first.dims, &order))))
        }
        "ConstantOfShape" => Some(filled(node, first)),
        "Flatten" | "Reshape" | "Squeeze" | "Unsqueeze" => {
            let dims = reshaped(node, &first.dims, at(1).map(Tensor::integers));
            Some(dims.and_then(|dims| {
                if dims.iter().try_fold(1_usize, |count, size| count.checked_mul(*size)) != Some(first.values.len()) {
                    return Err(format!("{} numbers do not fit the sizes {dims:?}", first.values.len()));
                }
                Ok(Tensor { dims, values: first.values.clone() })
            }))
        }
        "Gather" if first.dims.len() == 1 => Some(gather(first, at(1)?)),
        "Concat" if inputs.iter().flatten().all(|input| input.dims.len() == 1) => {
            Some(Ok(Tensor::list(inputs.iter().flatten().flat_map(|input| input.values.clone()).collect())))
        }
        "Slice" => {
            let slices = slices(node, [at(1), at(2), at(3), at(4)].map(Option::<&Tensor>::cloned), &first.dims);
            Some(slices.map(|slices| {
                slices.iter().fold(first.clone(), |tensor, slice| taken(&tensor, sliced(&tensor.dims, slice)))
            }))
        }
        _ => None,
    }
}

fn gather(list: &Tensor, places: &Tensor) -> Result<Tensor, String> {
    let value = |place: i64| Ok(list.values.get(axis(place, list.values.len())?).copied().unwrap_or_default());
    let values = places.integers().into_iter().map(value).collect::<Result<_, String>>()?;
    Ok(Tensor { dims: places.dims.clone(), values })
}

fn finite(result: Result<Tensor, String>) -> Result<Tensor, String> {
    let result = result?;
    match result.values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(format!("a constant becomes {value}")),
        None => Ok(result),
    }
}
