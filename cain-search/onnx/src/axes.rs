//! The effect of nodes that only move numbers on sizes and axes.

use super::index::{ravel, unravel};
use super::kind::Kind;
use super::node::Node;
use super::tensor::Tensor;

/// Converts a count to a number; counts here are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(crate) fn number(count: usize) -> f64 {
    count as f64
}

/// Resolves an axis, which may be counted from the end.
pub(crate) fn axis(axis: i64, rank: usize) -> Result<usize, String> {
    let rank_signed = i64::try_from(rank).unwrap_or(i64::MAX);
    let counted = if axis < 0 { axis.saturating_add(rank_signed) } else { axis };
    let found = usize::try_from(counted).ok().filter(|axis| *axis < rank);
    found.ok_or_else(|| format!("axis {axis} of {rank} sizes"))
}

/// Resolves a list of axes, in which none may occur twice.
pub(crate) fn axes(list: &[i64], rank: usize) -> Result<Vec<usize>, String> {
    let mut axes = Vec::new();
    for &axis in list {
        let axis = self::axis(axis, rank)?;
        if axes.contains(&axis) {
            return Err(format!("axis {axis} is named twice"));
        }
        axes.push(axis);
    }
    Ok(axes)
}

/// The number for each channel, from a constant that is broadcast to maps of the sizes [1, channels, rows, columns].
pub(crate) fn channels(constant: &Tensor, channels: usize) -> Result<Vec<f64>, String> {
    let is_of_channels = constant.dims.iter().rev().enumerate().all(|(from_end, size)| from_end == 2 || *size == 1);
    match constant.values.as_slice() {
        [all] => Ok(vec![*all; channels]),
        values if values.len() == channels && is_of_channels => Ok(values.to_vec()),
        _ => Err(format!(
            "a constant of the sizes {:?} for {channels} maps; expected one number, or one for each channel; what differs \
             from pixel to pixel is possible where only numbers are made of the result, as behind a `Flatten`",
            constant.dims
        )),
    }
}

/// A part of an axis.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    pub(crate) axis: usize,
    pub(crate) start: usize,
    /// The step between elements; a negative one goes backwards.
    pub(crate) step: isize,
    pub(crate) count: usize,
}

impl Slice {
    /// The part from `start` up to `end` of an axis of this size; negative bounds count from the end.
    fn of(axis: usize, size: usize, (start, end): (i64, i64), step: i64) -> Result<Self, String> {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        // Going backwards, the last element is the first that can be taken, and the end lies before the first element.
        let (least, most) = if step < 0 { (-1, size - 1) } else { (0, size) };
        let place = |place: i64| if place < 0 { place.saturating_add(size) } else { place };
        let (start, end) = (place(start).clamp(0, most.max(0)), place(end).clamp(least, most));
        let (from, to) = if step < 0 { (end, start) } else { (start, end) };
        let length = if size == 0 { 0 } else { usize::try_from(to - from).unwrap_or(0) };
        let step = isize::try_from(step).ok().filter(|step| *step != 0).ok_or("the step of the slice is 0")?;
        Ok(Self { axis, start: usize::try_from(start).unwrap_or(0), step, count: length.div_ceil(step.unsigned_abs()) })
    }

    /// The slice that takes these places, if they have the same distances from each other and go forwards.
    pub(crate) fn through(axis: usize, places: &[usize]) -> Option<Self> {
        let (start, count) = (*places.first()?, places.len());
        let step = places.get(1).map_or(Some(1), |second| second.checked_sub(start)).filter(|step| *step > 0)?;
        let is_spaced = places.iter().enumerate().all(|(taken, place)| *place == start + taken * step);
        is_spaced.then_some(Self { axis, start, step: step.cast_signed(), count })
    }

    /// The place along the axis of the element with index `taken` in the slice.
    pub(crate) fn place(&self, taken: usize) -> usize {
        self.start.saturating_add_signed(self.step.saturating_mul(taken.cast_signed()))
    }
}

/// The slices of a node along each of its axes, from its starts, ends, axes and steps.
pub(crate) fn slices(node: &Node, inputs: [Option<&Tensor>; 4], dims: &[usize]) -> Result<Vec<Slice>, String> {
    let [starts, ends, axes, steps] = inputs.map(|input| input.map(Tensor::integers));
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
        if slices.iter().any(|slice: &Slice| slice.axis == axis) {
            return Err(format!("slices axis {axis} twice"));
        }
        slices.push(Slice::of(axis, size, (start, end), step)?);
    }
    Ok(slices)
}

/// The result of a node `Shape`: all sizes, or from opset 15 on a range of them.
pub(crate) fn shape(node: &Node, dims: &[usize]) -> Tensor {
    let rank = i64::try_from(dims.len()).unwrap_or(i64::MAX);
    let place = |name: &str, default: i64| {
        let place = node.int(name, default);
        let place = if place < 0 { place.saturating_add(rank) } else { place };
        usize::try_from(place.clamp(0, rank)).unwrap_or(0)
    };
    let (start, end) = (place("start", 0), place("end", rank));
    Tensor::list(Kind::INDEX, dims.iter().take(end).skip(start).copied().map(number).collect())
}

/// The sizes after a node that changes nothing else; `shape` is its second input.
pub(crate) fn reshaped(node: &Node, dims: &[usize], shape: Option<Vec<i64>>) -> Result<Vec<usize>, String> {
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
            let keeps = node.int("allowzero", 0) == 0;
            let kept = |(i, size): (usize, &i64)| match *size {
                0 if keeps => dims.get(i).copied(),
                size => usize::try_from(size).ok(),
            };
            if keeps && shape.iter().skip(rank).any(|size| *size == 0) {
                return Err(format!("the new sizes {shape:?} keep more than the {rank} of before"));
            }
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
            if op == "Squeeze" && axes.as_ref().is_some_and(Vec::is_empty) {
                return Err("the list of axes is empty; leave it out, or name them".to_owned());
            }
            if op == "Squeeze" {
                let axes = match axes {
                    Some(axes) => self::axes(&axes, rank)?,
                    None => (0..rank).filter(|axis| dims.get(*axis) == Some(&1)).collect(),
                };
                if let Some(axis) = axes.iter().find(|axis| dims.get(**axis) != Some(&1)) {
                    return Err(format!("removes axis {axis} of the sizes {dims:?}; expected one of size 1"));
                }
                let kept = dims.iter().enumerate().filter(|(axis, _)| !axes.contains(axis));
                return Ok(kept.map(|(_, size)| *size).collect());
            }
            let axes = axes.ok_or("the axes are missing")?;
            let rank = rank + axes.len();
            let axes = self::axes(&axes, rank)?;
            let mut rest = dims.iter();
            Ok((0..rank).map(|axis| if axes.contains(&axis) { 1 } else { rest.next().copied().unwrap_or(1) }).collect())
        }
    }
}

/// For each axis of a transposed array, the original axis.
pub(crate) fn permutation(node: &Node, rank: usize) -> Result<Vec<usize>, String> {
    let Some(order) = node.ints("perm") else { return Ok((0..rank).rev().collect()) };
    let order: Vec<usize> = order.iter().map(|&axis| self::axis(axis, rank)).collect::<Result<_, _>>()?;
    if order.len() == rank && (0..rank).all(|axis| order.contains(&axis)) {
        return Ok(order);
    }
    Err(format!("the order of axes {order:?} is not possible for {rank} sizes"))
}

/// For each element of a transposed array, its place in the original array; and the sizes.
pub(crate) fn reordered(dims: &[usize], order: &[usize]) -> (Vec<usize>, Vec<usize>) {
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

/// For each element of a slice, its place in the original array; and the sizes.
pub(crate) fn sliced(dims: &[usize], slice: &Slice) -> (Vec<usize>, Vec<usize>) {
    chosen(dims, slice.axis, &(0..slice.count).map(|along| slice.place(along)).collect::<Vec<_>>())
}

/// For each element of some places along an axis, its place in the original array; and the sizes.
pub(crate) fn chosen(dims: &[usize], axis: usize, places: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut sizes = dims.to_vec();
    if let Some(size) = sizes.get_mut(axis) {
        *size = places.len();
    }
    let place = |place: usize| {
        let mut from = unravel(place, &sizes);
        if let Some(along) = from.get_mut(axis) {
            *along = places.get(*along).copied().unwrap_or_default();
        }
        ravel(&from, dims)
    };
    ((0..sizes.iter().product()).map(place).collect(), sizes)
}
